package shim

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// output is a file for a stream of a task. Up to the first half of the limit goes into the file
// itself. The rest goes into FILE.1, which becomes FILE.0 when it holds half the limit, so that at
// least the last half is always there. FinishOutput joins the three.
type output struct {
	path  string
	limit int64 // 0: none

	mu     sync.Mutex
	file   *os.File
	tail   *os.File // FILE.1; nil before the head is full
	inTail int64    // bytes in it
	total  int64    // bytes of the stream
	failed error    // of the disk, the first one: bytes that were to be kept are not
}

// openOutput creates or truncates the file.
func openOutput(path string, limit int64) (*output, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the file for output: %v", err) // not the command is missing: see run
	}
	for _, old := range []string{path + ".0", path + ".1"} {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("remove output of a former task: %w", err)
		}
	}
	return &output{path: path, limit: limit, file: file}, nil
}

func headOf(limit int64) int64 { return limit - limit/2 }

// copyFrom copies a stream to its end. Bytes that the disk does not take are dropped, and the first
// error is noted: the task is never blocked, and is lost when it ends.
func (o *output) copyFrom(stream io.Reader) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := stream.Read(buffer)
		o.write(buffer[:n])
		if err != nil {
			return
		}
	}
}

func (o *output) write(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	head := p
	if o.limit > 0 {
		head = p[:min(int64(len(p)), max(0, headOf(o.limit)-o.total))]
	}
	o.total += int64(len(p))
	_, err := o.file.Write(head)
	o.note(err)
	for p = p[len(head):]; len(p) > 0 && o.ensureTail(); {
		part := p[:min(int64(len(p)), max(1, o.limit/2)-o.inTail)]
		_, err := o.tail.Write(part)
		o.note(err)
		o.inTail += int64(len(part))
		p = p[len(part):]
	}
}

// ensureTail makes FILE.1 if there is none or it is full.
func (o *output) ensureTail() bool {
	if o.tail != nil && o.inTail < max(1, o.limit/2) {
		return true
	}
	if o.tail != nil {
		o.tail.Close()
		o.tail = nil
		if os.Rename(o.path+".1", o.path+".0") != nil {
			return false
		}
	}
	file, err := os.OpenFile(o.path+".1", os.O_CREATE|os.O_TRUNC|os.O_WRONLY|plainFile, 0o600)
	if err != nil {
		o.note(err)
		return false
	}
	o.tail, o.inTail = file, 0
	return true
}

// note keeps the first error that is of the disk or the machine. A task may replace its output by
// something else; that is its own affair.
func (o *output) note(err error) {
	var errno syscall.Errno
	if o.failed == nil && errors.As(err, &errno) && isOfHost(errno) {
		o.failed = errno
	}
}

// isOfHost reports whether an error says that a machine has no room or no means for anybody's task.
func isOfHost(errno syscall.Errno) bool {
	switch errno {
	case unix.ENOSPC, unix.EDQUOT, unix.EIO, unix.EROFS, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN:
		return true
	}
	return false
}

// finish joins the files. It returns how many bytes are in none, and the error of the disk, if
// there was one.
func (o *output) finish() (int64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.file.Close()
	if o.tail != nil {
		o.tail.Close()
	}
	gap, err := FinishOutput(o.path, o.limit, o.total)
	if err != nil {
		o.note(err)
		gap = max(0, o.total-headOf(o.limit))
	}
	return gap, o.failed
}

// plainFile opens no other file for a symbolic link that a task has put in place of its output, and
// does not wait for the other end of a named pipe.
const plainFile = unix.O_NONBLOCK | unix.O_NOFOLLOW

// FinishOutput appends the last half of the limit to the head of a stream, with a line that marks
// the gap, and removes FILE.0 and FILE.1. It returns the size of the gap. Total is the length of
// the stream, or -1 if it is not known since the shim was killed. It can be called again after it
// was interrupted.
func FinishOutput(path string, limit, total int64) (gap int64, err error) {
	file, err := openPart(path, os.O_WRONLY)
	if err != nil {
		return gap, err
	}
	defer file.Close()
	var parts []part
	var tail int64
	for _, name := range []string{path + ".0", path + ".1"} {
		p, err := openPart(name, os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return gap, err
		}
		defer p.Close()
		parts, tail = append(parts, p), tail+p.size
	}
	if len(parts) == 0 {
		return max(0, total-file.size), nil
	}
	head := min(file.size, headOf(limit)) // the rest comes from an interrupted call
	if err := file.Truncate(head); err != nil {
		return gap, err
	}
	if _, err := file.Seek(head, io.SeekStart); err != nil {
		return gap, err
	}
	skip := max(0, tail-max(1, limit/2))
	gap, mark := gapOf(total-head-(tail-skip), skip, total >= 0)
	if _, err := file.WriteString(mark); err != nil {
		return gap, err
	}
	return gap, appendTail(file.File, parts, skip)
}

// part is a file of an output, and the bytes that it has.
type part struct {
	*os.File
	size int64
}

func openPart(name string, mode int) (part, error) {
	file, err := os.OpenFile(name, mode|plainFile, 0)
	if err != nil {
		return part{}, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return part{}, err
	}
	return part{file, info.Size()}, nil
}

// gapOf returns how many bytes are missing, and the line that says so.
func gapOf(missing, skipped int64, known bool) (int64, string) {
	switch {
	case known && missing > 0:
		return missing, fmt.Sprintf("\n[canvass: %d bytes of output are missing here]\n", missing)
	case !known && skipped > 0:
		return skipped, "\n[canvass: output is missing here]\n"
	}
	return 0, ""
}

// appendTail appends the parts without their first bytes, and removes them.
func appendTail(file *os.File, parts []part, skip int64) error {
	for _, p := range parts {
		past := min(skip, p.size)
		skip -= past
		if _, err := io.Copy(file, io.NewSectionReader(p, past, p.size-past)); err != nil {
			return err
		}
	}
	for _, p := range parts {
		if err := os.Remove(p.Name()); err != nil {
			return err
		}
	}
	return nil
}
