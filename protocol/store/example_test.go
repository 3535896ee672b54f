package store_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// Two nodes, driven by hand: a client of the first puts a value at a key in its zone, the second
// joins and gets the half in which the key lies, and a client of the first reads the value there.
func Example() {
	s, err := space.New(0, 16)
	if err != nil {
		panic(err)
	}
	cfg := store.DefaultConfig(can.DefaultConfig(s))
	nodes := []store.State{store.New(0, space.Point{2}), store.New(1, space.Point{10})}
	var wire []store.Envelope
	feed := func(i int, in store.Input) {
		var out store.Output
		nodes[i], out = store.Step(&cfg, nodes[i], in)
		wire = append(wire, out.Send...)
		for _, e := range out.Events {
			fmt.Printf("%v: %s %d\n", nodes[i].ID(), e.Name, e.Number)
		}
	}
	command := func(i int, o store.Command) {
		feed(i, store.Input{Kind: protocol.Command, Command: o})
		for len(wire) > 0 {
			e := wire[0]
			wire = wire[1:]
			feed(int(e.To.Address), store.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
	}

	feed(0, store.Input{Kind: protocol.Start})
	feed(1, store.Input{Kind: protocol.Start})
	key := space.Point{12}
	command(0, store.CommandMap(can.Command{Kind: can.CommandCreate}))
	command(0, store.CommandOperation(store.Operation{ID: 1, Kind: store.Put, Key: key, Value: 7}))
	command(1, store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: nodes[0].ID()}))
	command(0, store.CommandOperation(store.Operation{ID: 2, Kind: store.Get, Key: key}))

	// Output:
	// A: create 0
	// A: zone 1
	// A: called 1
	// A: served 1
	// A: answered 1
	// A: request 1
	// B: promise 1
	// A: decide 1
	// A: zone 2
	// A: given 1
	// B: execute 1
	// B: joined 0
	// B: zone 1
	// B: received 1
	// A: delivered 1
	// A: called 2
	// B: served 2
	// A: answered 2
	// A: value 7
}
