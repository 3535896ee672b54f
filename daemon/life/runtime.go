package life

import (
	"log/slog"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Runtime is shared by all parts of a daemon: the machine, the one goroutine and its turns, the
// cores in their loop, and the log.
type Runtime struct {
	Machine Machine
	Store   Store // of the machine, as host
	Host    host.Host
	Log     *slog.Logger
	Meter   *observe.Metrics // nil: a simulator runs the node

	Self  protocol.NodeID // this life
	Loop  *driver.Loop
	Peer  *driver.Instance[peer.State, peer.Message, peer.Command]
	Lease *driver.Instance[lease.State, lease.Message, lease.Command]
	Links Links
	Calls *rpc.Exchange // with other daemons
	Table *jobs.Table

	Restored bool // the jobs on the disk go on: the node has a lease

	Inbox   chan func()
	Urgent  chan func()   // for the leases: it does not wait for the rest
	Done    []func()      // to do after this turn
	Durable []func()      // to do once the records are on the disk
	Stopped chan struct{} // closed when the incarnation is over
	Reason  error         // why it is; set before Stopped is closed

	Left   bool  // the node is no longer in the grid: the daemon ends after this turn
	Failed error // ends the daemon after this turn

	Began   time.Duration
	BeganAt time.Time // by the time of day
}

// InboxLimit is how many inputs wait for the node's goroutine, and UrgentLimit how many for leases.
// Links wait then.
const (
	InboxLimit  = 4096
	UrgentLimit = 256
)

// New returns the runtime of a daemon that has not begun its incarnation.
func New(log *slog.Logger) *Runtime {
	return &Runtime{
		Log: log, Inbox: make(chan func(), InboxLimit), Urgent: make(chan func(), UrgentLimit),
		Stopped: make(chan struct{}),
	}
}

// Clock is the time since the machine was started.
func (r *Runtime) Clock() time.Duration { return r.Machine.Clock() }

// Wall is the time of day.
func (r *Runtime) Wall() time.Time { return r.Machine.Wall() }

// After does something on the node's goroutine after some time.
func (r *Runtime) After(d time.Duration, f func()) { r.Machine.After(max(0, d), f) }

// Fail ends the daemon: it can no longer keep its promises.
func (r *Runtime) Fail(err error) {
	if r.Failed == nil {
		r.Failed = err
	}
}

// Keep ends the daemon if something could not be kept.
func (r *Runtime) Keep(err error) {
	if err != nil {
		r.Fail(err)
	}
}

// Later does something after this turn, on the node's goroutine.
func (r *Runtime) Later(f func()) { r.Done = append(r.Done, f) }

// Post gives the node's goroutine something to do. It waits if the inbox is full, and reports false
// if the node has stopped.
func (r *Runtime) Post(f func()) bool { return r.PostTo(r.Inbox, f) }

// PostTo does the same with another inbox.
func (r *Runtime) PostTo(inbox chan<- func(), f func()) bool {
	select {
	case inbox <- r.timed(f):
		return true
	case <-r.Stopped:
		return false
	}
}

// timed measures how long something waits for the loop.
func (r *Runtime) timed(f func()) func() {
	if r.Meter == nil {
		return f
	}
	posted := time.Now()
	return func() {
		r.Meter.Waited(time.Since(posted))
		f()
	}
}

// UseGoroutines has functions beside the goroutine of the node run on goroutines.
func (r *Runtime) UseGoroutines() {
	r.Machine.Go = func(f func()) { go f() }
	r.Machine.Await = func(done <-chan struct{}) bool {
		select {
		case <-done:
			return true
		case <-r.Stopped:
			return false
		}
	}
}

// Since is how long ago something was by the time of day. A time in the future, since a clock was
// set back, counts as now. A timer asks once, and goes by the clock from then on.
func (r *Runtime) Since(at time.Time) time.Duration { return max(0, r.Wall().Sub(at)) }

// Oldest is the time before which ended jobs and their files are removed: an age ago, both by the
// time of day and by the time that has passed in this incarnation. So nothing is removed early
// because the time of day was set ahead, for a moment or for good.
func (r *Runtime) Oldest(age time.Duration) time.Time {
	passed := r.BeganAt.Add(r.Clock() - r.Began)
	if now := r.Wall(); now.Before(passed) {
		passed = now
	}
	return passed.Add(-age)
}
