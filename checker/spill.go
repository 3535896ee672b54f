package checker

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"sync/atomic"
)

// spill is a temporary file that only grows. It is made when first needed, and its name is removed at
// once where the system allows, so that nothing is left behind however the process ends.
type spill struct {
	folder string
	file   *os.File
	size   atomic.Int64
	failed atomic.Bool // it could not be made or written to; nothing more goes there
}

// open makes the file unless there is one, and reports whether there is. One goroutine may call it.
func (s *spill) open() bool {
	if s.file != nil || s.failed.Load() {
		return s.file != nil
	}
	f, err := os.CreateTemp(s.folder, "canvass-*.states")
	if err != nil {
		s.failed.Store(true)
		return false
	}
	s.file = f
	_ = os.Remove(f.Name()) // where an open file cannot be removed, close does it
	return true
}

// write appends and returns the place. It reports false if the bytes were not written; the caller then
// keeps them. Goroutines may write at the same time.
func (s *spill) write(p []byte) (int64, bool) {
	if s.file == nil || s.failed.Load() {
		return 0, false
	}
	at := s.size.Add(int64(len(p))) - int64(len(p))
	if _, err := s.file.WriteAt(p, at); err != nil {
		s.failed.Store(true)
		return 0, false
	}
	return at, true
}

// read fills p from a place that was written, with data of the given sum.
func (s *spill) read(p []byte, at int64, sum uint32) {
	_, err := s.file.ReadAt(p, at)
	if err == nil && crc32.Checksum(p, castagnoli) != sum {
		err = errors.New("they are not what was written")
	}
	if err != nil {
		panic(spillError{fmt.Errorf("checker: states that went to disk cannot be read back: %w", err)})
	}
}

// spillError is what read panics with, so that no caller can go on without the states.
type spillError struct{ error }

func (s *spill) close() {
	if s.file != nil {
		_ = s.file.Close()           // nobody wants what is in it
		_ = os.Remove(s.file.Name()) // already gone on most systems
	}
}
