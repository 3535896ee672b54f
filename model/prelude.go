package model

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
)

// preludeSteps bounds a prelude: one that does not come to rest is a mistake in the system.
const preludeSteps = 100_000

// prelude replaces the initial state by the one that the system's prelude leads to.
func (k *worker[S, M, C]) prelude() {
	monitor := k.initial[k.monitorAt()]
	for _, o := range k.Prelude {
		k.load(k.initial)
		next := make([]uint32, k.Width())
		copy(next, k.initial)
		slot := *k.slots.Value(k.initial[o.Node])
		state, out := k.Core.Step(slot.State, protocol.Input[M, C]{Kind: protocol.Command, Command: o.Order})
		slot.State = state
		obey(&slot, out)
		next[o.Node] = k.internSlot(slot)
		for _, p := range k.pack(out.Send) {
			next[k.inboxAt(p.to)] = p.inbox
		}
		k.initial = k.rest(next)
	}
	// What the prelude did is no part of the run that the monitor watches.
	k.initial[k.monitorAt()] = monitor
}

// rest follows the first free action from state to state until there is none.
func (k *worker[S, M, C]) rest(state []uint32) []uint32 {
	successors := checker.NewSuccessors(k.Width())
	for range preludeSteps {
		successors.Reset()
		k.Expand(state, successors)
		free := -1
		for i := range successors.Len() {
			if actionKind(successors.Class(i) / k.n).fair() {
				free = i
				break
			}
		}
		if free < 0 {
			return state
		}
		state = append([]uint32(nil), successors.At(free)...)
	}
	panic(fmt.Sprintf("model %s: the prelude does not come to rest", k.Info.Name))
}
