package refine_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// B's network duplicates A's solicitation. Algorithm 3 appends it twice to a list that holds one.
// So B rejects the very suitor that it accepts.
func Example() {
	cfg := published.DefaultConfig(1, 2, 10)
	b, _ := published.Step(&cfg, published.New(1), published.Input{Kind: protocol.Start})
	a := protocol.NodeID{Address: 0, Incarnation: 1}
	solicit := published.Input{Kind: protocol.Deliver, From: a, Message: published.Message{Kind: published.Solicit}}
	timeout := published.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: published.WaitTimer}}
	for _, in := range []published.Input{solicit, solicit, timeout} {
		var out published.Output
		b, out = published.Step(&cfg, b, in)
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
