package custody_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// Three custodians, driven by hand. The first accepts a job, an attempt asks for the permit, and
// its outcome ends the job.
func Example() {
	cfg := custody.DefaultConfig()
	list := []protocol.Address{0, 1, 2}
	var nodes []custody.State
	for _, a := range list {
		nodes = append(nodes, custody.New(protocol.NodeID{Address: a, Incarnation: 1}, list))
	}
	var wire []custody.Envelope
	feed := func(i int, in custody.Input) {
		var out custody.Output
		nodes[i], out = custody.Step(&cfg, nodes[i], in) // a driver makes out.Persist durable here
		wire = append(wire, out.Send...)
		for _, e := range out.Events {
			fmt.Printf("%v: %v\n", nodes[i].Self, e)
		}
	}
	command := func(i int, c custody.Command) {
		feed(i, custody.Input{Kind: protocol.Command, Command: c})
		for len(wire) > 0 {
			e := wire[0]
			wire = wire[1:]
			feed(int(e.To.Address), custody.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
	}

	command(0, custody.Command{Kind: custody.CommandAccept, Limit: 2})
	host := protocol.NodeID{Address: 7, Incarnation: 1}
	attempt := custody.Attempt{By: protocol.NodeID{Address: 5, Incarnation: 1}, Epoch: 4}
	ask := custody.Command{Kind: custody.CommandPermit, Try: 1, Attempt: attempt, Hosts: []protocol.NodeID{host}}
	command(1, ask)
	command(0, ask)
	command(0, custody.Command{Kind: custody.CommandOutcome, Try: 1, Attempt: attempt, Outcome: "ok"})
	record, _ := nodes[2].Record()
	fmt.Println(record.End, record.Outcome, record.Settled)

	// Output:
	// A: leads 3
	// A: accepted
	// A: submit 1
	// B: elsewhere A 4
	// A: permitted F 4
	// A: closed H 1
	// A: ended outcome
	// outcome ok true
}
