package trash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Bin is a folder whose contents are removed in the background.
type Bin struct {
	folder string
	stays  func(name string, err error)
	wake   chan struct{} // something was dropped
	closed chan struct{}
	ended  chan struct{}
	sweep  func() // removes what is there
}

// closePatience is how long the end of a bin waits for a disk.
const closePatience = time.Second

// Open opens a bin, and begins to remove what is there. Stays is called, on another goroutine, with
// each name that cannot be removed.
func Open(folder string, stays func(name string, err error)) (*Bin, error) {
	if info, err := os.Lstat(folder); err == nil && !info.IsDir() {
		if err := os.Remove(folder); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(folder, openMode); err != nil {
		return nil, err
	}
	if err := os.Chmod(folder, openMode); err != nil {
		return nil, err
	}
	s, err := newSweep(folder)
	if err != nil {
		return nil, err
	}
	b := &Bin{
		folder: folder, stays: stays,
		wake: make(chan struct{}, 1), closed: make(chan struct{}), ended: make(chan struct{}),
	}
	s.pause = b.pause
	b.sweep = func() {
		err := s.all(func(name string, err error) { stays(filepath.Join(folder, name), err) })
		if err != nil && !errors.Is(err, errPaused) {
			stays(folder, err)
		}
	}
	go func() {
		defer close(b.ended)
		defer s.root.Close()
		b.run()
	}()
	b.wakeUp()
	return b, nil
}

func (b *Bin) wakeUp() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *Bin) run() {
	for {
		select {
		case <-b.wake:
			b.sweep()
		case <-b.closed:
			return
		}
	}
}

// pause rests, so that others can use the disk. It reports false once the bin is closed.
func (b *Bin) pause(took time.Duration) bool {
	select {
	case <-time.After(took):
		return true
	case <-b.closed:
		return false
	}
}

// Drop takes a file or a folder away. If it is not there, there is nothing to do.
func (b *Bin) Drop(name string) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() && info.Mode()&openMode != openMode {
		_ = os.Chmod(name, openMode) // its other parent is written into it
	}
	to := fmt.Sprintf("%s-%d", filepath.Base(name), time.Now().UnixNano())
	if err := os.Rename(name, filepath.Join(b.folder, to)); err != nil {
		return err
	}
	b.wakeUp()
	return nil
}

// Close ends the removal. The rest goes when the bin is opened again.
func (b *Bin) Close() {
	close(b.closed)
	select {
	case <-b.ended:
	case <-time.After(closePatience):
	}
}
