package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Node is a daemon: its parts, and the hooks on its cores.
type Node struct {
	parts
	hooks []hook // in their order
}

// Open opens the folder of a daemon. Only one process can.
func Open(o config.Options) (*Node, error) {
	if err := disk.Check(o.Folder); err != nil {
		return nil, err
	}
	c, err := config.Load(o.Folder)
	if err != nil {
		return nil, err
	}
	if err := api.CheckSocket(config.Socket(o.Folder)); err != nil {
		return nil, err
	}
	if err := identity.CheckFolder(o.Folder); err != nil {
		return nil, fmt.Errorf("%w: %w", life.ErrIdentity, err)
	}
	cores, err := c.Grid.Peer()
	if err != nil {
		return nil, err
	}
	id, err := identity.Load(o.Folder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", life.ErrIdentity, err)
	}
	store, err := disk.Open(o.Folder)
	if err != nil {
		return nil, err
	}
	n := newNode(o, c, cores, id)
	n.Machine.Store = store
	n.realTime()
	if err := n.openFolder(store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return n, nil
}

// openFolder reads the rest of the folder: the remains of earlier incarnations, and the authority.
func (n *Node) openFolder(store *disk.Store) error {
	name := protocol.NodeID{Address: n.ID.Address, Incarnation: 1}.String() // the same in all its incarnations
	if err := store.Claim(string(n.ID.Grid), name); err != nil {
		return err
	}
	if err := n.admission.OpenAuthority(); err != nil {
		return fmt.Errorf("%w: %w", life.ErrIdentity, err)
	}
	return n.open()
}

func newNode(o config.Options, c config.Config, cores peer.Config, id *identity.Identity) *Node {
	n := &Node{
		parts: parts{
			Runtime: life.New(o.Log), Settings: &config.Settings{Options: o, Config: c, Cores: cores, ID: id},
			breaches: member.NewBreaches(c.Grid.Lease()),
		},
	}
	n.makeParts()
	n.Calls = rpc.New(calling{n}, o.Log)
	n.answerCalls()
	n.hang()
	return n
}

// open reads the state that the machine keeps of earlier incarnations.
func (n *Node) open() (err error) {
	n.Began, n.BeganAt, n.Store, n.Host = n.Clock(), n.Wall(), n.Machine.Store, n.Machine.Host
	if n.Table, err = jobs.NewTable(n.Store, n.Wall); err != nil {
		return err
	}
	n.Table.Changed, n.Table.Fate = n.JobChanged, n.Fate
	return n.LoadCards()
}

// Run runs the daemon until the context ends. The error says why it ended.
func (n *Node) Run(ctx context.Context) (err error) {
	n.fences = life.ReadFences(n.Options.Folder, n.Log)
	defer func() { n.fences.Note(err) }()
	n.watchdog = watch(n.Runtime, n.Settings, n.fences)
	defer n.watchdog.Guard(n.Stopped)()
	defer func() { err = errors.Join(err, n.Store.Close()) }()
	stop := sync.OnceFunc(func() { n.Reason = err; close(n.Stopped) })
	defer stop()
	if err := n.Library.Open(n.Options.Folder); err != nil {
		return disk.Failed("opening", filepath.Join(n.Options.Folder, disk.Kept), err)
	}
	if err := host.MakeRoom(n.Options.Folder, n.Cache, n.Log); err != nil {
		return err
	}
	if err := n.openHost(); err != nil {
		return err
	}
	defer func() {
		if err := n.Host.Close(); err != nil {
			n.Log.Error("the daemon ends before its tasks", "error", err)
		}
	}()
	if err := n.admission.Certify(ctx, n.Contacts()); err != nil {
		return err
	}
	if n.record, err = observe.OpenRecord(n.Settings, n.coreKinds(), n.Wall()); err != nil {
		return disk.Failed("opening", filepath.Join(n.Options.Folder, disk.Flight), err)
	}
	defer func() { err = n.record.Finish(err, n.Log) }()
	if err := n.begin(); err != nil {
		return err
	}
	if err := n.connect(); err != nil {
		return err
	}
	defer n.Links.Close()
	defer n.admission.KeepCertified(ctx)()
	users, err := n.serve()
	if err != nil {
		return err
	}
	defer endServing(users)
	n.begun()
	n.clocks.watch()
	defer stop() // first of all: posts that wait for room in the inbox would keep the links from ending
	if err = n.turns(ctx); err == nil {
		n.drain.TakeLeave()
	}
	return err
}

// begin takes the first step of the incarnation, which gives the node its identity and makes that
// durable.
func (n *Node) begin() error {
	n.Loop = driver.New(environment{n}, n.record.OfLoop())
	n.Loop.Around = observe.MeasureSteps(n.Clock, n.Log, n.Meter, coreName)
	n.Loop.Broken = func(core driver.CoreID, from protocol.NodeID, err error) {
		n.unreadable(from, fmt.Sprintf("message of core %d", core.Kind), err)
	}
	if err := n.AddLease(); err != nil {
		return err
	}
	persisted, err := n.Store.Get(disk.Cores, life.CoreKey(life.PeerID))
	if err != nil {
		return err
	}
	n.Peer = driver.Add(n.Loop, life.PeerID, &peer.Core{Config: n.Cores}, driver.Traits[peer.State, peer.Message]{
		Self:    func(s peer.State) protocol.NodeID { return s.ID() },
		Process: func(t protocol.Timer) bool { return t == peer.RunTimer() },
		Held:    func(m peer.Message) bool { _, is := m.(peer.TaskMessage); return is },
	}, peer.New(n.ID.Address, n.Config.Place()), persisted)
	n.record.Segment(n.Loop, n.Clock())
	if _, _, err := n.Loop.Turn(n.Clock()); err != nil {
		return err
	}
	n.Self = n.Peer.Self()
	if n.Self.Incarnation == 0 || n.Self != n.Lease.Self() {
		key := life.CoreKey(life.PeerID)
		if n.Lease.Self().Incarnation == 0 {
			key = life.CoreKey(life.LeaseID)
		}
		err := fmt.Errorf("%w: the identity left by the last incarnation cannot be used", life.ErrIdentity)
		return n.Damaged(disk.Cores, key, err)
	}
	n.submissions.begin()
	return nil
}

// turns is the goroutine of the node.
func (n *Node) turns(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case f := <-n.Urgent:
			n.handle(f)
		case f := <-n.Inbox:
			n.batch(f)
		case <-timer.C:
		case <-ctx.Done():
			return nil
		}
		next, ok, err := n.turn()
		if err != nil || n.Left {
			return err
		}
		if ok {
			timer.Reset(max(0, next-n.Clock()))
		}
	}
}

