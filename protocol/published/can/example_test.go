package can_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// B wants to leave a network of two. A's answer comes after B's timeout: the round that B has
// cancelled is executed anyway.
func Example() {
	line, _ := space.New(0, 8)
	core := published.Core{Config: published.DefaultConfig(line)}
	nodes := published.Founders(&core.Config, []space.Point{{1}, {6}}, []protocol.Address{0, 1})
	a, b := nodes[0].ID(), nodes[1].ID()

	step := func(i int, in published.Input) published.Message {
		state, out := core.Step(nodes[i], in)
		nodes[i] = state
		for _, e := range out.Events {
			fmt.Println(state.ID(), e.Name, e.Detail, e.Number)
		}
		if len(out.Send) == 0 {
			return nil
		}
		return out.Send[0].Message
	}
	proposal := step(1, published.Input{Kind: protocol.Command, Command: published.Command{Kind: published.CommandLeave}})
	answer := step(0, published.Input{Kind: protocol.Deliver, From: b, Message: proposal})
	step(1, published.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: published.ProposeTimer, Peer: a}})
	step(1, published.Input{Kind: protocol.Deliver, From: a, Message: answer})
	// Output:
	// B request MERGE 2
	// A promise  2
	// B retry MERGE 0
	// B decide NO-OP 2
	// B decide MERGE 2
	// B left  2
}
