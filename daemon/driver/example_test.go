package driver_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// A CAN node in a loop: its writes are committed before its events are passed on.
func Example() {
	s, err := space.New(0, 16)
	if err != nil {
		panic(err)
	}
	m := &machine{}
	loop := driver.New(m, nil)
	node := driver.Add(loop, id, &can.Core{Config: can.DefaultConfig(s)}, driver.Traits[can.State, can.Message]{
		Self: func(s can.State) protocol.NodeID { return s.Self.ID },
	}, can.New(1, space.Point{2}), nil)
	loop.Command(id, can.Command{Kind: can.CommandCreate})
	next, ok, err := loop.Turn(0)
	fmt.Println(node.Self(), next, ok, err)
	fmt.Println(len(m.log) > 0 && m.log[0][:6] == "commit")
	// Output:
	// B 1s true <nil>
	// true
}
