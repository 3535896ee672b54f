package statelog

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"sync/atomic"
)

// Spill is a temporary file that only grows. It is created when first needed, and its name is
// removed at once where the system allows, so that nothing is left behind however the process ends.
type Spill struct {
	Folder string
	File   *os.File
	size   atomic.Int64
	failed atomic.Bool // it could not be created or written; nothing more goes there
}

// Open creates the file unless there is one, and reports whether there is. One goroutine may call
// it.
func (s *Spill) Open() bool {
	if s.File != nil || s.failed.Load() {
		return s.File != nil
	}
	f, err := os.CreateTemp(s.Folder, "canvass-*.states")
	if err != nil {
		s.failed.Store(true)
		return false
	}
	s.File = f
	_ = os.Remove(f.Name()) // where an open file cannot be removed, close does it
	return true
}

// write appends and returns the offset. It reports false if the bytes were not written; the caller
// then keeps them. Goroutines may write concurrently.
func (s *Spill) write(p []byte) (int64, bool) {
	if s.File == nil || s.failed.Load() {
		return 0, false
	}
	at := s.size.Add(int64(len(p))) - int64(len(p))
	if _, err := s.File.WriteAt(p, at); err != nil {
		s.failed.Store(true)
		return 0, false
	}
	return at, true
}

// read fills p from an offset and verifies the checksum.
func (s *Spill) read(p []byte, at int64, sum uint32) {
	_, err := s.File.ReadAt(p, at)
	if err == nil && crc32.Checksum(p, castagnoli) != sum {
		err = errors.New("the checksum does not match")
	}
	if err != nil {
		panic(ReadError{fmt.Errorf("checker: read back states from the temporary file: %w", err)})
	}
}

// ReadError is the panic of read, so that no caller can go on without the states.
type ReadError struct{ Err error }

// Close removes the file.
func (s *Spill) Close() {
	if s.File != nil {
		_ = s.File.Close()           // the contents are not needed any more
		_ = os.Remove(s.File.Name()) // already gone on most systems
	}
}
