package lease_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// Two nodes, driven by hand; A is the only witness. A founds the grid and B enters it. B crashes,
// and A asks for it: the death is certified once the grant has ended.
func Example() {
	cfg := lease.DefaultConfig(0)
	nodes := []lease.State{lease.New(0), lease.New(1)}
	var wire []lease.Envelope
	feed := func(i int, in lease.Input) {
		for asked := true; asked; in = (lease.Input{Kind: protocol.Chosen, Choice: uint32(i)}) {
			var out lease.Output
			nodes[i], out = lease.Step(&cfg, nodes[i], in)
			asked = out.Choose > 0
			wire = append(wire, out.Send...)
			for _, e := range out.Events {
				fmt.Printf("%v: %v\n", nodes[i].Self, e)
			}
		}
	}
	deliver := func() {
		for ; len(wire) > 0; wire = wire[1:] { // a node is known by its address: any incarnation may receive this
			e := wire[0]
			feed(int(e.To.Address), lease.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
	}
	b := protocol.NodeID{Address: 1, Incarnation: 1}
	feed(0, lease.Input{Kind: protocol.Start})
	feed(1, lease.Input{Kind: protocol.Start})
	deliver()
	feed(1, lease.Input{Kind: protocol.Command, Command: lease.Command{Kind: lease.CommandEntered}})
	ask := lease.Input{Kind: protocol.Command, Command: lease.Command{Kind: lease.CommandAsk, Node: b}}
	feed(0, ask)
	feed(0, lease.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: lease.GrantTimer, Peer: b}})
	feed(0, ask)
	fmt.Println(nodes[0].IsDead(b))

	// Output:
	// A: promise A 1
	// A: granted A 1
	// A: founded 1
	// A: granted B 1
	// B: leased A 1
	// A: alive B
	// A: condemn B
	// A: dead B
	// true
}
