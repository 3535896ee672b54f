package peer_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// A grid of one node: a serial job that is submitted there is owned, represented and run there.
func Example() {
	s, err := space.New(0, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := peer.DefaultConfig(s, 4, 8, 100)
	state := peer.New(0, space.Point{6})
	feed := func(in peer.Input) {
		var out peer.Output
		state, out = peer.Step(&cfg, state, in)
		for _, e := range out.Events {
			fmt.Println(e.Name, e.Number)
		}
	}
	feed(peer.Input{Kind: protocol.Start})
	feed(peer.Input{Kind: protocol.Command, Command: peer.Command{Kind: peer.CommandCreate}})
	feed(peer.Input{Kind: protocol.Command, Command: peer.Command{
		Kind: peer.CommandSubmit, Ticket: 7, Submitted: 100, Spec: reptask.Spec{Size: 1, Requirement: space.Point{5}},
	}})
	feed(peer.Input{Kind: protocol.Timeout, Timer: peer.RunTimer()}) // the process has ended
	// Output:
	// can:create 0
	// tasks:submit 1
	// tasks:grant 1
	// tasks:represent 1
	// tasks:queue 1
	// tasks:ready 1
	// tasks:decide 1
	// tasks:start 1
	// tasks:finish 1
	// tasks:forget 1
	// tasks:accept 1
	// tasks:settled 1
}
