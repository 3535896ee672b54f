package can_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

type (
	core    = protocol.Core[published.State, published.Message, published.Command]
	process = drivetest.Process[published.State, published.Message, published.Command]
)

// network is a network whose messages are delivered one by one. Nodes are called A, B, C… in the
// order of their addresses. Each step is checked to be pure and to set the timers that the state
// wants.
type network struct {
	*testing.T
	*drivetest.Network[published.State, published.Message, published.Command]
	core   *published.Core
	events []protocol.Event // of the latest step
}

// line returns founders on the line from 0 to 15.
func line(t *testing.T, r published.Readings, coords ...int32) *network {
	sp, err := space.New(0, 16)
	if err != nil {
		t.Fatal(err)
	}
	points := make([]space.Point, len(coords))
	for i, c := range coords {
		points[i][0] = c
	}
	return found(t, sp, r, points...)
}

// row returns A, B, C and D in this order from left to right, four points each. A and B take over
// for each other, and so do C and D.
func row(t *testing.T, r published.Readings) *network {
	w := line(t, r)
	w.found([]space.Point{{1}, {14}, {10}, {6}}, []protocol.Address{0, 3, 2, 1})
	return w
}

func found(t *testing.T, sp space.Space, r published.Readings, points ...space.Point) *network {
	w := &network{T: t, core: &published.Core{Config: published.DefaultConfig(sp)}}
	w.core.Config.Readings = r
	if err := w.core.Config.Validate(); err != nil {
		t.Fatal(err)
	}
	w.Network = drivetest.New(w.checked(), func(s published.State) protocol.NodeID { return s.ID() })
	w.OnStep = func(p *process) { w.checkTimers(p) }
	addresses := make([]protocol.Address, len(points))
	for i := range addresses {
		addresses[i] = protocol.Address(i)
	}
	w.found(points, addresses)
	return w
}

// found adds members that have divided the space among themselves.
func (w *network) found(points []space.Point, addresses []protocol.Address) {
	states := published.Founders(&w.core.Config, points, addresses)
	slices.SortFunc(states, func(a, b published.State) int { return a.ID().Compare(b.ID()) })
	for _, s := range states {
		w.Add(s).Resume(s, s.Timers())
	}
}

// checked returns the core that checks that its steps are pure, and keeps the events of the latest
// one.
func (w *network) checked() core {
	pure := drivetest.NewPure(w.T, core(w.core), func(published.State) {})
	w.Cleanup(pure.RequireUnchanged)
	return drivetest.Observed[published.State, published.Message, published.Command]{
		Core: pure,
		OnStep: func(_ published.State, out published.Output) {
			for _, set := range out.Set {
				if set.MinTicks == 0 || set.MinTicks > set.MaxTicks {
					w.Fatalf("senseless duration of %v", set)
				}
			}
			w.events = out.Events
		},
	}
}

func named(name string) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name[0] - 'A'), Incarnation: 1}
}

// node returns a copy of the state of a node.
func (w *network) node(name string) *published.State {
	s := w.At(named(name)).State()
	return &s
}

// edit changes the state of a node behind its back.
func (w *network) edit(name string, change func(*published.State)) {
	s := w.node(name)
	s.Nodes = slices.Clone(s.Nodes)
	change(s)
	w.At(named(name)).Resume(*s, s.Timers())
}

// edit returns the preparation of a network that changes the state of a node.
func edit(name string, change func(*published.State)) func(*network) {
	return func(w *network) { w.edit(name, change) }
}

// entry returns what one node keeps about another.
func (w *network) entry(at, about string) published.Entry {
	w.Helper()
	for _, e := range w.node(at).Nodes {
		if e.ID == named(about) {
			return e
		}
	}
	w.Fatalf("%s knows nothing of %s", at, about)
	return published.Entry{}
}

func (w *network) knows(at, about string) bool {
	return slices.ContainsFunc(w.node(at).Known(), func(r published.Record) bool { return r.ID == named(about) })
}

// checkTimers demands that the timers are pending that the state wants.
func (w *network) checkTimers(p *process) {
	w.Helper()
	order := func(a, b protocol.Timer) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return a.Peer.Compare(b.Peer)
	}
	s := p.State()
	pending, wanted := p.Pending(), s.Timers()
	slices.SortFunc(pending, order)
	slices.SortFunc(wanted, order)
	if !slices.Equal(pending, wanted) {
		w.Fatalf("pending timers are %v, want %v", pending, wanted)
	}
}

func (w *network) leave(name string) {
	w.Helper()
	w.Command(w.At(named(name)), published.Command{Kind: published.CommandLeave})
}

// join makes a new node that joins by way of another.
func (w *network) join(coord int32, contact string) string {
	w.Helper()
	p := w.Add(published.New(protocol.Address(len(w.Nodes)), space.Point{coord}))
	w.Start(p)
	w.Command(p, published.Command{Kind: published.CommandJoin, Contact: named(contact)})
	return p.ID().String()
}

func (w *network) fire(name string, kind protocol.TimerKind, peer string) {
	w.Helper()
	timer := protocol.Timer{Kind: kind}
	if peer != "" {
		timer.Peer = named(peer)
	}
	p := w.At(named(name))
	if !slices.Contains(p.Pending(), timer) {
		w.Fatalf("%s: the timer %s is not pending", name, w.core.TimerText(timer))
	}
	w.Fire(p, timer)
}

// find returns the oldest message of the type of sample from one node to another.
func (w *network) find(from, to string, sample published.Message) int {
	w.Helper()
	i := slices.IndexFunc(w.InFlight, func(e published.Envelope) bool {
		return e.From == named(from) && e.To == named(to) && reflect.TypeOf(e.Message) == reflect.TypeOf(sample)
	})
	if i < 0 {
		w.Fatalf("no %T from %s to %s is in flight", sample, from, to)
	}
	return i
}

// take removes a message from the network and returns it.
func (w *network) take(from, to string, sample published.Message) published.Message {
	w.Helper()
	i := w.find(from, to, sample)
	m := w.InFlight[i].Message
	w.Lose(i)
	return m
}

// give delivers a message that need not have been sent.
func (w *network) give(from, to string, m published.Message) {
	w.Helper()
	w.Hand(published.Envelope{From: named(from), To: named(to), Message: m})
}

func (w *network) deliver(from, to string, sample published.Message) {
	w.Helper()
	w.Deliver(w.find(from, to, sample))
}

// drain delivers everything, the oldest first, until nothing is in flight.
func (w *network) drain() {
	w.Helper()
	if w.Drain(); w.Broken != nil {
		w.Fatal(w.Broken)
	}
}

// want demands an event of the latest step.
func (w *network) want(name string, detail string) {
	w.Helper()
	if !slices.ContainsFunc(w.events, func(e protocol.Event) bool { return e.Name == name && e.Detail == detail }) {
		w.Fatalf("no event %q with %q among %v", name, detail, w.events)
	}
}

func (w *network) wantZone(name string, low, high int32) {
	w.Helper()
	if z := w.node(name).Zone(); z.Low[0] != low || z.High[0] != high {
		w.Fatalf("%s owns %d to %d, want %d to %d", name, z.Low[0], z.High[0], low, high)
	}
}

// overlap reports whether two members own the same point.
func (w *network) overlap() bool {
	var zones []space.Zone
	for _, p := range w.Nodes {
		s := p.State()
		if slices.ContainsFunc(zones, s.Zone().Overlaps) {
			return true
		}
		zones = append(zones, s.Zone())
	}
	return false
}
