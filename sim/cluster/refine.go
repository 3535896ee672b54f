package cluster

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim"
)

// Result is the clusters that nodes have in the end.
type Result struct {
	Own          [][]int // of each head: its cluster, ascending
	Advertised   []int   // of each node: the head whose cluster it advertises
	SteadyMicros int64   // when the last thing happened, in virtual time
	Messages     uint64
	Steps        uint64
}

const (
	second     = 1_000_000
	tickMicros = 10_000 // the unit of refine.DefaultConfig
	keepTicks  = 60_000
	mostMicros = 4 * 3600 * second
)

// Refine lets all nodes solicit their candidates, which are ascending and may contain the head. The
// latency of a message is that of its pair, in microseconds. It ends with the error of the context
// if that is done, and with an error if nodes are not steady after four hours of virtual time.
func Refine(
	ctx context.Context, cfg refine.Config, candidates [][]int, micros func(a, b int) int64, seed uint64,
) (*Result, error) {
	cfg.KeepTicks = keepTicks
	r, err := settled(ctx, cfg, candidates, micros, seed)
	if err != nil {
		return nil, err
	}
	return r.result(), nil
}

// settled runs a refinement until it is steady.
func settled(
	ctx context.Context, cfg refine.Config, candidates [][]int, micros func(a, b int) int64, seed uint64,
) (*run, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r := &run{micros: micros, candidates: candidates}
	config := sim.Config[refine.State, refine.Message, refine.Command]{
		Core: &refine.Core{Config: cfg}, Seed: seed, TickMicros: tickMicros, Network: sim.Network{Latency: r},
		Identity: func(s *refine.State) protocol.NodeID { return s.ID },
		Due:      func(_ int, t protocol.Timer) bool { return t.Kind != refine.MissedTimer || !r.Running(t.Peer) },
		OnStep:   r.onStep,
	}
	for i := range candidates {
		config.Nodes = append(config.Nodes, refine.New(protocol.Address(i)))
	}
	r.Simulation = sim.New(config)
	draw := r.chance(seed, 1)
	for i, clients := range candidates {
		r.Start(i)
		var ids []protocol.NodeID
		for _, c := range clients {
			if c != i {
				ids = append(ids, protocol.NodeID{Address: protocol.Address(c), Incarnation: 1})
			}
		}
		r.At(1+draw.Between(0, second), func() {
			r.Command(i, refine.Command{Kind: refine.CommandAdd, Nodes: ids})
		})
	}
	quiet := int64(cfg.CollectTicks+cfg.RetryTicks+cfg.WaitTicks) * tickMicros
	for r.Now() < r.last+quiet || !r.isSteady() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.Now() > mostMicros {
			return nil, fmt.Errorf("refine clusters on %d cores: not steady after %d s", r.Len(), r.Now()/second)
		}
		r.RunUntil(r.Now()+second, nil)
	}
	return r, nil
}

// chance is a source of random numbers beside those of the nodes.
func (r *run) chance(seed, stream uint64) *sim.Chance {
	return sim.NewChance(seed, uint64(r.Len())+stream)
}

// run is a run in progress.
type run struct {
	*sim.Simulation[refine.State, refine.Message, refine.Command]
	micros     func(a, b int) int64
	candidates [][]int
	last       int64 // when something happened
}

// Micros implements [sim.Latency].
func (r *run) Micros(from, to protocol.Address, _ *sim.Chance) int64 {
	return max(1, r.micros(int(from), int(to)))
}

func (r *run) onStep(_ int, events []protocol.Event) {
	for _, e := range events {
		if e.Name != refine.EventIgnore {
			r.last = r.Now()
		}
	}
}

// isSteady reports whether no head is in a round and no client waits.
func (r *run) isSteady() bool {
	for i := range r.Len() {
		s := r.State(i)
		alone := s.Head == refine.Collect || s.Head == refine.HeadIdle
		if s.Head != refine.HeadSteady && !(alone && len(s.Candidates) == 0) || s.Client() == refine.Measure {
			return false
		}
	}
	return true
}

func (r *run) result() *Result {
	stats := r.Stats()
	all := &Result{SteadyMicros: r.last, Messages: stats.Sent, Steps: stats.Steps}
	for i := range r.Len() {
		own, head := []int{i}, i
		if c, ok := r.State(i).Own(); ok {
			own = own[:0]
			for _, id := range c.Members {
				own = append(own, int(id.Address))
			}
		}
		if c, ok := r.State(i).Advertised(); ok {
			head = int(c.Head.Address)
		}
		all.Own, all.Advertised = append(all.Own, own), append(all.Advertised, head)
	}
	return all
}
