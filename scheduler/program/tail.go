package program

import (
	"bytes"
	"io"
	"sync"
)

// mostTail is how many bytes of a standard error are kept, and the longest line that is passed on
// in one piece.
const mostTail = 4 << 10

// tail passes a standard error on, line by line, and keeps its end.
type tail struct {
	to   io.Writer // nil drops it
	lock sync.Mutex
	kept []byte // whole lines
	line []byte // without an end yet
}

// Write implements [io.Writer].
func (t *tail) Write(text []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	for _, b := range text {
		t.line = append(t.line, b)
		if b == '\n' || len(t.line) == mostTail {
			t.pass()
		}
	}
	return len(text), nil
}

// pass passes a line on.
func (t *tail) pass() {
	if t.to != nil {
		_, _ = t.to.Write(t.line) // a message that cannot be written is lost
	}
	t.kept = append(t.kept, t.line...)
	if over := len(t.kept) - mostTail; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	t.line = t.line[:0]
}

// flush passes on a last line without an end.
func (t *tail) flush() {
	t.lock.Lock()
	defer t.lock.Unlock()
	if len(t.line) > 0 {
		t.line = append(t.line, '\n')
		t.pass()
	}
}

// last is the last line that is not blank.
func (t *tail) last() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	text := bytes.TrimSpace(t.kept)
	return string(bytes.ToValidUTF8(text[bytes.LastIndexByte(text, '\n')+1:], []byte("?")))
}
