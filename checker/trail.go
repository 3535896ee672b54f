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

// path turns a trail into a path by expanding its states once more. The trail is one of the reduced system; the
// path is one of the model, each of whose states lies in the orbit of that of the trail.
func (e *engine) path(t trail) (*Path, error) {
	p := &Path{Loop: t.loop, Trigger: t.trigger}
	return p, e.onceMore(p, func() error { return e.walkAlong(t, p) })
}

// onceMore makes a path again. A model that panics meanwhile, as it did not before, is told with the path so far.
func (e *engine) onceMore(p *Path, walk func() error) (err error) {
	alone := crew{hands: e.crew.hands[:1]}
	alone.one(alone.hands[0], 0, func(*hand, int) { err = walk() })
	if alone.crash != nil {
		return alone.crash.asError(p)
	}
	return err
}

func (e *engine) walkAlong(t trail, p *Path) error {
	h, reader := e.crew.hands[0], newCursor(&e.states)
	for i, to := range t.hops {
		target := slices.Clone(reader.vector(to.state))
		if i == 0 {
			first := e.initial(target)
			if first.Action < 0 {
				return &ContractError{"an initial state was not there when asked again"}
			}
			p.Initial, first.Action = first.Action, -1
			p.Steps = append(p.Steps, first)
			continue
		}
		class := anyAction
		if to.action != anyAction {
			class = h.classOf(reader.vector(t.hops[i-1].state), to.action)
		}
		step, ok := h.stepTo(p.Steps[i-1].State, target, class)
		if !ok {
			problem := fmt.Sprintf("a state %d steps deep lost a successor when expanded again", i-1)
			if h.symmetric != nil {
				problem += "; or Canonical does not give all states of an orbit the same one, and that one itself (of a model.System: its Symmetry is not so)"
			}
			return &ContractError{problem}
		}
		p.Steps = append(p.Steps, step)
	}
	return nil
}

// classOf returns the class of an explored action of a state; anyAction if it is not there any more.
func (h *hand) classOf(state []uint32, action int) int {
	h.out.Reset()
	h.expand(state, &h.out)
	if action >= h.out.Len() {
		return anyAction
	}
	return h.out.Class(action)
}

// stepTo finds the first action of a state, of the given class if it is not anyAction, that leads into the
// orbit of the target.
func (h *hand) stepTo(from, target []uint32, class int) (PathStep, bool) {
	h.out.Reset()
	h.worker.Expand(from, &h.out)
	for i := range h.out.Len() {
		if (class == anyAction || h.out.Class(i) == class) && slices.Equal(h.canonical(h.out.At(i)), target) {
			return PathStep{State: slices.Clone(h.out.At(i)), Action: i, Class: h.out.Class(i)}, true
		}
	}
	return PathStep{}, false
}

// initial finds the first initial state in the orbit of the target; its Action is its place among them, or -1.
func (e *engine) initial(target []uint32) PathStep {
	first, i := PathStep{Action: -1, Class: -1}, 0
	e.model.Initial(func(s []uint32) {
		if first.Action < 0 && slices.Equal(e.crew.hands[0].canonical(s), target) {
			first.State, first.Action = slices.Clone(s), i
		}
		i++
	})
	return first
}
