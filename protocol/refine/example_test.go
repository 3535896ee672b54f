package refine_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Two nodes, driven by hand: the prediction framework says that B is near A, and A makes a cluster
// of both. A driver obeys the outputs in full (package protocol shows how); here timers fire when
// nothing else happens, and every measurement gives ten microseconds.
func Example() {
	cfg := refine.DefaultConfig(2, 2, 100)
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	nodes := []refine.State{refine.New(0), refine.New(1)}
	var wire []refine.Envelope
	var feed func(i int, in refine.Input)
	feed = func(i int, in refine.Input) {
		var out refine.Output
		nodes[i], out = refine.Step(&cfg, nodes[i], in)
		wire = append(wire, out.Send...)
		for _, e := range out.Events {
			fmt.Printf("%v: %s\n", nodes[i].ID, e.Name)
		}
		for _, peer := range out.Measure {
			feed(i, refine.Input{Kind: protocol.Measured, From: peer, Measure: 10})
		}
	}
	pass := func() {
		for len(wire) > 0 {
			e := wire[0]
			wire = wire[1:]
			fmt.Printf("%v -> %v: %s\n", e.From, e.To, refine.MessageText(e.Message))
			feed(int(e.To.Address), refine.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
	}

	feed(0, refine.Input{Kind: protocol.Start})
	feed(1, refine.Input{Kind: protocol.Start})
	near := refine.Command{Kind: refine.CommandAdd, Nodes: []protocol.NodeID{nodes[1].ID}}
	feed(0, refine.Input{Kind: protocol.Command, Command: near})
	feed(0, refine.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: refine.CollectTimer}})
	pass()
	feed(1, refine.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: refine.WaitTimer}})
	pass()
	cluster, _ := nodes[1].Advertised()
	fmt.Println("B advertises the cluster of", cluster.Head, cluster.Members)

	// Output:
	// A: round
	// A -> B: Solicitation 1 ceiling 2 sure 1
	// B: accept
	// B -> A: Accept 1
	// A: measured
	// A -> B: List 1 {A B}
	// B: measured
	// B -> A: Report 1 {A 10}
	// A: steady
	// A -> B: Confirm 1 {A B}
	// B: committed
	// B advertises the cluster of A [A B]
}
