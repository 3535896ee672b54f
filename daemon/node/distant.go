package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// eventsSize is how many events a daemon sends to another one at once, so that they fit a frame.
const eventsSize = 200

// EventsOf asks a daemon of the grid for its events after a cursor.
func (u users) EventsOf(ctx context.Context, name string, after uint64) ([]api.Event, error) {
	to, err := on(ctx, u.Node, func() (protocol.NodeID, error) {
		id, err := u.named(name)
		if err == nil && u.dead(id) {
			err = api.Errorf(jobs.ErrUnknown, "node %v %s, and its events are gone", id, u.overText(id))
		}
		return id, err
	})
	all := []api.Event{}
	for err == nil {
		answer, failed := query(ctx, u, rpc.Events, to, rpc.EventsRequest{After: after}, reportPatience)
		if failed = cmp.Or(failed, answer.Err()); failed != nil {
			return nil, fmt.Errorf("the events of node %v: %w", to, failed)
		}
		all = append(all, answer.Events...)
		if len(answer.Events) < eventsSize || len(all) >= eventLimit {
			break
		}
		after = answer.Events[len(answer.Events)-1].Cursor
	}
	return all, err
}

// answerEvents returns the next events of this daemon after a cursor.
func (n *Node) answerEvents(_ protocol.NodeID, q rpc.EventsRequest) (rpc.EventsAnswer, error) {
	some, _, err := n.events.after(q.After)
	if err != nil {
		return rpc.EventsAnswer{Failure: rpc.FailureOf(err)}, nil
	}
	return rpc.EventsAnswer{Events: some[:min(len(some), eventsSize)]}, nil
}

// distant reads a content from other daemons, piece by piece: from the next one when one has
// failed. It is not for the node's goroutine.
type distant struct {
	*Node
	sources []protocol.Address
	at      int
	method  rpc.Method[rpc.PieceOf, rpc.Fragment]
	what    rpc.PieceOf
	data    []byte
	failed  error // those of the sources that are passed over
	ended   bool
}

// Read asks for the next piece when the last one is used up.
func (d *distant) Read(p []byte) (int, error) {
	for len(d.data) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		out, err := d.next()
		if err != nil {
			d.failed = errors.Join(d.failed, err)
			if d.at++; d.at >= len(d.sources) {
				return 0, d.failed
			}
			continue
		}
		d.data = out.Data
		d.what.Offset += int64(len(out.Data))
		d.ended = len(out.Data) == 0 || d.what.Offset >= out.Size
	}
	got := copy(p, d.data)
	d.data = d.data[got:]
	return got, nil
}

func (d *distant) next() (out rpc.Fragment, err error) {
	answered := make(chan struct{})
	d.post(func() {
		from := protocol.NodeID{Address: d.sources[d.at]}
		d.method.Ask(d.calls, rpc.Daemon(from).Within(piecePatience), d.what, func(f rpc.Fragment, failed error) {
			out, err = f, failed
			close(answered)
		})
	})
	if !d.machine.Await(answered) {
		return out, d.ending()
	}
	return out, err
}

// content reads a content from some daemons.
func (n *Node) content(digest string, sources ...protocol.Address) io.Reader {
	return &distant{Node: n, sources: sources, method: rpc.Blob, what: rpc.PieceOf{Digest: digest}}
}

// fetch copies a content from some daemons. If what has come is damaged, each of them is asked
// alone, and one whose copy is damaged is asked to look at it. It is not for the node's goroutine.
func (n *Node) fetch(digest string, sources []protocol.Address, put func(io.Reader) error) error {
	err := put(n.content(digest, sources...))
	if !errors.Is(err, blobs.ErrCorrupt) {
		return err
	}
	err = nil
	for _, a := range sources {
		failed := put(n.content(digest, a))
		if failed == nil {
			return nil
		}
		if errors.Is(failed, blobs.ErrCorrupt) {
			n.post(func() {
				rpc.Examine.Ask(n.calls, rpc.Daemon(protocol.NodeID{Address: a}).Within(piecePatience), digest, nil)
			})
		}
		err = errors.Join(err, fmt.Errorf("node %v: %w", protocol.NodeID{Address: a, Incarnation: 1}, failed))
	}
	return err
}

// answerExamine compares the digest of a content that was damaged where it arrived. Of several such
// questions one is answered at a time.
func (n *Node) answerExamine(_ protocol.NodeID, digest string) (rpc.None, error) {
	switch {
	case !blobs.IsDigest(digest):
		return rpc.None{}, fmt.Errorf("%q is no digest", digest)
	case n.examines:
		return rpc.None{}, rpc.ErrLater
	}
	n.examines = true
	n.machine.Go(func() {
		if f, err := n.sound(digest); err == nil {
			f.Close()
		}
		n.post(func() { n.examines = false })
	})
	return rpc.None{}, nil
}

// sound opens a content that is here and undamaged. A damaged copy is removed, and a custodian
// copies it again. It is not for the node's goroutine.
func (n *Node) sound(digest string) (io.ReadSeekCloser, error) {
	for _, store := range []Contents{n.kept, n.cache} {
		f, err := store.Sound(digest)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, blobs.ErrCorrupt):
			n.log.Warn("a copy is damaged, and is removed", "error", err)
			n.post(func() { n.copyAgain(digest) })
		case !errors.Is(err, blobs.ErrLost):
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: %s", blobs.ErrLost, digest)
}

// copyAgain copies a content from other custodians that this one has lost.
func (n *Node) copyAgain(digest string) {
	for _, r := range n.table.Everything() {
		others := slices.DeleteFunc(slices.Clone(r.Custodians), func(a protocol.Address) bool { return a == n.self.Address })
		if len(others) > 0 && slices.Contains(r.Contents(), digest) {
			n.fetchContents(n.keepingOf(r), protocol.NodeID{Address: others[0]})
		}
	}
}
