package protocol_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// A toy core: a node that greets a peer until it is greeted back, but at most three times. It shows
// each effect that an Output can ask for.

type (
	greeting struct{ Back bool }
	greet    struct{ Peer protocol.NodeID }
	greeter  struct {
		Self, Peer protocol.NodeID
		Tries      uint32
		Done       bool
	}
	input  = protocol.Input[greeting, greet]
	output = protocol.Output[greeting]
)

const again protocol.TimerKind = 1

func step(s greeter, in input) (greeter, output) {
	var out output
	hello := func(to protocol.NodeID, back bool) {
		out.Send = append(out.Send, protocol.Envelope[greeting]{From: s.Self, To: to, Message: greeting{Back: back}})
	}
	timer := protocol.Timer{Kind: again, Peer: s.Peer}
	switch in.Kind {
	case protocol.Start:
		s.Self.Incarnation = 1
		out.Persist = protocol.AppendNodeID(nil, s.Self)
	case protocol.Command:
		s.Peer = in.Command.Peer
		out.Choose = 3 // how many tries at most: one more than the answer
	case protocol.Chosen:
		s.Tries = in.Choice + 1
		hello(s.Peer, false)
		out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: again, Peer: s.Peer}, MinTicks: 10, MaxTicks: 20}}
	case protocol.Timeout:
		if s.Tries--; s.Tries == 0 {
			out.Events = []protocol.Event{{Name: "gave up", Peer: s.Peer}}
			break
		}
		hello(s.Peer, false)
		out.Set = []protocol.SetTimer{{Timer: timer, MinTicks: 10, MaxTicks: 20}}
	case protocol.Deliver:
		if !in.Message.Back {
			hello(in.From, true)
			break
		}
		s.Done = true
		out.Cancel = []protocol.Timer{timer}
		out.Events = []protocol.Event{{Name: "greeted", Peer: in.From, Number: s.Tries}}
	}
	return s, out
}

// driver obeys the outputs of one node in the order of the contract. It prints instead of acting.
type driver struct {
	state   greeter
	pending map[protocol.Timer]bool
	wire    *[]protocol.Envelope[greeting]
}

func (d *driver) feed(in input) {
	if in.Kind == protocol.Timeout {
		delete(d.pending, in.Timer) // it fired: it is pending no more
	}
	state, out := step(d.state, in)
	d.state = state
	if out.Persist != nil {
		fmt.Printf("%v: on disk %v\n", state.Self, out.Persist) // 1. and only then
	}
	*d.wire = append(*d.wire, out.Send...) // 2.
	for _, t := range out.Cancel {         // 3. first these,
		delete(d.pending, t)
	}
	for _, set := range out.Set { // 3. then these
		d.pending[set.Timer] = true
	}
	if out.Choose > 0 { // 5., this core measures nothing before any other input
		d.feed(input{Kind: protocol.Chosen, Choice: out.Choose - 1})
	}
	for _, e := range out.Events { // 6.
		fmt.Printf("%v: %s %v, tries left: %d\n", state.Self, e.Name, e.Peer, e.Number)
	}
}

// The loop that every driver has, be it the checker, a simulator or a daemon: inputs go in one at a
// time, and each output is obeyed in the order of its fields before the next input.
func Example() {
	var wire []protocol.Envelope[greeting]
	nodes := map[protocol.Address]*driver{}
	for address := range protocol.Address(2) {
		d := &driver{pending: map[protocol.Timer]bool{}, wire: &wire}
		d.state.Self.Address = address
		nodes[address] = d
		d.feed(input{Kind: protocol.Start})
	}
	a, b := nodes[0], nodes[1]

	a.feed(input{Kind: protocol.Command, Command: greet{Peer: b.state.Self}})
	fmt.Println("lost:", wire[0].From, "->", wire[0].To)
	wire = nil // the network loses the first greeting

	for t := range a.pending {
		a.feed(input{Kind: protocol.Timeout, Timer: t})
	}
	for len(wire) > 0 {
		e := wire[0]
		wire = wire[1:]
		fmt.Println("delivered:", e.From, "->", e.To)
		nodes[e.To.Address].feed(input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
	}
	fmt.Println("pending:", len(a.pending), "done:", a.state.Done)

	// Output:
	// A: on disk [0 1]
	// B: on disk [1 1]
	// lost: A -> B
	// delivered: A -> B
	// delivered: B -> A
	// A: greeted B, tries left: 2
	// pending: 0 done: true
}
