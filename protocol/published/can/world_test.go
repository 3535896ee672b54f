package can_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// world is a network whose messages are delivered by hand. Nodes are called A, B, C… in the order
// in which they are made.
type globalState struct {
	*testing.T
	core   published.Core
	nodes  []published.State
	net    []published.Envelope
	events []protocol.Event // of the latest step
}

// line returns founders on the line from 0 to 15.
func line(t *testing.T, r published.Readings, coords ...int32) *globalState {
	sp, err := space.New(false, 16)
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
func row(t *testing.T, r published.Readings) *globalState {
	w := line(t, r, 1)
	w.nodes = published.Founders(&w.core.Config, []space.Point{{1}, {14}, {10}, {6}}, []protocol.Address{0, 3, 2, 1})
	slices.SortFunc(w.nodes, func(a, b published.State) int { return a.ID().Compare(b.ID()) })
	return w
}

func found(t *testing.T, sp space.Space, r published.Readings, points ...space.Point) *globalState {
	w := &globalState{T: t, core: published.Core{Config: published.DefaultConfig(sp)}}
	w.core.Config.Readings = r
	if err := w.core.Config.Validate(); err != nil {
		t.Fatal(err)
	}
	addresses := make([]protocol.Address, len(points))
	for i := range addresses {
		addresses[i] = protocol.Address(i)
	}
	w.nodes = published.Founders(&w.core.Config, points, addresses)
	return w
}

func named(name string) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name[0] - 'A'), Incarnation: 1}
}

func (w *globalState) node(name string) *published.State { return &w.nodes[named(name).Address] }

// entry returns what one node keeps about another.
func (w *globalState) entry(at, about string) published.Entry {
	w.Helper()
	for _, e := range w.node(at).Nodes {
		if e.ID == named(about) {
			return e
		}
	}
	w.Fatalf("%s knows nothing of %s", at, about)
	return published.Entry{}
}

func (w *globalState) knows(at, about string) bool {
	return slices.ContainsFunc(w.node(at).Known(), func(r published.Record) bool { return r.ID == named(about) })
}

// step does what a driver does, and checks on the way that the core is pure and its encodings
// canonical.
func (w *globalState) step(name string, in published.Input) {
	w.Helper()
	s := *w.node(name)
	before := w.core.AppendState(nil, s)
	after, out := w.core.Step(s, in)
	again, outAgain := w.core.Step(s, in)
	if !bytes.Equal(before, w.core.AppendState(nil, s)) {
		w.Fatalf("%s: the step changed the state it was given", name)
	}
	encoded := w.core.AppendState(nil, after)
	if !bytes.Equal(encoded, w.core.AppendState(nil, again)) || !reflect.DeepEqual(out, outAgain) {
		w.Fatalf("%s: two equal steps differ", name)
	}
	decoded, err := w.core.DecodeState(encoded)
	if err != nil || !bytes.Equal(encoded, w.core.AppendState(nil, decoded)) {
		w.Fatalf("%s: the state does not survive its encoding: %v", name, err)
	}
	for _, e := range out.Send {
		m, err := w.core.DecodeMessage(w.core.AppendMessage(nil, e.Message))
		if err != nil || w.core.MessageText(m) != w.core.MessageText(e.Message) {
			w.Fatalf("%s: a message does not survive its encoding: %v", name, err)
		}
	}
	w.checkTimers(s, after, out, in)
	*w.node(name) = after
	w.net = append(w.net, out.Send...)
	w.events = out.Events
}

