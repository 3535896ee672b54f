package trash

import "testing"

// Stuck is a bin whose disk does not answer before it is released.
func Stuck(t *testing.T, folder string) (b *Bin, release func()) {
	b, err := Open(folder, func(string, error) {})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	stuck := make(chan struct{})
	b.closed, b.ended, b.sweep = make(chan struct{}), make(chan struct{}), func() { <-stuck }
	b.wakeUp()
	go func() {
		defer close(b.ended)
		b.run()
	}()
	return b, func() { close(stuck) }
}
