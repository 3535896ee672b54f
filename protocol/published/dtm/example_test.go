package dtm_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	published "github.com/canvass-grid/canvass/protocol/published/dtm"
)

// B and C attach to A at the same point, one after the other. A takes both, although C has not
// measured B: if they share a part of the way, the tree predicts too much.
func Example() {
	a, _ := published.Step(dtm.New(0), dtm.Input{Kind: protocol.Start})
	a, _ = published.Step(a, dtm.Input{Kind: protocol.Command, Command: dtm.Command{Kind: dtm.CommandJoin}})
	for address := range protocol.Address(2) {
		from := protocol.NodeID{Address: address + 1, Incarnation: 1}
		a, _ = published.Step(a, dtm.Input{Kind: protocol.Deliver, From: from, Message: dtm.Attach{Length: 6}})
	}
	for _, c := range a.Children() {
		fmt.Println(c.Host, c.At, c.Length)
	}
	// Output:
	// B 0 6
	// C 0 6
}
