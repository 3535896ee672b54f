package pieces

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

const (
	// Patience is how long a piece may take.
	Patience = 5 * time.Second

	askAgain = 500 * time.Millisecond
)

// ErrSilent says that a node does not send what it is asked for.
var ErrSilent = errors.New("no answer")

// Reader reads a part of a file of another node.
type Reader struct {
	exchange *Exchange
	ctx      context.Context
	from     protocol.NodeID
	name     []byte
	offset   int64 // of the next request
	end      int64

	asked []*piece // in the order of the file
	data  []byte   // of the piece that is read
	err   error
}

// Open returns a reader of a part of a file, from an offset to an end. The name means something to
// the node that has the file. The reader is for one goroutine, and must be closed.
func (x *Exchange) Open(ctx context.Context, from protocol.NodeID, name []byte, offset, end int64) *Reader {
	return &Reader{exchange: x, ctx: ctx, from: from, name: name, offset: offset, end: end}
}

// Read returns what comes next.
func (r *Reader) Read(into []byte) (int, error) {
	for len(r.data) == 0 && r.err == nil {
		r.data, r.err = r.next()
	}
	got := copy(into, r.data)
	if r.data = r.data[got:]; got > 0 {
		return got, nil
	}
	return 0, r.err
}

// Close gives up what was asked for and has not come.
func (r *Reader) Close() error {
	for _, p := range r.asked {
		r.exchange.drop(p)
	}
	r.asked, r.err = nil, io.ErrClosedPipe
	return nil
}

// next returns the next piece.
func (r *Reader) next() ([]byte, error) {
	if err := r.ask(); err != nil {
		return nil, err
	}
	if len(r.asked) == 0 {
		return nil, io.EOF
	}
	p := r.asked[0]
	if err := r.wait(p); err != nil {
		return nil, err
	}
	r.asked = r.asked[1:]
	if p.err == nil && len(p.data) < p.most { // the file ends here
		r.end = r.offset
		for _, later := range r.asked {
			r.exchange.drop(later)
		}
		r.asked = nil
	}
	return p.data, p.err
}

// ask asks for pieces while there is room. The first one waits for it.
func (r *Reader) ask() error {
	window := r.exchange.window(r.from.Address)
	for r.offset < r.end && len(r.asked) < Window {
		if len(r.asked) == 0 {
			select {
			case window <- struct{}{}:
			case <-r.ctx.Done():
				return r.ctx.Err()
			}
		} else {
			select {
			case window <- struct{}{}:
			default:
				return nil
			}
		}
		most := min(Size, r.end-r.offset)
		r.asked = append(r.asked, r.exchange.ask(r.from, r.name, r.offset, int(most)))
		r.offset += most
	}
	return nil
}

// wait waits for a piece, and asks for it again.
func (r *Reader) wait(p *piece) error {
	again, limit := time.NewTicker(askAgain), time.NewTimer(Patience)
	defer again.Stop()
	defer limit.Stop()
	for {
		select {
		case <-p.arrived:
			return nil
		case <-again.C:
			r.exchange.post(r.from, p.text)
		case <-limit.C:
			return fmt.Errorf("%w from node %v", ErrSilent, r.from)
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}
}
