package dtm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/latency"
	"github.com/canvass-grid/canvass/sim"
)

// between is the latencies of an input. Their unit does not matter: ticks are long.
type between struct{ *latency.Input }

func (b between) Micros(from, to protocol.Address, _ *sim.Chance) int64 {
	return max(1, b.Nanos(int(from), int(to)))
}

// grown is a tree that hosts have built by messages.
type grown struct {
	*sim.Simulation[dtm.State, dtm.Message, dtm.Command]
}

// grow lets hosts join by a walk, one after the other, through the members that the batch draws
// with the same seed.
func grow(t *testing.T, in *latency.Input, seed uint64) grown {
	cfg := dtm.DefaultConfig(0)
	cfg.Manner, cfg.KeepTicks, cfg.AggregateLimit = dtm.Walk, 1_000_000, 0
	cfg.RetryTicks = 1
	config := sim.Config[dtm.State, dtm.Message, dtm.Command]{
		Core: &dtm.Core{Config: cfg}, Seed: seed, TickMicros: 1_000_000_000, Network: sim.Network{Latency: between{in}},
		Identity: func(s *dtm.State) protocol.NodeID { return s.ID },
		Stopped:  func(s *dtm.State) bool { return s.Phase == dtm.Departed },
		Due:      func(_ int, timer protocol.Timer) bool { return timer.Kind != dtm.MissedTimer },
	}
	for i := range in.Hosts {
		config.Nodes = append(config.Nodes, dtm.New(protocol.Address(i)))
	}
	g := grown{sim.New(config)}
	chance := scheduler.Stream(seed, "joins of DTM")
	var members []protocol.NodeID
	for _, host := range chance.Perm(in.Hosts) {
		g.Start(host)
		var drawn []protocol.NodeID
		if len(members) > 0 {
			drawn = append(drawn, members[chance.IntN(len(members))]) // a walk begins at one member
		}
		g.Command(host, dtm.Command{Kind: dtm.CommandJoin, Nodes: drawn})
		g.until(t, func() bool { return g.State(host).Phase == dtm.Member && g.quiet() })
		members = append(members, g.State(host).ID)
	}
	return g
}

// until lets things happen until a condition holds.
func (g grown) until(t *testing.T, done func() bool) {
	for range 10_000 {
		if done() {
			return
		}
		g.RunUntil(g.Now()+100_000_000, nil)
	}
	require.Fail(t, "it does not end")
}

// quiet reports whether all members have their positions, and no member leaves.
func (g grown) quiet() bool {
	for i := range g.Len() {
		s := g.State(i)
		if !g.Live(i) || s.Phase == dtm.Outside {
			continue
		}
		behind := func(b dtm.Branch) bool { return b.Acked != s.Version }
		if s.Phase != dtm.Member || s.Departure.Stage != dtm.Staying || !s.Former.IsNobody() ||
			!s.Anchor.IsNobody() && s.Heard == 0 || slices.ContainsFunc(s.Branches, behind) {
			return false
		}
	}
	return true
}

// requireExact demands that all pairs of members are predicted as they would be measured.
func (g grown) requireExact(t *testing.T, in *latency.Input) {
	var hosts []int
	for i := range in.Hosts {
		if g.Live(i) {
			hosts = append(hosts, i)
		}
	}
	for _, a := range hosts {
		for _, b := range hosts {
			far, ok := dtm.Predict(g.State(a).Label(), g.State(b).Label())
			require.True(t, ok)
			require.Equal(t, 2*in.Nanos(a, b), far, "%d and %d", a, b)
		}
	}
}

// Hosts that join by messages build the tree that the batch of package embed builds with the same
// draws: every host has the same place. It predicts the latencies of a tree exactly, also after
// every second host has left, all of them at once.
func TestCoresAreAsTheBatch(t *testing.T) {
	in := latency.Tree(300, 1)
	batch := latency.DTM(in, dtm.Walk, 1)
	g := grow(t, in, 1)
	for host := range in.Hosts {
		require.Equal(t, batch.Label(host), g.State(host).Label(), "host %d", host)
	}
	g.requireExact(t, in)
	for host := range in.Hosts {
		if host%2 == 1 {
			g.Command(host, dtm.Command{Kind: dtm.CommandLeave})
		}
	}
	g.until(t, func() bool { return !g.Live(1) && g.quiet() })
	for host := range in.Hosts {
		require.Equal(t, host%2 == 0, g.Live(host))
	}
	g.requireExact(t, in)
}