// batch handles a batch of the inbox, and urgent input before each part of it.
func (n *Node) batch(f func()) {
	for range driver.BatchLimit - 1 {
		select {
		case first := <-n.Urgent:
			n.handle(first)
		default:
		}
		n.handle(f)
		select {
		case f = <-n.Inbox:
		default:
			return
		}
	}
	n.handle(f)
}

// handle handles an input from outside, unless the incarnation is over.
func (n *Node) handle(f func()) {
	n.Expire()
	if n.Failed == nil {
		f()
	}
}

// turn takes a turn of the loop, and does the work that follows from it.
func (n *Node) turn() (next time.Duration, ok bool, err error) {
	for {
		n.Expire()
		for len(n.Done) > 0 && n.Failed == nil {
			f := n.Done[0]
			n.Done = n.Done[1:]
			f()
		}
		if n.Failed != nil {
			return 0, false, n.Failed
		}
		n.record.Segment(n.Loop, n.Clock())
		if next, ok, err = n.Loop.Turn(n.Clock()); err == nil && !n.Loop.Over() {
			err = n.commit()
		}
		n.Extend()
		if err != nil || len(n.Done) == 0 {
			return next, ok, err
		}
	}
}

// commit writes changed records to the disk, if the cores had nothing to write, and does the work
// that waited for that.
func (n *Node) commit() error {
	if puts := n.Table.Puts(); len(puts) > 0 {
		if err := n.Write(puts...); err != nil {
			return err
		}
	}
	durable := n.Durable
	n.Durable = nil
	for _, f := range durable {
		f()
	}
	return nil
}

// deliver takes a frame from a link.
func (n *Node) deliver(from protocol.NodeID, kind uint8, payload []byte) {
	switch kind {
	case life.CoreFrame:
		core, message, err := life.ReadCore(payload)
		if err != nil {
			n.unreadable(from, "message of a core", err)
			return
		}
		n.breaches.Heard(from, core.Kind, n.Clock())
		n.Loop.Deliver(core, from, n.Self, message)
	case life.JobFrame:
		core, message, text, err := life.ReadJob(payload)
		if err != nil {
			n.unreadable(from, "message of a custodian", err)
			return
		}
		n.breaches.Heard(from, core.Kind, n.Clock())
		if n.Restored {
			n.deliverJob(from, core, message, text)
		}
	case life.CallFrame:
		n.Calls.Receive(from, payload)
	default:
		n.unreadable(from, "frame", fmt.Errorf("its kind is %d", kind))
	}
}

