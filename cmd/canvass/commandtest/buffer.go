package commandtest

import (
	"bytes"
	"sync"
)

// Buffer has the output of a process so far. Several goroutines may use it at once.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends output of a process.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns all output so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
