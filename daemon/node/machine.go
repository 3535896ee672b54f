package node

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Machine is a node's view of the machine that it runs on. [Open] takes the real one. A simulator
// makes a machine, and passes it to [Step].
type Machine struct {
	Clock   func() time.Duration                 // CLOCK_BOOTTIME
	Wall    func() time.Time                     // the time of day, which can jump: see since and keptUntil
	After   func(d time.Duration, f func())      // calls f after a time, on the goroutine of the node
	Between func(low, high uint32) uint32        // draws a number, each with the same probability
	JobID   func() string                        // draws the id of a job
	Connect func(protocol.NodeID) (Links, error) // makes the links of a life
	Store   Store
	Host    host.Host

	// Kept has the inputs and outputs of the jobs that this node is a custodian of, and Cache the
	// inputs of others.
	Kept, Cache Contents

	// Go calls a function beside the goroutine of the node. Such a function waits for that goroutine
	// with Await alone, which returns false if the life has ended first.
	Go    func(f func())
	Await func(done <-chan struct{}) bool
}

// Contents keep contents by their SHA-256. Package blobs has the real ones. All methods but Has are
// called beside the goroutine of the node, and some of them at once.
type Contents interface {
	Has(digest string) bool
	Put(r io.Reader, want string, limit int64) (digest string, size int64, err error)
	Open(digest string) (io.ReadSeekCloser, error)
	// Sound opens a content whose digest it has compared, and removes one that is damaged.
	Sound(digest string) (io.ReadSeekCloser, error)
	IsSound(digest string) bool
	Sweep(wanted func(digest string) bool, before time.Time) (removed int, err error)
	Shrink(most int64) error
}

// Store keeps the durable state of a node. Package disk has the real one.
type Store interface {
	// Commit makes puts durable, all or none, and returns when they are.
	Commit(puts ...disk.Put) error
	// Get returns a copy of a value, or nil.
	Get(bucket string, key []byte) ([]byte, error)
	// Each calls a function with each value of a bucket whose key begins so, in the order of the
	// keys.
	Each(bucket string, prefix []byte, f func(key, value []byte) error) error
	Close() error
}

// Links connect an incarnation of a node to other nodes. Package transport has the real ones.
type Links interface {
	Send(to protocol.NodeID, channel transport.Channel, kind uint8, payload []byte)
	Learn(card transport.Card)
	Cards() []transport.Card // by address, the own one among them
	Endpoint() string
	// Reject ends the connections to an incarnation that has sent invalid data.
	Reject(from protocol.NodeID)
	Close() error
}

// runtime is shared by all parts of a daemon: the machine, the one goroutine and its turns, the
// cores in their loop, and the log.
type runtime struct {
	machine Machine
	store   Store // of the machine, as host
	host    host.Host
	log     *slog.Logger
	metrics *observe.Metrics // nil: a simulator runs the node

	self  protocol.NodeID // this life
	loop  *driver.Loop
	peer  *peerInstance
	lease *leaseInstance
	links Links
	calls *rpc.Exchange // with other daemons
	table *jobs.Table

	restored bool // the jobs on the disk go on: the node has a lease

	inbox   chan func()
	urgent  chan func()   // for the leases: it does not wait for the rest
	done    []func()      // to do after this turn
	durable []func()      // to do once the records are on the disk
	stopped chan struct{} // closed when Run returns
	reason  error         // why it does; set before stopped is closed

	left   bool  // the node is no longer in the grid: the daemon ends after this turn
	failed error // ends the daemon after this turn

	began   time.Duration
	beganAt time.Time // by the time of day
}

// grid answers questions about the nodes of the grid.
type grid interface {
	alive() []protocol.NodeID
	known() []protocol.NodeID                         // the latest lives of all others, sorted
	latest(id protocol.NodeID) protocol.NodeID        // the latest known life at an address
	lastKnown(a protocol.Address) protocol.NodeID     // the same, or one that only a witness has named
	dead(id protocol.NodeID) bool                     // by certificate, or since a later life has begun
	hasLeft(id protocol.NodeID) (rpc.Departure, bool) // in order
	suspect(id protocol.NodeID)                       // asks the witnesses
}

// custodians is the view of the custodians here for parts that resume jobs.
type custodians interface {
	keepingOf(r *jobs.Record) *keeping  // created if missing
	keepingNow(name jobs.Name) *keeping // nil: it rests, or there is none
	dropKeeping(k *keeping)
	press(k *keeping)
	reportDeaths(k *keeping)
	order(k *keeping, c custody.Command)
	spread(k *keeping, then func(without []protocol.Address))
	end(k *keeping, s jobs.State, why string)
	submit(k *keeping)
	revoke(k *keeping)
}

// grounded is a part of a daemon: it runs on the runtime.
type grounded interface{ ground() *runtime }

func (r *runtime) ground() *runtime { return r }

// inboxLimit is how many inputs wait for the node's goroutine, and urgentLimit how many for leases.
// Links wait then.
const (
	inboxLimit  = 4096
	urgentLimit = 256
)

func newRuntime(log *slog.Logger) *runtime {
	return &runtime{
		log: log, inbox: make(chan func(), inboxLimit), urgent: make(chan func(), urgentLimit),
		stopped: make(chan struct{}),
	}
}

// settings come from the folder and the command line of a daemon. They do not change.
type settings struct {
	options Options
	config  Config
	cores   peer.Config
	id      *identity.Identity
}

// damaged is the error of a value of the store that was written so, and makes no sense.
func (s *settings) damaged(bucket string, key []byte, err error) error {
	return disk.Damaged(s.options.Folder, bucket, key, err)
}

