package sim_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// Two nodes of a CAN: B joins the network that A creates.
func ExampleSimulation() {
	s, err := space.New(0, 16)
	if err != nil {
		panic(err)
	}
	config := sim.Config[can.State, can.Message, can.Command]{
		Core: &can.Core{Config: can.DefaultConfig(s)}, Seed: 7, TickMicros: 10_000,
		Nodes:    []can.State{can.New(0, space.Point{2}), can.New(1, space.Point{10})},
		Identity: func(s *can.State) protocol.NodeID { return s.Self.ID },
		Network:  sim.Network{Latency: sim.Constant(50_000)},
	}
	var c *sim.Simulation[can.State, can.Message, can.Command]
	config.OnStep = func(node int, events []protocol.Event) {
		for _, e := range events {
			fmt.Printf("%.2f s: %s: %s %v\n", float64(c.Now())/1e6, sim.NodeName(node), e.Name, e.Peer)
		}
	}
	c = sim.New(config)
	c.Start(0)
	c.Command(0, can.Command{Kind: can.CommandCreate})
	c.Start(1)
	c.Command(1, can.Command{Kind: can.CommandJoin, Contact: protocol.NodeID{Address: 0, Incarnation: 1}})
	c.RunUntil(5_000_000, nil)
	fmt.Println(c.State(1).Self.Zone.Low[0], "to", c.State(1).Self.Zone.High[0])
	// Output:
	// 0.00 s: A: create A
	// 0.05 s: A: request B
	// 0.10 s: B: promise A
	// 0.15 s: A: decide B
	// 0.20 s: B: execute A
	// 0.20 s: B: joined A
	// 6 to 16
}
