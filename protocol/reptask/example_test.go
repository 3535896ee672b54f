package reptask_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// A job of two nodes, driven by hand: A owns and represents it, A and B run it. A driver obeys the
// outputs in full (package protocol shows how); here messages are passed on, and processes end as
// soon as they have been started.
func Example() {
	cfg := reptask.DefaultConfig()
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	nodes := []reptask.State{reptask.New(0), reptask.New(1)}
	var wire []reptask.Envelope
	var running []int
	feed := func(i int, in reptask.Input) {
		var out reptask.Output
		nodes[i], out = reptask.Step(&cfg, nodes[i], in)
		wire = append(wire, out.Send...)
		for _, set := range out.Set {
			if set.Timer.Kind == reptask.RunTimer {
				running = append(running, i) // start the process of the task that nodes[i].Runs() names
			}
		}
		for _, e := range out.Events {
			fmt.Printf("%v: %s %v %d\n", nodes[i].Self, e.Name, e.Peer, e.Number)
		}
	}

	for i := range nodes {
		feed(i, reptask.Input{Kind: protocol.Start})
	}
	cluster := []reptask.Neighbour{{ID: nodes[0].Self}, {ID: nodes[1].Self}}
	command := reptask.Command{Kind: reptask.CommandCluster, Cluster: cluster}
	feed(0, reptask.Input{Kind: protocol.Command, Command: command})
	feed(0, reptask.Input{Kind: protocol.Command, Command: reptask.Command{
		Kind: reptask.CommandSubmit, Submitted: 10, Spec: reptask.Spec{Size: 2, Over: reptask.OverNone},
		Candidates: []protocol.NodeID{nodes[0].Self},
	}})
	for len(wire)+len(running) > 0 {
		if len(wire) == 0 {
			i := running[0]
			running = running[1:]
			feed(i, reptask.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: reptask.RunTimer}})
			continue
		}
		e := wire[0]
		wire = wire[1:]
		fmt.Printf("%v -> %v: %s\n", e.From, e.To, reptask.MessageText(&cfg, e.Message))
		feed(int(e.To.Address), reptask.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
	}

	// Output:
	// A: submit A 1
	// A: grant A 1
	// A: represent A 1
	// A: queue A 1
	// A: ready A 1
	// A -> B: Dispatch A#1@10/1
	// B: queue A 1
	// B: ready A 1
	// B -> A: Ready A#1@10/1 vote 1
	// A: decide A 1
	// A: start A 1
	// A -> B: Start A#1@10/1 vote 1
	// B: start A 1
	// A: finish A 1
	// A: forget A 1
	// B: finish A 1
	// B -> A: Finish A#1@10/1
	// A: accept A 1
	// A: settled A 1
	// A -> B: Cancel A#1@10/1
	// B: forget A 1
}
