package flight

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// errAbandoned says that an earlier write of the segment has failed.
var errAbandoned = errors.New("the segment is not complete")

// writer writes the segments of an incarnation. Only one goroutine uses it.
type writer struct {
	dir, life      string
	segment, total int64
	file           *os.File // nil: not opened, or a write has failed
}

// write writes a chunk. After an error, all chunks fail until one opens a new segment.
func (w *writer) write(c chunk) error {
	if c.opens {
		if err := w.close(); err != nil {
			return err
		}
		w.prune()
		name := filepath.Join(w.dir, fmt.Sprintf("%s-%03d.cfr", w.life, c.begins))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("begin a segment of the flight record: %w", err)
		}
		w.file = file
	}
	if w.file == nil {
		return errAbandoned
	}
	if _, err := w.file.Write(c.bytes); err != nil {
		w.file.Close()
		w.file = nil
		return fmt.Errorf("write the flight record: %w", err)
	}
	return nil
}

// close makes a segment durable that will not grow any more.
func (w *writer) close() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Sync()
	if e := w.file.Close(); err == nil {
		err = e
	}
	w.file = nil
	if err != nil {
		return fmt.Errorf("end a segment of the flight record: %w", err)
	}
	return nil
}

// prune deletes the oldest segments of all incarnations such that another one fits into the total.
func (w *writer) prune() {
	type segment struct {
		name string
		at   time.Time
		size int64
	}
	names, _ := fileio.Match(w.dir, "*.cfr")
	var all []segment
	size := w.segment
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			all = append(all, segment{name, info.ModTime(), info.Size()})
			size += info.Size()
		}
	}
	slices.SortFunc(all, func(a, b segment) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	for _, s := range all {
		if size <= w.total {
			return
		}
		if os.Remove(s.name) == nil {
			size -= s.size
		}
	}
}
