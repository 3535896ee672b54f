package drivetest_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
)

// newNetwork returns a network of CAN nodes that have started, at these points of a line.
func newNetwork(points ...int32) *drivetest.Network[can.State, can.Message, can.Command] {
	s, err := space.New(0, 16)
	if err != nil {
		panic(err)
	}
	core := protocol.Core[can.State, can.Message, can.Command](&can.Core{Config: can.DefaultConfig(s)})
	net := drivetest.New(core, func(s can.State) protocol.NodeID { return s.Self.ID })
	for i, x := range points {
		net.Start(net.Add(can.New(protocol.Address(i), space.Point{x})))
	}
	return net
}

// Two CAN nodes: A creates a network. B joins it, although its first request is lost.
func Example() {
	net := newNetwork(2, 10)
	a, b := net.Nodes[0], net.Nodes[1]
	net.Log = func(e drivetest.Entry) {
		if e.Verb != "state" {
			fmt.Println(e)
		}
	}
	net.Command(a, can.Command{Kind: can.CommandCreate})
	net.Command(b, can.Command{Kind: can.CommandJoin, Contact: a.ID()})
	net.Lose(0)
	net.Fire(b, protocol.Timer{Kind: can.RetryTimer})
	net.Drain()

	// Output:
	// A: create
	//     event create A
	// B: join via A
	//     send B->A Join B @(10) hops 0
	// lose A<-B Join B @(10) hops 0
	// timeout B retry
	//     send B->A Join B @(10) hops 0
	// deliver A<-B Join B @(10) hops 0
	//     send A->B Propose 1 SPLIT B to v0
	//     event request B 1 SPLIT
	// deliver B<-A Propose 1 SPLIT B to v0
	//     send B->A ProposeOK 1 YES
	//     event promise A 1 SPLIT
	// deliver A<-B ProposeOK 1 YES
	//     send A->B Commit 1 SPLIT changed{A v2 [0,6) @(2) /0<6; B v1 e1 [6,16) @(10) /0>=6}
	//     event decide B 1 SPLIT
	// deliver B<-A Commit 1 SPLIT changed{A v2 [0,6) @(2) /0<6; B v1 e1 [6,16) @(10) /0>=6}
	//     send B->A CommitOK 1
	//     event execute A 1 SPLIT
	//     event joined A
	// deliver A<-B CommitOK 1
}
