package sim

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Cut lets the network fall apart: the bits of the operation's Arg say where nodes are, by address
// modulo 63; if bit 63 is set, messages pass from the side of zeros to that of ones.
func (r *Run[S, M, C]) PartitionOp(op Op) {
	groups := make([]uint8, r.Len())
	for i := range groups {
		groups[i] = uint8(op.Arg >> (i % 63) & 1)
	}
	r.Partition(groups, op.Arg>>63 == 1)
	r.Note("partition", fmt.Sprint(groups))
}

// Mend makes the network whole again.
func (r *Run[S, M, C]) HealOp(Op) {
	r.Partition(nil, false)
	r.Note("heal", "the network is whole again")
}

// Strikes are failures that wait for what they are to follow on: others depend on what the node has
// still to tell them.
type TargetedFaults struct{ pending []Op }

// Wait adds one. It waits for those before it.
func (s *TargetedFaults) Add(op Op) { s.pending = append(s.pending, op) }

// Fall returns the strike that a node's events call down, if one waits for them: it waits for the
// kind of event that the last eight bits of its Arg say, modulo their number.
func (s *TargetedFaults) Take(events []protocol.Event, kinds []string) (op Op, falls bool) {
	if len(s.pending) == 0 {
		return op, false
	}
	op = s.pending[0]
	kind := kinds[op.Arg&0xff%uint64(len(kinds))]
	if !slices.ContainsFunc(events, func(e protocol.Event) bool { return e.Name == kind }) {
		return op, false
	}
	s.pending = s.pending[1:]
	return op, true
}

// Struck lets a node fail soon, by that function, that has done what a strike waits for: as many
// microseconds later as the Arg, shifted by 8, modulo a second says, if faults have not stopped by
// then.
func (r *Run[S, M, C]) FailOn(s *TargetedFaults, node int, events []protocol.Event, kinds []string, fail func(node int)) {
	if !r.Live(node) {
		return
	}
	op, falls := s.Take(events, kinds)
	if !falls {
		return
	}
	r.FailSoon(r.nodes[node].id, op, fail)
}

// Doom lets a node fail, by that function, as many microseconds later as the Arg of a strike says,
// if it still runs then and faults have not stopped.
func (r *Run[S, M, C]) FailSoon(id protocol.NodeID, strike Op, fail func(node int)) {
	r.At(r.Now()+int64(strike.Arg>>8%million), func() {
		if r.Running(id) && r.Now() < r.Plan.UntilMicros {
			fail(int(id.Address))
		}
	})
}
