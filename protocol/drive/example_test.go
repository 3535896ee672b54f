package drive_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive"
	"github.com/canvass-grid/canvass/protocol/space"
)

// host is the environment of one CAN node. A daemon has a disk, a network and a clock here.
type host struct {
	disk []byte
	wire *[]can.Envelope
}

func (h *host) Persist(b []byte)        { h.disk = b }
func (h *host) Send(e can.Envelope)     { *h.wire = append(*h.wire, e) }
func (h *host) Cancel(protocol.Timer)   {}
func (h *host) Set(protocol.SetTimer)   {}
func (h *host) Measure(protocol.NodeID) {}
func (h *host) Choose(uint32) uint32    { return 0 }
func (h *host) Event(e protocol.Event)  { fmt.Println("  event", e) }

// Two CAN nodes: A creates a network, B joins it. Then B crashes and begins its second incarnation.
func Example() {
	s, err := space.New(0, 16)
	if err != nil {
		panic(err)
	}
	core := &can.Core{Config: can.DefaultConfig(s)}
	self := func(s can.State) protocol.NodeID { return s.Self.ID }

	var wire []can.Envelope
	var hosts [2]*host
	var nodes [2]*drive.Node[can.State, can.Message, can.Command]
	made := [2]can.State{can.New(0, space.Point{2}), can.New(1, space.Point{10})}
	for i := range nodes {
		hosts[i] = &host{wire: &wire}
		nodes[i] = drive.New(core.Step, self, drive.Effects[can.Message](hosts[i]))
		nodes[i].Start(made[i], nil)
	}
	a, b := nodes[0], nodes[1]

	a.Command(can.Command{Kind: can.CommandCreate})
	b.Command(can.Command{Kind: can.CommandJoin, Contact: a.ID()})
	for len(wire) > 0 {
		e := wire[0]
		wire = wire[1:]
		fmt.Printf("%v -> %v: %s\n", e.From, e.To, core.MessageText(e.Message))
		nodes[e.To.Address].Deliver(e)
	}

	for _, t := range b.Pending() {
		fmt.Println("pending at B:", core.TimerText(t))
	}
	b.Stop()
	b.Start(made[1], hosts[1].disk)
	fmt.Println(core.StateText(b.State()))

	// Output:
	//   event create A
	// B -> A: Join B @(10) hops 0
	//   event request B 1 SPLIT
	// A -> B: Propose 1 SPLIT B to v0
	//   event promise A 1 SPLIT
	// B -> A: ProposeOK 1 YES
	//   event decide B 1 SPLIT
	// A -> B: Commit 1 SPLIT changed{A v2 [0,6) @(2) /0<6; B v1 e1 [6,16) @(10) /0>=6}
	//   event execute A 1 SPLIT
	//   event joined A
	// B -> A: CommitOK 1
	// pending at B: missed A
	// pending at B: update
	// outside B.2 v0 [] @(10) round 0 known{} dead{}
}
