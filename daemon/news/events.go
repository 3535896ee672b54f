package news

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// Limit is how many events a daemon keeps for later requests.
const Limit = 100_000

// events are the latest events of this incarnation.
type events struct {
	kept  []api.Event
	last  uint64
	fresh chan struct{} // closed at the next event; nil: no user waits
}

// Add keeps an event.
func (s *events) Add(e api.Event) {
	s.last++
	e.Cursor, e.Version = s.last, api.Version
	if s.kept = append(s.kept, e); len(s.kept) > Limit {
		s.kept = append([]api.Event(nil), s.kept[len(s.kept)-Limit/2:]...)
	}
	if s.fresh != nil {
		close(s.fresh)
		s.fresh = nil
	}
}

// From returns the events after a cursor, or a channel that is closed at the next one.
func (s *events) From(cursor uint64) ([]api.Event, <-chan struct{}, error) {
	begin := s.last - uint64(len(s.kept))
	switch {
	case cursor < begin:
		return nil, nil, fmt.Errorf("%w: %d; the first kept is %d: ask for those after %d",
			api.ErrCursor, cursor, begin+1, begin)
	case cursor > s.last:
		return nil, nil, fmt.Errorf("%w: %d; the latest is %d: each incarnation counts from 1, so ask for those "+
			"after %d", api.ErrCursor, cursor, s.last, begin)
	case cursor < s.last:
		return append([]api.Event(nil), s.kept[cursor-begin:]...), nil, nil
	}
	if s.fresh == nil {
		s.fresh = make(chan struct{})
	}
	return nil, s.fresh, nil
}

// News are events, and the users that wait for something to happen to a job.
type News struct {
	*life.Runtime
	events
	JobOf     func(driver.CoreID) string // the job of a core, if it has one
	Ended     func(*jobs.Record)         // goes on with the array of an element
	Dismissed func(*jobs.Record)         // drops other notes about a job

	acks    map[string][]chan struct{} // closed when the custodians have accepted a job
	waiters map[string][]chan struct{} // closed when a job ends
	said    map[string]string          // the last event, by job that has not ended
}

// New returns the news of an incarnation that has just begun.
func New(r *life.Runtime) *News {
	return &News{
		Runtime: r, acks: map[string][]chan struct{}{}, waiters: map[string][]chan struct{}{}, said: map[string]string{},
	}
}

// Tell keeps an event of a core.
func (n *News) Tell(core driver.CoreID, e protocol.Event) {
	if core.Kind == life.PlacementCore {
		return // users see its decisions in the events of their jobs
	}
	event := api.Event{At: n.Wall(), Node: n.Self, Kind: api.PeerEvent, Text: e.String()}
	switch core.Kind {
	case life.MusterCore:
		event.Kind, event.Job = api.MusterEvent, n.JobOf(core)
		event.Text = life.AttemptText(core.By, core.Epoch) + " " + e.String()
	case life.CustodyCore:
		event.Kind, event.Job = api.CustodyEvent, n.JobOf(core)
	}
	n.Add(event)
}

// JobChanged keeps an event of a job of which this daemon has a copy, and wakes the users that wait
// for it.
func (n *News) JobChanged(r *jobs.Record) {
	text := string(r.State)
	if last := r.Changes[len(r.Changes)-1]; last.Reason != "" {
		text += ": " + last.Reason
	} else if r.Note != "" {
		text += ": " + r.Note
	}
	if n.said[r.ID] != text {
		n.said[r.ID] = text
		n.Add(api.Event{At: n.Wall(), Node: n.Self, Kind: api.JobEvent, Job: r.ID, Text: text})
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
	n.Ended(r)
	n.Dismiss(r)
}

// Dismiss wakes the users that wait for the end of a job, and drops the notes about it.
func (n *News) Dismiss(r *jobs.Record) {
	for _, w := range n.waiters[r.ID] {
		close(w)
	}
	delete(n.waiters, r.ID)
	delete(n.said, r.ID)
	n.Dismissed(r)
}

// UntilEnd returns a channel that is closed when a job has ended.
func (n *News) UntilEnd(r *jobs.Record) chan struct{} {
	ended := make(chan struct{})
	if r.State.Final() {
		close(ended)
	} else {
		n.waiters[r.ID] = append(n.waiters[r.ID], ended)
	}
	return ended
}

// LeaveOff ends the wait for the end of a job.
func (n *News) LeaveOff(id string, w chan struct{}) {
	n.waiters[id] = slices.DeleteFunc(n.waiters[id], func(x chan struct{}) bool { return x == w })
	if len(n.waiters[id]) == 0 {
		delete(n.waiters, id)
	}
}

// AtOnce is how many events a daemon sends to another one at once, so that they fit a frame.
const AtOnce = 200

// AnswerEvents returns the next events of this daemon after a cursor.
func (n *News) AnswerEvents(_ protocol.NodeID, q rpc.EventsRequest) (rpc.EventsAnswer, error) {
	some, _, err := n.From(q.After)
	if err != nil {
		return rpc.EventsAnswer{Failure: rpc.FailureOf(err)}, nil
	}
	return rpc.EventsAnswer{Events: some[:min(len(some), AtOnce)]}, nil
}

// Acked returns a channel that is closed when the custodians have accepted a job.
func (n *News) Acked(r *jobs.Record) <-chan struct{} {
	acked := make(chan struct{})
	if r.Acked {
		close(acked)
	} else {
		n.acks[r.ID] = append(n.acks[r.ID], acked)
	}
	return acked
}