// Leave makes the node leave the grid, from any goroutine: it takes no new tasks, waits for its
// running task, and gives its zone away. Run returns then, at the latest after a time. It does not
// wait for jobs that were submitted here: their custodians go on with them.
func (n *Node) Leave(limit time.Duration) {
	n.Post(func() { n.drain.GoAway(limit) })
}

// begun starts the periodic work of the node. It enters the grid once it has a lease.
func (n *Node) begun() {
	n.Log.Info("daemon started", "node", n.Self.String(), "isolation", n.Host.Isolation())
	if n.Self.Incarnation >= api.OldLife {
		n.Log.Warn("this node has few incarnations left: join again, with an empty folder",
			"life", n.Self.Incarnation, "last", api.LastLife)
	}
	n.near.look()
	n.balancer.Look()
	n.auditor.look()
	n.repair.Mend()
}

// openHost ends the remains of earlier incarnations, and opens the host for the tasks of this one.
func (n *Node) openHost() error {
	o := n.Options
	m, err := host.Open(host.Config{
		Folder: o.Folder, Binary: o.Binary, Log: n.Log, Kept: n.Kept, Cache: n.Cache,
		Policy: host.Policy{
			AllowRoot: o.AllowRoot, AllowExposed: o.AllowExposed, RequireIsolation: o.RequireIsolation,
			Dev: n.Config.Dev, HasKey: n.admission.Authority != nil,
		},
		Between: life.Between, Oldest: n.Oldest, Self: func() protocol.NodeID { return n.Self },
		Running: n.attempts.OpenOutputs, Post: n.Post,
	})
	if errors.Is(err, runner.ErrCopied) {
		return fmt.Errorf("%w: %w; %s", life.ErrIdentity, err, justCopied)
	}
	if err != nil {
		return err
	}
	n.Host, n.exposed, n.isTask = guarded{m, n.watchdog}, m.Exposed(), m.IsTask
	return nil
}

// justCopied is the remedy for a copy of the folder of a daemon that runs.
const justCopied = "remove the copy, and join again for a second node, with canvass node join"

// realTime fills in clock, chance and ids of a real machine, and measures what happens on it.
func (n *Node) realTime() {
	n.Machine.Clock, n.Machine.Wall = shim.Boottime, time.Now
	n.Machine.After = func(d time.Duration, f func()) { time.AfterFunc(d, func() { n.Post(f) }) }
	n.Machine.Between = life.Between
	n.Machine.JobID = jobs.NewID
	n.Machine.Connect = n.dialLinks
	n.UseGoroutines()
	n.Meter = observe.New(n.scrape)
	n.Machine.Store = timedStore{n.Machine.Store, n.Meter}
}

// guarded is a host whose processes last as long as the incarnation, which a watchdog ends.
type guarded struct {
	host.Host
	watchdog *observe.Watchdog
}

// Extend lets the processes run until a time, and the incarnation.
func (g guarded) Extend(deadline time.Duration) {
	g.Host.Extend(deadline)
	g.watchdog.Extend(deadline)
}

// watch returns the watchdog of an incarnation. Two looks, and the end of the program, fit into the
// kill budget.
func watch(r *life.Runtime, s *config.Settings, f *life.Fences) *observe.Watchdog {
	var hangs func(why string)
	if s.Options.Hung != nil {
		hangs = func(why string) { hung(r.Fenced(life.FenceHung, why), s.Options, f) }
	}
	return observe.NewWatchdog(r.Clock, s.Config.KillBudget()/3, hangs)
}

// hung ends the process. Nothing that changes may be touched: it belongs to the goroutine that
// hangs. The disk may be what it waits for.
func hung(end error, o config.Options, f *life.Fences) {
	go func() {
		_ = os.Remove(config.Socket(o.Folder)) // no daemon answers there any more
		f.Note(end)
	}()
	o.Hung(end)
}

// coreKinds are the kinds of cores in the flight record.
func (n *Node) coreKinds() []flight.CoreKind {
	g := n.Config.Grid
	return []flight.CoreKind{
		flight.PeerKind(life.PeerCore, n.Cores), flight.MusterKind(life.MusterCore, g.Muster()),
		flight.LeaseKind(life.LeaseCore, g.Lease()), flight.CustodyKind(life.CustodyCore, g.Custody()),
		flight.PlacementKind(life.PlacementCore, placementConfig()),
	}
}
