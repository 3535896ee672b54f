package placement_test

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// Two jobs share one turn. No node can hold the first, so the second is submitted.
func ExampleStep() {
	cfg := placement.DefaultConfig()
	cfg.TurnsLeast = 1
	s := placement.New(protocol.NodeID{Incarnation: 1})
	give := func(c placement.Command) {
		var out placement.Output
		s, out = placement.Step(&cfg, s, placement.Input{Kind: protocol.Command, Command: c})
		for _, e := range out.Events {
			fmt.Println(strings.TrimSpace(fmt.Sprint(e.Name, " ", e.Number, " ", e.Detail)))
		}
	}
	give(placement.Command{Kind: placement.CommandWants, Job: 7, Try: 1, Stamp: 100})
	give(placement.Command{Kind: placement.CommandWants, Job: 8, Try: 1, Stamp: 101})
	give(placement.Command{Kind: placement.CommandLost, Ticket: 1})
	fmt.Println(placement.StateText(s))
	// Output:
	// wait 7
	// submit 1
	// wait 8
	// rest 7 no node can hold it
	// submit 2
	// A turns 1 ticket 2 round 0 {job 7 try 1 of 100 resting searches 1 rest 20} {job 8 try 1 of 101 placed ticket 2}
}
