package node

import (
	"log/slog"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// Stepped is an incarnation of a daemon without goroutines, on a machine that its caller makes. It
// does the work of [Node.Run], except for users on a socket, and recording. One goroutine calls it,
// and does the machine's work for the node between two calls of Turn. A function that the machine
// runs beside the node never runs at the same time.
type Stepped struct{ node *Node }

// Step begins an incarnation. The store of the machine has the state of earlier ones.
func Step(c config.Config, id *identity.Identity, m life.Machine) (*Stepped, error) {
	cores, err := c.Grid.Peer()
	if err != nil {
		return nil, err
	}
	n := newNode(config.Options{Log: slog.New(slog.DiscardHandler)}, c, cores, id)
	n.Machine = m
	n.Kept, n.Cache = m.Kept, m.Cache
	if err := n.open(); err != nil {
		return nil, err
	}
	if err := n.begin(); err != nil {
		return nil, err
	}
	if err := n.connect(); err != nil {
		return nil, err
	}
	n.begun()
	return &Stepped{n}, nil
}

// Turn takes a turn of the loop, with the work that follows from it. It returns the time of the
// next call; ok is false if only new input can change the state. After an error the incarnation is
// over.
func (s *Stepped) Turn() (next time.Duration, ok bool, err error) {
	s.Serve() // the posts of functions beside the goroutine
	return s.node.turn()
}

// Left reports that the node has left the grid: the incarnation is over.
func (s *Stepped) Left() bool { return s.node.Left }

// Do runs a function of the machine: a function passed to After, or the end of a process.
func (s *Stepped) Do(f func()) { s.node.handle(f) }

// Deliver takes a frame of another node from the links.
func (s *Stepped) Deliver(from protocol.NodeID, kind uint8, payload []byte) {
	s.node.handle(func() { s.node.deliver(from, kind, payload) })
}

// Refused takes from the links that another node has refused a connection.
func (s *Stepped) Refused(r transport.Refusal) { s.node.refused(r, s.node.handle) }

// Unanswered lists the calls of other nodes that have no handler here. It must be empty.
func (s *Stepped) Unanswered() []string { return s.node.Calls.Unanswered() }

// Close ends the waits of functions beside the goroutine.
func (s *Stepped) Close() { close(s.node.Stopped) }

// Submit takes a job, unless there is one under the key. Acked is closed when its custodians
// have it.
func (s *Stepped) Submit(spec jobs.Spec, key string) (id string, acked <-chan struct{}, err error) {
	r, err := s.node.handIn(spec, key, "")
	if err != nil {
		return "", nil, err
	}
	return r.ID, s.node.Acked(r), nil
}

// Cancel asks for the end of a job of which this node has a copy. Done is called with the answer.
func (s *Stepped) Cancel(id string, done func(error)) { s.do(id, doCancel, done) }

// Remove asks to forget a job of which this node has a copy. Done is called with the answer.
func (s *Stepped) Remove(id string, done func(error)) { s.do(id, doRemove, done) }

func (s *Stepped) do(id, what string, done func(error)) {
	r, err := s.node.Table.Find(id)
	if err != nil {
		done(err)
		return
	}
	s.node.orders.askToDo(r, what, done)
}

// Drain makes the node leave when no job that was submitted here is open, at the latest after a
// time.
func (s *Stepped) Drain(limit time.Duration) { s.node.drain.Start(limit) }

// Leave makes the node leave, as SIGTERM does, at the latest after a time.
func (s *Stepped) Leave(limit time.Duration) { s.node.drain.GoAway(limit) }

// Self is the identity of the incarnation.
func (s *Stepped) Self() protocol.NodeID { return s.node.Self }

// Lease is the state of its lease.
func (s *Stepped) Lease() lease.State { return s.node.Lease.State() }

// Certified reports whether it has the death certificate of an incarnation.
func (s *Stepped) Certified(life protocol.NodeID) bool {
	l := s.node.Lease.State()
	return l.IsDead(life)
}

// Jobs are its copies of jobs. They must not be changed.
func (s *Stepped) Jobs() []*jobs.Record { return s.node.Table.Everything() }

// Report is its report.
func (s *Stepped) Report() api.NodeReport { return s.node.report() }

// Job is its copy of a job, or nil. It must not be changed.
func (s *Stepped) Job(id string) *jobs.Record { return s.node.Table.Get(id) }

// Ended reports whether users see the job of this copy as ended.
func (s *Stepped) Ended(r *jobs.Record) bool {
	c, some := s.node.foreseen(r)
	return r.State.Final() || some && c.End != 0
}

// Restless is how many jobs that have ended it still asks other custodians about.
func (s *Stepped) Restless() int { return len(s.node.auditor.restless()) }

// Attempts is how many attempts at jobs it remembers: none some seconds after the end of all jobs.
func (s *Stepped) Attempts() int { return len(s.node.attempts.All) }

// Events are the events after a cursor; empty if they have expired.
func (s *Stepped) Events(cursor uint64) []api.Event {
	all, _, err := s.node.News.From(cursor)
	if err != nil {
		return nil
	}
	return all
}

// Users returns the interface for users, who call it on other goroutines. Their answers come with
// Serve. The output of tasks is in a folder.
func (s *Stepped) Users(folder string) api.Grid {
	s.node.Options.Folder = folder
	return users{&s.node.parts}
}

// Asked reports whether a request of a user, or of a function beside the goroutine, waits.
func (s *Stepped) Asked() bool { return len(s.node.Inbox) > 0 }

// Serve carries out the waiting requests.
func (s *Stepped) Serve() {
	for s.Asked() {
		s.node.handle(<-s.node.Inbox)
	}
}
