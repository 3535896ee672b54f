package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Options are the settings of one run of a daemon.
type Options struct {
	Folder string
	Binary string // this program, which is also the shim of processes
	Build  string // its version
	Log    *slog.Logger

	// AllowRoot has tasks run as root where the daemon does. Otherwise each of them has a user of
	// its own.
	AllowRoot bool
	// AllowExposed takes tasks even if they could read the key of the grid's authority in the
	// folder.
	AllowExposed bool
	// RequireIsolation takes tasks only if each has a PID namespace and cannot see the folder.
	RequireIsolation bool

	// Hung is called when the incarnation is over and its goroutine hangs, so that Run cannot return.
	// It ends the process and does not return. Nil: no watchdog.
	Hung func(error)
}

type (
	peerInstance   = driver.Instance[peer.State, peer.Message, peer.Command]
	musterInstance = driver.Instance[muster.State, muster.Message, muster.Command]
)

// Node is a daemon: its parts, and the hooks on its cores.
type Node struct {
	parts
	hooks []hook // in their order
}

// Open opens the folder of a daemon. Only one process can.
func Open(o Options) (*Node, error) {
	if err := disk.Check(o.Folder); err != nil {
		return nil, err
	}
	config, err := LoadConfig(o.Folder)
	if err != nil {
		return nil, err
	}
	if err := api.CheckSocket(Socket(o.Folder)); err != nil {
		return nil, err
	}
	if err := identity.CheckFolder(o.Folder); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIdentity, err)
	}
	cores, err := config.Grid.Peer()
	if err != nil {
		return nil, err
	}
	id, err := identity.Load(o.Folder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIdentity, err)
	}
	store, err := disk.Open(o.Folder)
	if err != nil {
		return nil, err
	}
	n := newNode(o, config, cores, id)
	n.machine.Store = store
	n.realTime()
	if err := n.openFolder(store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return n, nil
}

// openFolder reads what else the folder has: what former lives have left, and the authority.
func (n *Node) openFolder(store *disk.Store) error {
	name := protocol.NodeID{Address: n.id.Address, Incarnation: 1}.String() // the same in all its lives
	if err := store.Claim(string(n.id.Grid), name); err != nil {
		return err
	}
	if err := n.admission.openAuthority(); err != nil {
		return fmt.Errorf("%w: %w", ErrIdentity, err)
	}
	return n.open()
}

func newNode(o Options, config Config, cores peer.Config, id *identity.Identity) *Node {
	n := &Node{
		parts: parts{
			runtime: newRuntime(o.Log), settings: &settings{o, config, cores, id},
			breaches: newBreaches(config.latePatience()),
		},
	}
	n.makeParts()
	n.calls = rpc.New(calling{n}, o.Log)
	n.answerCalls()
	n.hang()
	return n
}

// open reads what the machine keeps of former lives.
func (n *Node) open() (err error) {
	n.began, n.beganAt, n.store, n.host = n.clock(), n.wall(), n.machine.Store, n.machine.Host
	if n.table, err = jobs.NewTable(n.store, n.wall); err != nil {
		return err
	}
	n.table.Changed, n.table.Fate = n.jobChanged, n.fate
	return n.loadCards()
}

// Run runs the daemon until the context ends. The error says why it ended.
func (n *Node) Run(ctx context.Context) (err error) {
	n.fences = readFences(n.options.Folder, n.log)
	defer func() { n.fences.note(err) }()
	n.watchdog = newWatchdog(n.runtime, n.settings, n.fences)
	defer n.watchdog.guard(n.stopped)()
	defer func() { err = errors.Join(err, n.store.Close()) }()
	stop := sync.OnceFunc(func() { n.reason = err; close(n.stopped) })
	defer stop()
	if err := n.library.open(n.options.Folder); err != nil {
		return disk.Failed("opening", filepath.Join(n.options.Folder, disk.Kept), err)
	}
	if err := host.MakeRoom(n.options.Folder, n.cache, n.log); err != nil {
		return err
	}
	if err := n.openHost(); err != nil {
		return err
	}
	defer func() {
		if err := n.host.Close(); err != nil {
			n.log.Error("the daemon ends before its tasks", "error", err)
		}
	}()
	if err := n.admission.certify(ctx, n.contacts(), n.network()); err != nil {
		return err
	}
	if n.record, err = openRecord(n.settings, n.wall()); err != nil {
		return disk.Failed("opening", filepath.Join(n.options.Folder, disk.Flight), err)
	}
	defer func() { err = n.record.finish(err, n.log) }()
	if err := n.begin(); err != nil {
		return err
	}
	if err := n.connect(); err != nil {
		return err
	}
	defer n.links.Close()
	defer n.admission.keepCertified(ctx)()
	users, err := n.serve()
	if err != nil {
		return err
	}
	defer endServing(users)
	n.begun()
	n.clocks.watch()
	defer stop() // first of all: what waits for room in the inbox would keep the links from ending
	if err = n.turns(ctx); err == nil {
		n.drain.takeLeave()
	}
	return err
}

