package can_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Two nodes, driven by hand: the first creates a network, the second joins it and gets half of the
// space. A driver obeys the outputs in full (package protocol shows how); here only messages are
// passed on.
func Example() {
	s, err := space.New(0, 16)
	if err != nil {
		panic(err)
	}
	cfg := can.DefaultConfig(s)
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	nodes := []can.State{can.New(0, space.Point{2}), can.New(1, space.Point{10})}
	var wire []can.Envelope
	feed := func(i int, in can.Input) {
		var out can.Output
		nodes[i], out = can.Step(&cfg, nodes[i], in)
		wire = append(wire, out.Send...)
		for _, e := range out.Events {
			fmt.Printf("%v: %s\n", nodes[i].Self.ID, e.Name)
		}
	}

	feed(0, can.Input{Kind: protocol.Start})
	feed(1, can.Input{Kind: protocol.Start})
	feed(0, can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandCreate}})
	feed(1, can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandJoin, Contact: nodes[0].Self.ID}})
	for len(wire) > 0 {
		e := wire[0]
		wire = wire[1:]
		fmt.Printf("%v -> %v: %s\n", e.From, e.To, can.MessageText(&cfg, e.Message))
		feed(int(e.To.Address), can.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
	}
	fmt.Println(can.StateText(&cfg, nodes[0]))
	fmt.Println(can.StateText(&cfg, nodes[1]))

	// Output:
	// A: create
	// B -> A: Join B @(10) hops 0
	// A: request
	// A -> B: Propose 1 SPLIT B to v0
	// B: promise
	// B -> A: ProposeOK 1 YES
	// A: decide
	// A -> B: Commit 1 SPLIT changed{A v2 [0,6) @(2) /0<6; B v1 e1 [6,16) @(10) /0>=6}
	// B: execute
	// B: joined
	// B -> A: CommitOK 1
	// member A v2 [0,6) @(2) /0<6 round 1 known{B v1 e1 [6,16) @(10) /0>=6} dead{}
	// member B v1 e1 [6,16) @(10) /0>=6 contact A round 0 known{A v2 [0,6) @(2) /0<6} dead{}
}
