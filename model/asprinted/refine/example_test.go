package refine_test

import (
	"fmt"

	printed "github.com/canvass-grid/canvass/model/asprinted/refine"
	"github.com/canvass-grid/canvass/protocol"
)

// B's network repeats A's solicitation. Algorithm 3 appends it twice to a list that holds one, so B rejects the very
// suitor that it accepts.
func Example() {
	cfg := printed.DefaultConfig(1, 2, 10)
	b, _ := printed.Step(&cfg, printed.New(1), printed.Input{Kind: protocol.Start})
	a := protocol.NodeID{Address: 0, Incarnation: 1}
	solicit := printed.Input{Kind: protocol.Deliver, From: a, Message: printed.Message{Kind: printed.Solicit}}
	timeout := printed.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: printed.WaitTimer}}
	for _, in := range []printed.Input{solicit, solicit, timeout} {
		var out printed.Output
		b, out = printed.Step(&cfg, b, in)
		fmt.Println(in.Kind, b.Client.Phase, len(b.Client.Suitors))
		for _, e := range out.Send {
			fmt.Println(" ", e.To, e.Message)
		}
	}
	// Output:
	// deliver WAIT 1
	// deliver WAIT 1
	//   A Reject
	// timeout MEASURE 1
	//   A Accept
}
