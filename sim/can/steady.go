package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/sim"
)

// Steady returns a quiescent network with the given number of members in two dimensions. Its only
// messages are the periodic updates to neighbours.
func Steady(nodes int, seed uint64, latency sim.Latency) *sim.Simulation[can.State, can.Message, can.Command] {
	return steady(nodes, seed, latency, true)
}

func steady(
	nodes int,
	seed uint64,
	latency sim.Latency,
	remember bool,
) *sim.Simulation[can.State, can.Message, can.Command] {
	plane, err := space.New(0, 1<<20, 1<<20)
	if err != nil {
		panic(err)
	}
	cfg := can.DefaultConfig(plane)
	draw := sim.NewChance(seed, 0)
	members := founders.New(&cfg, nodes, func(int) space.Point {
		return space.Point{int32(draw.Below(1 << 20)), int32(draw.Below(1 << 20))}
	})
	config := simulationConfig(&cfg, seed)
	config.Network.Latency = latency
	if !remember {
		config.Unchanged = nil
	}
	for i := range members {
		config.Nodes = append(config.Nodes, can.New(protocol.Address(i), members[i].State.Self.Coord))
	}
	c := sim.New(config)
	for i := range members {
		c.Place(i, members[i].State, members[i].Timers, members[i].Persisted)
	}
	return c
}

// simulationConfig is the part of the configuration that all simulations of this core share.
func simulationConfig(cfg *can.Config, seed uint64) sim.Config[can.State, can.Message, can.Command] {
	return sim.Config[can.State, can.Message, can.Command]{
		Core: &can.Core{Config: *cfg}, Seed: seed, TickMicros: tickMicros,
		Identity:  func(s *can.State) protocol.NodeID { return s.Self.ID },
		Stopped:   func(s *can.State) bool { return s.Phase == can.Departed },
		Unchanged: Unchanged,
	}
}

// tickMicros is the unit of can.DefaultConfig.
const tickMicros = 10_000
