package pieces

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/canvass-grid/canvass/protocol"
)

const (
	// Size is the largest piece, in bytes. With its head it fits a frame.
	Size = 128 << 10

	// Window is how many pieces are asked for at once of one node.
	Window = 4
)

// Exchange answers questions of other nodes for pieces, and asks them.
type Exchange struct {
	open func(name []byte) (*os.File, error)
	send atomic.Pointer[func(to protocol.NodeID, payload []byte)]

	mu      sync.Mutex
	last    uint64
	pending map[uint64]*piece
	windows map[protocol.Address]chan struct{}
}

// piece is asked for. Its fields are set before it arrives.
type piece struct {
	from protocol.NodeID
	text []byte // the question
	most int

	arrived chan struct{}
	data    []byte
	err     error
}

// New makes an exchange. Open opens a file of this node by its name, and must not block.
func New(open func(name []byte) (*os.File, error)) *Exchange {
	return &Exchange{open: open, pending: map[uint64]*piece{}, windows: map[protocol.Address]chan struct{}{}}
}

// Connect gives the exchange a way to send. Messages before that are lost.
func (x *Exchange) Connect(send func(to protocol.NodeID, payload []byte)) { x.send.Store(&send) }

func (x *Exchange) post(to protocol.NodeID, payload []byte) {
	if send := x.send.Load(); send != nil {
		(*send)(to, payload)
	}
}

// Receive takes a message. The payload belongs to it.
func (x *Exchange) Receive(from protocol.NodeID, payload []byte) error {
	m, err := parse(payload)
	if err != nil {
		return err
	}
	if m.kind == question {
		x.post(from, x.answer(m))
		return nil
	}
	x.mu.Lock()
	p := x.pending[m.id]
	if p == nil || p.from.Address != from.Address || len(m.body) > p.most && m.kind == answer {
		x.mu.Unlock()
		return nil // it was asked for twice, or the reader is closed
	}
	delete(x.pending, m.id)
	x.mu.Unlock()
	if p.data = m.body; m.kind == failure {
		p.data, p.err = nil, errors.New(string(m.body))
	}
	<-x.window(p.from.Address)
	close(p.arrived)
	return nil
}

// answer reads a piece.
func (x *Exchange) answer(m message) []byte {
	fails := func(err error) []byte {
		text := err.Error()
		return (&message{kind: failure, id: m.id, body: []byte(text[:min(len(text), 1<<10)])}).append(nil)
	}
	f, err := x.open(m.body)
	if err != nil {
		return fails(err)
	}
	defer f.Close()
	text := (&message{kind: answer, id: m.id}).append(make([]byte, 0, shortHead+int(m.most)))
	got, err := f.ReadAt(text[shortHead:cap(text)], int64(m.offset))
	if err != nil && !errors.Is(err, io.EOF) {
		return fails(err)
	}
	return text[:shortHead+got]
}

// window limits the open requests to a node. A reader puts an entry in when it asks, and takes it
// out when the answer arrives or is given up.
func (x *Exchange) window(a protocol.Address) chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	w := x.windows[a]
	if w == nil {
		w = make(chan struct{}, Window)
		x.windows[a] = w
	}
	return w
}

// ask asks for a piece, for which there is room.
func (x *Exchange) ask(from protocol.NodeID, name []byte, offset int64, most int) *piece {
	x.mu.Lock()
	x.last++
	m := message{kind: question, id: x.last, offset: uint64(offset), most: uint32(most), body: name}
	p := &piece{from: from, text: m.append(nil), most: most, arrived: make(chan struct{})}
	x.pending[m.id] = p
	x.mu.Unlock()
	x.post(from, p.text)
	return p
}

// drop gives a piece up, if it has not arrived.
func (x *Exchange) drop(p *piece) {
	m, err := parse(p.text)
	if err != nil {
		panic(err) // it was made here
	}
	x.mu.Lock()
	waits := x.pending[m.id] == p
	delete(x.pending, m.id)
	x.mu.Unlock()
	if waits {
		<-x.window(p.from.Address)
	}
}
