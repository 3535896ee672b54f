package node

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// eventLimit is how many events a daemon keeps for those that ask later.
const eventLimit = 100_000

// events are the latest events of this life.
type events struct {
	kept  []api.Event
	last  uint64
	fresh chan struct{} // closed at the next event; nil: nobody waits
}

// add keeps an event.
func (s *events) add(e api.Event) {
	s.last++
	e.Cursor, e.Version = s.last, api.Version
	if s.kept = append(s.kept, e); len(s.kept) > eventLimit {
		s.kept = append([]api.Event(nil), s.kept[len(s.kept)-eventLimit/2:]...)
	}
	if s.fresh != nil {
		close(s.fresh)
		s.fresh = nil
	}
}

// after returns the events after a cursor, or a channel that is closed at the next one.
func (s *events) after(cursor uint64) ([]api.Event, <-chan struct{}, error) {
	begin := s.last - uint64(len(s.kept))
	switch {
	case cursor < begin:
		return nil, nil, fmt.Errorf("%w: %d; the first kept is %d: ask for those after %d",
			api.ErrCursor, cursor, begin+1, begin)
	case cursor > s.last:
		return nil, nil, fmt.Errorf("%w: %d; the latest is %d: each life of a daemon counts from 1, so ask for those "+
			"after %d", api.ErrCursor, cursor, s.last, begin)
	case cursor < s.last:
		return append([]api.Event(nil), s.kept[cursor-begin:]...), nil, nil
	}
	if s.fresh == nil {
		s.fresh = make(chan struct{})
	}
	return nil, s.fresh, nil
}

// tell keeps an event of a core.
func (n *Node) tell(core driver.CoreID, e protocol.Event) {
	event := api.Event{At: n.wall(), Node: n.self, Kind: api.PeerEvent, Text: e.String()}
	if core.Kind == musterCore {
		event.Kind = api.MusterEvent
		event.Text = attemptText(core.By, core.Epoch) + " " + e.String()
		event.Job = n.attempts.jobOf(core)
	}
	if core.Kind == custodyCore {
		event.Kind = api.CustodyEvent
		if k := n.keepings[core]; k != nil {
			event.Job = k.record.ID
		}
	}
	n.events.add(event)
}

// jobChanged keeps an event of a job of which this daemon has a copy, and wakes those that wait for
// it.
func (n *Node) jobChanged(r *jobs.Record) {
	text := string(r.State)
	if last := r.Changes[len(r.Changes)-1]; last.Reason != "" {
		text += ": " + last.Reason
	} else if r.Note != "" {
		text += ": " + r.Note
	}
	if n.said[r.ID] != text {
		n.said[r.ID] = text
		n.events.add(api.Event{At: n.wall(), Node: n.self, Kind: api.JobEvent, Job: r.ID, Text: text})
	}
	if r.Acked {
		for _, w := range n.acks[r.ID] {
			close(w)
		}
		delete(n.acks, r.ID)
	}
	if !r.State.Final() {
		return
	}
	if parent := n.table.Parent(r); parent != nil {
		n.later(func() { n.press(n.keepingOf(parent)) })
	}
	n.dismiss(r)
}

// dismiss wakes those that wait for the end of a job, and drops what is noted of one that goes on.
func (n *Node) dismiss(r *jobs.Record) {
	for _, w := range n.waiters[r.ID] {
		close(w)
	}
	delete(n.waiters, r.ID)
	delete(n.said, r.ID)
	delete(n.waits, r.ID)
	for key := range n.unfits {
		if key.job == r.ID {
			delete(n.unfits, key)
		}
	}
}

// leaveOff forgets one that has waited for the end of a job for long enough.
func (n *Node) leaveOff(id string, w chan struct{}) {
	n.waiters[id] = slices.DeleteFunc(n.waiters[id], func(x chan struct{}) bool { return x == w })
	if len(n.waiters[id]) == 0 {
		delete(n.waiters, id)
	}
}

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
