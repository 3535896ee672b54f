package checker

import (
	"fmt"
	"slices"
)

// trail is a path in terms of the engine: indexes of states, and of actions where these matter.
type trail struct {
	hops    []hop
	loop    int
	trigger int
}

// hop is a step to a state. The action is its place in the Expand order of the state before; anyAction
// stands for the first one that leads there.
type hop struct {
	state  uint32
	action int
}

const anyAction = -1

// trailTo is the way to a state along the breadth-first tree: a shortest one.
func (e *engine) trailTo(state uint32) trail {
	var hops []hop
	reader := newCursor(&e.states)
	for ; state != noState; state = reader.parent(state) {
		hops = append(hops, hop{state, anyAction})
	}
	slices.Reverse(hops)
	return trail{hops: hops, loop: -1, trigger: -1}
}

// path turns a trail into a path by expanding its states once more.
func (e *engine) path(t trail) (*Path, error) {
	h, reader := e.crew.hands[0], newCursor(&e.states)
	p := &Path{Loop: t.loop, Trigger: t.trigger}
	for i, to := range t.hops {
		step := PathStep{State: slices.Clone(reader.vector(to.state)), Action: -1, Class: -1}
		if i > 0 {
			h.out.Reset()
			h.worker.Expand(p.Steps[i-1].State, &h.out)
			step.Action = locate(&h.out, step.State, to.action)
			if step.Action < 0 {
				problem := fmt.Sprintf("a state %d steps deep lost a successor when expanded again", i-1)
				return nil, &ContractError{problem}
			}
			step.Class = h.out.Class(step.Action)
		}
		p.Steps = append(p.Steps, step)
	}
	p.Initial = e.initialPlace(p.Steps[0].State)
	if p.Initial < 0 {
		return nil, &ContractError{"an initial state was not there when asked again"}
	}
	return p, nil
}

// locate finds the action that leads to a state, or -1.
func locate(out *Successors, state []uint32, action int) int {
	if action != anyAction {
		if action < out.Len() && slices.Equal(out.At(action), state) {
			return action
		}
		return -1
	}
	for i := range out.Len() {
		if slices.Equal(out.At(i), state) {
			return i
		}
	}
	return -1
}

// initialPlace is the place of a state among the initial ones, or -1.
func (e *engine) initialPlace(state []uint32) int {
	place, i := -1, 0
	e.model.Initial(func(s []uint32) {
		if place < 0 && slices.Equal(s, state) {
			place = i
		}
		i++
	})
	return place
}
