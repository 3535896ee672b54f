package muster_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// Two hosts, driven by hand. The first also represents the attempt. Both processes run, the second
// exits with 3, and both hosts finish once the outcome is safe.
func Example() {
	cfg := muster.DefaultConfig()
	a, b := protocol.NodeID{Address: 0, Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 1}
	nodes := []muster.State{muster.New(a), muster.New(b)}
	var wire []muster.Envelope
	feed := func(i int, in muster.Input) {
		var out muster.Output
		nodes[i], out = muster.Step(&cfg, nodes[i], in)
		wire = append(wire, out.Send...)
		for _, e := range out.Events {
			fmt.Printf("%v: %v\n", nodes[i].Self, e)
		}
	}
	command := func(i int, c muster.Command) {
		feed(i, muster.Input{Kind: protocol.Command, Command: c})
		for len(wire) > 0 {
			e := wire[0]
			wire = wire[1:]
			feed(int(e.To.Address), muster.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
	}

	command(0, muster.Command{Kind: muster.CommandRepresent, Hosts: []protocol.NodeID{a, b}})
	command(0, muster.Command{Kind: muster.CommandHost, Rep: a, Ports: []uint16{7001}})
	command(1, muster.Command{Kind: muster.CommandHost, Rep: a, Ports: []uint16{7002}})
	command(0, muster.Command{Kind: muster.CommandPermit, Granted: true})
	fmt.Println(nodes[1].Host.Places)
	command(0, muster.Command{Kind: muster.CommandExited})
	command(1, muster.Command{Kind: muster.CommandExited, Code: 3})
	statuses, _, _ := nodes[0].Outcome()
	fmt.Println(statuses[0].Failed(), statuses[1].Failed(), statuses[1].Code)
	command(0, muster.Command{Kind: muster.CommandDeposited})

	// Output:
	// A: here A
	// B: here A
	// A: permit 2
	// A: granted
	// A: go A
	// B: go A 1
	// [{A [7001]} {B [7002]}]
	// A: status A exited
	// A: status B 1 exited
	// A: outcome 2
	// false true 3
	// A: finish A
	// B: finish A
	// A: closed
}
