package sim

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// PartitionOp partitions the network by an operation. The bits of its Arg are the sides of the
// nodes, by address modulo 63. If bit 63 is set, messages still pass from side 0 to side 1.
func (r *Run[S, M, C]) PartitionOp(op Op) {
	groups := make([]uint8, r.Len())
	for i := range groups {
		groups[i] = uint8(op.Arg >> (i % 63) & 1)
	}
	r.Partition(groups, op.Arg>>63 == 1)
	r.Note("partition", fmt.Sprint(groups))
}

// HealOp ends a partition.
func (r *Run[S, M, C]) HealOp(Op) {
	r.Partition(nil, false)
	r.Note("heal", "the network is whole again")
}

// TargetedFaults are failures that wait for a certain event at any node, and then hit that node. At
// that moment other nodes depend on messages that the node has not sent yet.
type TargetedFaults struct{ pending []Op }

// Add appends a fault. It waits until those before it have happened.
func (s *TargetedFaults) Add(op Op) { s.pending = append(s.pending, op) }

// Take returns the first fault if a node's events trigger it. The low eight bits of its Arg, modulo
// the number of kinds, say which kind of event does.
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

// FailOn lets a node fail, by the function given, if its events trigger a targeted fault.
// [Run.FailSoon] says when.
func (r *Run[S, M, C]) FailOn(
	s *TargetedFaults,
	node int,
	events []protocol.Event,
	kinds []string,
	fail func(node int),
) {
	if !r.Live(node) {
		return
	}
	op, falls := s.Take(events, kinds)
	if !falls {
		return
	}
	r.FailSoon(r.nodes[node].id, op, fail)
}

// FailSoon lets a node fail, by the function given, after a delay of the operation's Arg, shifted
// by 8, modulo a second in microseconds. The node does not fail if it has ended or if faults have
// stopped by then.
func (r *Run[S, M, C]) FailSoon(id protocol.NodeID, strike Op, fail func(node int)) {
	r.At(r.Now()+int64(strike.Arg>>8%million), func() {
		if r.Running(id) && r.Now() < r.Plan.UntilMicros {
			fail(int(id.Address))
		}
	})
}