// begin takes the first step of the life: from then on the node knows its identity, and it is
// durable.
func (n *Node) begin() error {
	n.loop = driver.New(environment{n}, n.record.ofLoop())
	n.loop.Around = (&slowSteps{runtime: n.runtime}).measured
	n.loop.Broken = func(core driver.CoreID, from protocol.NodeID, err error) {
		n.unreadable(from, fmt.Sprintf("message of core %d", core.Kind), err)
	}
	if err := n.addLease(); err != nil {
		return err
	}
	persisted, err := n.store.Get(disk.Cores, coreKey(peerID))
	if err != nil {
		return err
	}
	n.peer = driver.Add(n.loop, peerID, &peer.Core{Config: n.cores}, driver.Traits[peer.State, peer.Message]{
		Self:    func(s peer.State) protocol.NodeID { return s.ID() },
		Process: func(t protocol.Timer) bool { return t == peer.RunTimer() },
		Held:    func(m peer.Message) bool { _, is := m.(peer.TaskMessage); return is },
	}, peer.New(n.id.Address, n.config.place()), persisted)
	n.record.segment(n.loop, n.clock())
	if _, _, err := n.loop.Turn(n.clock()); err != nil {
		return err
	}
	n.self = n.peer.Self()
	if n.self.Incarnation == 0 || n.self != n.lease.Self() {
		key := coreKey(peerID)
		if n.lease.Self().Incarnation == 0 {
			key = coreKey(leaseID)
		}
		err := fmt.Errorf("%w: the identity that the last life has left cannot be used", ErrIdentity)
		return n.damaged(disk.Cores, key, err)
	}
	return nil
}

// ErrIdentity says that the identity of the node is unusable.
var ErrIdentity = errors.New("no life can begin")

// turns is the goroutine of the node.
func (n *Node) turns(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case f := <-n.urgent:
			n.handle(f)
		case f := <-n.inbox:
			n.batch(f)
		case <-timer.C:
		case <-ctx.Done():
			return nil
		}
		next, ok, err := n.turn()
		if err != nil || n.left {
			return err
		}
		if ok {
			timer.Reset(max(0, next-n.clock()))
		}
	}
}

// batch does what waits in the inbox, up to a batch, and what is urgent before each of it.
func (n *Node) batch(f func()) {
	for range driver.BatchLimit - 1 {
		select {
		case first := <-n.urgent:
			n.handle(first)
		default:
		}
		n.handle(f)
		select {
		case f = <-n.inbox:
		default:
			return
		}
	}
	n.handle(f)
}

// handle does something that came from outside, unless the life is over.
func (n *Node) handle(f func()) {
	n.expire()
	if n.failed == nil {
		f()
	}
}

// turn takes a turn of the loop, and then what it has led to.
func (n *Node) turn() (next time.Duration, ok bool, err error) {
	for {
		n.expire()
		for len(n.done) > 0 && n.failed == nil {
			f := n.done[0]
			n.done = n.done[1:]
			f()
		}
		if n.failed != nil {
			return 0, false, n.failed
		}
		n.record.segment(n.loop, n.clock())
		if next, ok, err = n.loop.Turn(n.clock()); err == nil && !n.loop.Over() {
			err = n.commit()
		}
		n.extend()
		if err != nil || len(n.done) == 0 {
			return next, ok, err
		}
	}
}

// commit puts the records on the disk that have changed, if the cores had nothing to put there, and
// does what has waited for that.
func (n *Node) commit() error {
	if puts := n.table.Puts(); len(puts) > 0 {
		if err := n.write(puts...); err != nil {
			return err
		}
	}
	durable := n.durable
	n.durable = nil
	for _, f := range durable {
		f()
	}
	return nil
}

// maxAge is the age at which a message is dropped.
const maxAge = 3 * time.Second

// deliver takes a frame from a link.
func (n *Node) deliver(from protocol.NodeID, kind uint8, payload []byte) {
	switch kind {
	case coreFrame:
		core, message, err := readCore(payload)
		if err != nil {
			n.unreadable(from, "message of a core", err)
			return
		}
		n.heard(from, core.Kind)
		n.loop.Deliver(core, from, n.self, message)
	case jobFrame:
		core, message, text, err := readJob(payload)
		if err != nil {
			n.unreadable(from, "message of a custodian", err)
			return
		}
		n.heard(from, core.Kind)
		if n.restored {
			n.deliverJob(from, core, message, text)
		}
	case callFrame:
		n.calls.Receive(from, payload)
	default:
		n.unreadable(from, "frame", fmt.Errorf("its kind is %d", kind))
	}
}

// begun starts what the node does from time to time. It enters the grid once it has a lease.
func (n *Node) begun() {
	n.log.Info("daemon started", "node", n.self.String(), "isolation", n.host.Isolation())
	if n.self.Incarnation >= api.OldLife {
		n.log.Warn("this node has few lives left: join anew, with an empty folder",
			"life", n.self.Incarnation, "last", api.LastLife)
	}
	n.near.look()
	n.balancer.look()
	n.auditor.look()
	n.repair.mend()
}

// openHost ends what a former life has left, and runs the tasks of this one.
func (n *Node) openHost() error {
	o := n.options
	m, err := host.Open(host.Config{
		Folder: o.Folder, Binary: o.Binary, Log: n.log, Kept: n.kept, Cache: n.cache,
		Policy: host.Policy{
			AllowRoot: o.AllowRoot, AllowExposed: o.AllowExposed, RequireIsolation: o.RequireIsolation,
			Dev: n.config.Dev, HasKey: n.admission.authority != nil,
		},
		Between: between, Oldest: n.oldest, Self: func() protocol.NodeID { return n.self },
		Running: n.attempts.openOutputs, Post: n.post,
	})
	if errors.Is(err, runner.ErrCopied) {
		return fmt.Errorf("%w: %w; %s", ErrIdentity, err, justCopied)
	}
	if err != nil {
		return err
	}
	n.host, n.exposed, n.isTask = guarded{m, n.watchdog}, m.Exposed(), m.IsTask
	return nil
}

// justCopied is the remedy for a copy of the folder of a daemon that runs.
const justCopied = "remove the copy, and join anew for a second node, with canvass node join"
