package main

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

const (
	daemonPort = 7411 // where a daemon listens, on its own address
	doorPort   = 7412 // where others reach it: the proxy before it
	slowRate   = 10_000
	pieceBytes = 16 << 10
	slowPiece  = 512
	gatePause  = 5 * time.Millisecond
)

// fabric is the network between the daemons. Each daemon has a separate address in 127.0.0.0/8,
// from which it begins its links, and a proxy before the port at which it listens. So the proxy
// knows both ends of each connection. TLS passes through it.
type fabric struct {
	base  [2]byte // of the addresses of this run
	doors []net.Listener
	wait  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	cuts   [MaxNodes][MaxNodes]int // how many faults cut the way from one node to another
	slows  [MaxNodes][MaxNodes]int
	open   map[*crossing]bool
	held   uint64 // pieces that have waited at a cut
	slowed uint64
	moved  uint64 // bytes
}

// crossing is a connection between two nodes.
type crossing struct {
	from, to    int // dialed by, to
	outer, room net.Conn
}

// newFabric opens a door before each daemon.
func newFabric(nodes int, base [2]byte) (*fabric, error) {
	f := &fabric{base: base, open: map[*crossing]bool{}}
	for i := range nodes {
		door, err := net.Listen("tcp", f.door(i))
		if err != nil {
			f.close()
			return nil, fmt.Errorf("open the door before daemon n%d: %w", i+1, err)
		}
		f.doors = append(f.doors, door)
		f.wait.Go(func() { f.serve(i, door) })
	}
	return f, nil
}

func (f *fabric) address(i int) string {
	return net.IPv4(127, f.base[0], f.base[1], byte(i+1)).String()
}

func (f *fabric) listen(i int) string { return fmt.Sprintf("%s:%d", f.address(i), daemonPort) }
func (f *fabric) door(i int) string   { return fmt.Sprintf("%s:%d", f.address(i), doorPort) }

// serve takes connections to a daemon.
func (f *fabric) serve(to int, door net.Listener) {
	for {
		outer, err := door.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(gatePause)
			continue
		}
		ip := outer.RemoteAddr().(*net.TCPAddr).IP.To4()
		from := int(ip[3]) - 1
		if from < 0 || from >= MaxNodes {
			_ = outer.Close()
			continue
		}
		f.wait.Go(func() { f.cross(from, to, outer) })
	}
}

// cross carries a connection.
func (f *fabric) cross(from, to int, outer net.Conn) {
	room, err := net.DialTimeout("tcp", f.listen(to), time.Second)
	if err != nil {
		_ = outer.(*net.TCPConn).SetLinger(0) // as if there were no proxy
		_ = outer.Close()
		return
	}
	c := &crossing{from, to, outer, room}
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		c.reset()
		return
	}
	f.open[c] = true
	f.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { f.carry(outer, room, from, to) })
	both.Go(func() { f.carry(room, outer, to, from) })
	both.Wait()
	f.mu.Lock()
	delete(f.open, c)
	f.mu.Unlock()
	_ = outer.Close()
	_ = room.Close()
}

// carry moves bytes one way. The end of a stream waits at a cut as bytes do.
func (f *fabric) carry(source, target net.Conn, from, to int) {
	buffer := make([]byte, pieceBytes)
	for {
		piece := buffer
		if f.isSlow(from, to) {
			piece = buffer[:slowPiece]
		}
		n, err := source.Read(piece)
		if !f.pass(from, to) {
			return
		}
		if n > 0 {
			if f.isSlow(from, to) {
				time.Sleep(time.Duration(n) * time.Second / slowRate)
			}
			if _, err := target.Write(piece[:n]); err != nil {
				_ = source.Close()
				return
			}
			f.mu.Lock()
			f.moved += uint64(n)
			f.mu.Unlock()
		}
		if err != nil {
			_ = target.Close()
			return
		}
	}
}

func (f *fabric) isSlow(from, to int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	slow := f.slows[from][to] > 0
	if slow {
		f.slowed++
	}
	return slow
}

// pass waits while the way is cut. It reports false at the end of the run.
func (f *fabric) pass(from, to int) bool {
	waited := false
	for {
		f.mu.Lock()
		cut, closed := f.cuts[from][to] > 0, f.closed
		if cut && !waited {
			waited = true
			f.held++
		}
		f.mu.Unlock()
		if closed || !cut {
			return !closed
		}
		time.Sleep(gatePause)
	}
}

// cut changes the number of cuts of a way.
func (f *fabric) cut(from, to, by int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cuts[from][to] += by
}

func (f *fabric) slow(from, to, by int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slows[from][to] += by
}

// reset resets the connections of two nodes, and returns how many there were.
func (f *fabric) reset(a, b int) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.open {
		if c.from == a && c.to == b || c.from == b && c.to == a {
			c.reset()
			n++
		}
	}
	return n
}

func (c *crossing) reset() {
	for _, conn := range []net.Conn{c.outer, c.room} {
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
}

func (f *fabric) close() {
	f.mu.Lock()
	f.closed = true
	for c := range f.open {
		c.reset()
	}
	f.mu.Unlock()
	for _, d := range f.doors {
		_ = d.Close()
	}
	f.wait.Wait()
}