// clock is the time since the machine was started.
func (r *runtime) clock() time.Duration { return r.machine.Clock() }

// wall is the time of day.
func (r *runtime) wall() time.Time { return r.machine.Wall() }

// after does something on the node's goroutine after some time.
func (r *runtime) after(d time.Duration, f func()) { r.machine.After(max(0, d), f) }

// fail ends the daemon: it can no longer keep its promises.
func (r *runtime) fail(err error) {
	if r.failed == nil {
		r.failed = err
	}
}

// keep ends the daemon if something could not be kept.
func (r *runtime) keep(err error) {
	if err != nil {
		r.fail(err)
	}
}

// later does something after this turn, on the node's goroutine.
func (r *runtime) later(f func()) { r.done = append(r.done, f) }

// post gives the node's goroutine something to do. It waits if the inbox is full, and reports false
// if the node has stopped.
func (r *runtime) post(f func()) bool { return r.postTo(r.inbox, f) }

func (r *runtime) postTo(inbox chan<- func(), f func()) bool {
	select {
	case inbox <- r.timed(f):
		return true
	case <-r.stopped:
		return false
	}
}

// timed measures how long something waits for the loop.
func (r *runtime) timed(f func()) func() {
	if r.metrics == nil {
		return f
	}
	posted := time.Now()
	return func() {
		r.metrics.Waited(time.Since(posted))
		f()
	}
}

// realTime fills in clock, chance and ids of a real machine, and measures what happens on it.
func (n *Node) realTime() {
	n.machine.Clock, n.machine.Wall = shim.Boottime, time.Now
	n.machine.After = func(d time.Duration, f func()) { time.AfterFunc(d, func() { n.post(f) }) }
	n.machine.Between = between
	n.machine.JobID = jobs.NewID
	n.machine.Connect = n.dialLinks
	n.useGoroutines()
	n.metrics = observe.New(n.scrape)
	n.machine.Store = timedStore{n.machine.Store, n.metrics}
}

// on runs a function on the node's goroutine and returns what it returns. Nobody reads an answer
// that comes too late.
func on[T any](ctx context.Context, part grounded, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	n, answered := part.ground(), make(chan answer, 1)
	select {
	case n.inbox <- n.timed(func() { value, err := f(); answered <- answer{value, err} }):
	case <-n.stopped:
		return none, n.ending()
	case <-ctx.Done():
		return none, ctx.Err()
	}
	a, err := received(ctx, n, answered)
	return a.value, cmp.Or(err, a.err)
}

// asked has the node's goroutine ask other daemons, and waits for what comes of it.
func asked[T any](ctx context.Context, part grounded, ask func(done func(T))) (T, error) {
	n, answered := part.ground(), make(chan T, 1)
	if !n.post(func() { ask(func(value T) { answered <- value }) }) {
		var none T
		return none, n.ending()
	}
	return received(ctx, n, answered)
}

// received waits for what the node's goroutine sends, or for the close of the channel.
func received[T any](ctx context.Context, part grounded, answered <-chan T) (value T, err error) {
	n := part.ground()
	select {
	case value = <-answered:
	case <-ctx.Done():
		err = ctx.Err()
	case <-n.stopped:
		err = n.ending()
	}
	return value, err
}

// ending is why users get no answer from a daemon that has stopped, with what to do. One whose disk
// has failed does not come back by itself, so they need not wait for it.
func (r *runtime) ending() error {
	<-r.stopped
	switch {
	case errors.Is(r.reason, disk.ErrStorage):
		return fmt.Errorf("the daemon of node %v has ended: %w", r.self, r.reason)
	case errors.Is(r.reason, ErrFenced):
		return api.Errorf(api.ErrStopped, "the daemon of node %v has ended: %v; %s", r.self, r.reason, FencedNext)
	case r.reason != nil:
		return api.Errorf(api.ErrStopped, "the daemon of node %v has ended: %v", r.self, r.reason)
	case r.left:
		return api.Errorf(api.ErrStopped, "node %v has left the grid, and its daemon ends; ask another one", r.self)
	}
	return api.Errorf(api.ErrStopped, "the daemon of node %v was stopped", r.self)
}

// useGoroutines has functions beside the goroutine of the node run on goroutines.
func (r *runtime) useGoroutines() {
	r.machine.Go = func(f func()) { go f() }
	r.machine.Await = func(done <-chan struct{}) bool {
		select {
		case <-done:
			return true
		case <-r.stopped:
			return false
		}
	}
}

// since is how long ago something was by the time of day. What lies in the future, since a clock
// was set back, is now. A timer asks once, and goes by the clock from then on.
func (r *runtime) since(at time.Time) time.Duration { return max(0, r.wall().Sub(at)) }

// oldest is the time before which what has ended is removed: some time ago, both by the time of day
// and by what has passed in this life. So nothing is removed early since the time of day was set
// ahead, for a moment or for good.
func (r *runtime) oldest(age time.Duration) time.Time {
	passed := r.beganAt.Add(r.clock() - r.began)
	if now := r.wall(); now.Before(passed) {
		passed = now
	}
	return passed.Add(-age)
}

// chance draws from the kernel: no other process can foresee a nonce or a choice. It has no state.
type chance struct{}

// Uint64 draws a number.
func (chance) Uint64() uint64 {
	var b [8]byte
	crand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// between draws a number from low to high, each with the same probability.
func between(low, high uint32) uint32 {
	return low + uint32(rand.New(chance{}).Uint64N(uint64(high-low)+1))
}
