package transport_test

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// pipe makes the two ends of a connection in memory. It is like net.Pipe, but it has a buffer,
// writes before a Close arrive, and it can be reset.
func pipe(latency time.Duration) (net.Conn, net.Conn) {
	a, b := newStream(latency), newStream(latency)
	return &end{in: a, out: b}, &end{in: b, out: a}
}

const streamBytes = 1 << 16

// stream is one direction.
type stream struct {
	latency time.Duration // of each write
	mu      sync.Mutex
	changed *sync.Cond
	bytes   []byte
	read    int  // how many were taken
	closed  bool // no more is written
	broken  bool // reset
	lost    bool // writes go nowhere

	unreadable, unwritable bool // reset as one end sees it
	rdead                  time.Time
	wdead                  time.Time
	timeouts               []*time.Timer
}

func newStream(latency time.Duration) *stream {
	s := &stream{latency: latency}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func passed(t time.Time) bool { return !t.IsZero() && !time.Now().Before(t) }

func (s *stream) receive(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.broken || s.unreadable:
			return 0, errReset
		case passed(s.rdead):
			return 0, os.ErrDeadlineExceeded
		case len(s.bytes) > 0:
			n := copy(b, s.bytes)
			s.bytes, s.read = s.bytes[n:], s.read+n
			s.changed.Broadcast()
			return n, nil
		case s.closed:
			return 0, io.EOF
		}
		s.changed.Wait()
	}
}

func (s *stream) write(b []byte) (int, error) {
	time.Sleep(s.latency)
	s.mu.Lock()
	defer s.mu.Unlock()
	written := 0
	for {
		switch {
		case s.lost && !passed(s.wdead):
			return written + len(b), nil
		case s.broken || s.closed || s.unwritable:
			return written, errReset
		case passed(s.wdead):
			return written, os.ErrDeadlineExceeded
		}
		n := min(len(b), streamBytes-len(s.bytes))
		s.bytes = append(s.bytes, b[:n]...)
		b, written = b[n:], written+n
		if n > 0 {
			s.changed.Broadcast()
		}
		if len(b) == 0 {
			return written, nil
		}
		s.changed.Wait()
	}
}

// taken returns how many bytes were read so far.
func (s *stream) taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read
}

func (s *stream) change(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	s.changed.Broadcast()
}

func (s *stream) deadline(which *time.Time, t time.Time) {
	s.change(func() {
		*which = t
		if !t.IsZero() && time.Until(t) > 0 {
			s.timeouts = append(s.timeouts, time.AfterFunc(time.Until(t), func() { s.change(func() {}) }))
		}
		for len(s.timeouts) > 4 {
			s.timeouts[0].Stop()
			s.timeouts = s.timeouts[1:]
		}
	})
}

func (s *stream) stop() {
	for _, t := range s.timeouts {
		t.Stop()
	}
}

// end is one end of a connection.
type end struct{ in, out *stream }

func (e *end) Read(b []byte) (int, error)  { return e.in.receive(b) }
func (e *end) Write(b []byte) (int, error) { return e.out.write(b) }

func (e *end) Close() error {
	e.out.change(func() { e.out.closed = !e.out.unwritable; e.out.stop() })
	e.in.change(func() { e.in.broken = true; e.in.stop() })
	return nil
}

// abortHalf breaks both directions for this end. The other notices nothing: its writes are lost,
// and nothing arrives.
func (e *end) abortHalf() {
	e.in.change(func() { e.in.unreadable, e.in.lost = true, true })
	e.out.change(func() { e.out.unwritable = true })
}

// abort breaks both directions. Bytes in flight are lost.
func (e *end) abort() {
	for _, s := range []*stream{e.in, e.out} {
		s.change(func() { s.broken = true; s.stop() })
	}
}

func (e *end) LocalAddr() net.Addr  { return memoryAddr("here") }
func (e *end) RemoteAddr() net.Addr { return memoryAddr("there") }

func (e *end) SetDeadline(t time.Time) error {
	_ = e.SetReadDeadline(t)
	return e.SetWriteDeadline(t)
}

func (e *end) SetReadDeadline(t time.Time) error {
	e.in.deadline(&e.in.rdead, t)
	return nil
}

func (e *end) SetWriteDeadline(t time.Time) error {
	e.out.deadline(&e.out.wdead, t)
	return nil
}