// checkTimers demands that a driver which obeys Cancel and Set holds the timers that the state
// says.
func (w *globalState) checkTimers(before, after published.State, out published.Output, in published.Input) {
	w.Helper()
	pending := before.Timers()
	if in.Kind == protocol.Timeout {
		pending = slices.DeleteFunc(pending, func(t protocol.Timer) bool { return t == in.Timer })
	}
	for _, c := range out.Cancel {
		pending = slices.DeleteFunc(pending, func(t protocol.Timer) bool { return t == c })
	}
	for _, set := range out.Set {
		if set.MinTicks == 0 || set.MinTicks > set.MaxTicks {
			w.Fatalf("senseless duration of %v", set)
		}
		if !slices.Contains(pending, set.Timer) {
			pending = append(pending, set.Timer)
		}
	}
	order := func(a, b protocol.Timer) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return a.Peer.Compare(b.Peer)
	}
	wanted := after.Timers()
	slices.SortFunc(pending, order)
	slices.SortFunc(wanted, order)
	if !slices.Equal(pending, wanted) {
		w.Fatalf("pending timers are %v, want %v", pending, wanted)
	}
}

func (w *globalState) leave(name string) {
	w.Helper()
	w.step(name, published.Input{Kind: protocol.Command, Command: published.Command{Kind: published.CommandLeave}})
}

// join makes a new node that joins by way of another.
func (w *globalState) join(coord int32, contact string) string {
	w.Helper()
	s := published.New(protocol.Address(len(w.nodes)), space.Point{coord})
	w.nodes = append(w.nodes, s)
	name := string(rune('A' + len(w.nodes) - 1))
	w.step(name, published.Input{Kind: protocol.Start})
	command := published.Command{Kind: published.CommandJoin, Contact: named(contact)}
	w.step(name, published.Input{Kind: protocol.Command, Command: command})
	return name
}

func (w *globalState) fire(name string, kind protocol.TimerKind, peer string) {
	w.Helper()
	timer := protocol.Timer{Kind: kind}
	if peer != "" {
		timer.Peer = named(peer)
	}
	if !slices.Contains(w.node(name).Timers(), timer) {
		w.Fatalf("%s: the timer %s is not pending", name, w.core.TimerText(timer))
	}
	w.step(name, published.Input{Kind: protocol.Timeout, Timer: timer})
}

// take removes from the network the oldest message of the type of sample from one node to another.
func (w *globalState) take(from, to string, sample published.Message) published.Message {
	w.Helper()
	i := slices.IndexFunc(w.net, func(e published.Envelope) bool {
		return e.From == named(from) && e.To == named(to) && reflect.TypeOf(e.Message) == reflect.TypeOf(sample)
	})
	if i < 0 {
		w.Fatalf("no %T from %s to %s is on its way", sample, from, to)
	}
	m := w.net[i].Message
	w.net = slices.Delete(w.net, i, i+1)
	return m
}

func (w *globalState) give(from, to string, m published.Message) {
	w.Helper()
	w.step(to, published.Input{Kind: protocol.Deliver, From: named(from), Message: m})
}

func (w *globalState) deliver(from, to string, sample published.Message) {
	w.Helper()
	w.give(from, to, w.take(from, to, sample))
}

// drain delivers everything, the oldest first, until nothing is on its way.
func (w *globalState) drain() {
	w.Helper()
	for range 1000 {
		if len(w.net) == 0 {
			return
		}
		e := w.net[0]
		w.net = w.net[1:]
		w.step(e.To.String(), published.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
	}
	w.Fatal("the network does not come to rest")
}

// want demands an event of the latest step.
func (w *globalState) want(name string, detail string) {
	w.Helper()
	if !slices.ContainsFunc(w.events, func(e protocol.Event) bool { return e.Name == name && e.Detail == detail }) {
		w.Fatalf("no event %q with %q among %v", name, detail, w.events)
	}
}

func (w *globalState) wantZone(name string, low, high int32) {
	w.Helper()
	if z := w.node(name).Zone(); z.Low[0] != low || z.High[0] != high {
		w.Fatalf("%s owns %d to %d, want %d to %d", name, z.Low[0], z.High[0], low, high)
	}
}

// overlap reports whether two members own the same point.
func (w *globalState) overlap() bool {
	for i, a := range w.nodes {
		for _, b := range w.nodes[i+1:] {
			if a.Zone().Overlaps(b.Zone()) {
				return true
			}
		}
	}
	return false
}
