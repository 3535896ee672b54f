package checker

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/liveness"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// trail is a path in terms of the engine: indexes of states, and of actions where they matter.
type trail struct {
	hops    []liveness.Hop
	loop    int
	trigger int
}

// trailTo is the path to a state along the tree of the search. In a breadth-first search it is a
// shortest one.
func (s *store) trailTo(state uint32) trail {
	var hops []liveness.Hop
	reader := statelog.NewCursor(&s.states)
	for ; state != statelog.NoState; state = reader.Parent(state) {
		hops = append(hops, liveness.Hop{State: state, Action: liveness.AnyAction})
	}
	slices.Reverse(hops)
	return trail{hops: hops, loop: -1, trigger: -1}
}

// path makes a path of a trail by expanding its states once more. The trail is one of the reduced
// system. The path is one of the model: each of its states lies in the orbit of the corresponding
// state of the trail.
func (s *store) path(t trail) (*Path, error) {
	p := &Path{Loop: t.loop, Trigger: t.trigger}
	return p, s.onceMore(p, func() error { return s.walkAlong(t, p) })
}

// onceMore makes a path again. If the model panics now, although it did not before, the error has
// the path so far.
func (e *engine) onceMore(p *Path, walk func() error) (err error) {
	alone := workerPool{workers: e.pool.workers[:1]} // without a look at the limits: the path will be shown
	e.pool.workers[0].careful(true)
	alone.apart(func(*worker) { err = walk() })
	if alone.crash != nil {
		return alone.crash.asError(p)
	}
	return err
}

func (s *store) walkAlong(t trail, p *Path) error {
	w, reader := s.pool.workers[0], statelog.NewCursor(&s.states)
	for i, to := range t.hops {
		target := slices.Clone(reader.Vector(to.State))
		if i == 0 {
			first := s.initial(target)
			if first.Action < 0 {
				return &ContractError{"Initial does not add the same states again: one is missing"}
			}
			p.Initial, first.Action = first.Action, -1
			p.Steps = append(p.Steps, first)
			continue
		}
		class := liveness.AnyAction
		if to.Action != liveness.AnyAction {
			class = w.classOf(reader.Vector(t.hops[i-1].State), to.Action)
		}
		step, ok := w.stepTo(p.Steps[i-1].State, target, class)
		if !ok {
			problem := fmt.Sprintf("Expand does not return the same successors again: "+
				"a state %d steps deep lost one", i-1)
			if w.symmetric != nil {
				problem += "; or Canonical does not return one representative for all states of an orbit " +
					"(for a model.System: its Symmetry is wrong)"
			}
			return &ContractError{problem}
		}
		p.Steps = append(p.Steps, step)
	}
	return nil
}

// verify requires that a path is evidence for its property: that its last state, or the states
// after its trigger, are those of a violation or of a witness. The path is one of the model, so it
// does not depend on a reduction. A path that shows nothing is worse than none.
func (e *engine) verify(p int, path *Path) error {
	return e.onceMore(path, func() error {
		w, wrong := e.pool.workers[0], ""
		last := path.Steps[len(path.Steps)-1].State
		switch shape := e.properties[p].Shape; shape {
		case Always, Sometimes:
			wrong = w.unlessIs(shape == Sometimes, callHolds, p, last)
		case Quiescent:
			if wrong = w.unlessIs(true, callQuiescent, p, last); wrong == "" {
				wrong = w.unlessIs(false, callHolds, p, last)
			}
		case DeadlockFree:
			if wrong = w.unlessIs(false, callQuiescentEnd, p, last); w.leaves(last) {
				wrong = "the last state has a successor"
			}
		default:
			wrong = w.unlessOpen(p, path)
		}
		if wrong == "" {
			return nil
		}
		return &ContractError{e.notShown(p, wrong, last)}
	})
}

// leaves reports whether a state has successors.
func (w *worker) leaves(state []uint32) bool {
	w.out.Reset()
	w.call(callExpand, 0)
	w.model.Expand(state, &w.out)
	return w.out.Len() > 0
}

// unlessIs names a predicate that has another value in a state.
func (w *worker) unlessIs(value bool, c modelCall, property int, state []uint32) string {
	if w.ask(c, property, state) == value {
		return ""
	}
	return fmt.Sprintf("%s is %v", w.calling(), !value)
}

// unlessOpen says why a path does not leave the obligation of a property open.
func (w *worker) unlessOpen(p int, path *Path) string {
	wrong := w.unlessIs(true, callTriggers, p, path.Steps[path.Trigger].State)
	for _, step := range path.Steps[path.Trigger:] {
		if wrong == "" {
			wrong = w.unlessIs(false, callHolds, p, step.State)
		}
	}
	if wrong == "" && path.Loop >= 0 && !slices.Equal(path.Steps[path.Loop].State, path.Steps[len(path.Steps)-1].State) {
		wrong = "the loop does not close"
	}
	return wrong
}

// notShown describes a path that is no evidence.
func (e *engine) notShown(p int, wrong string, last []uint32) string {
	text := textOf(e.model, last)
	if text != "" {
		text = " (the last state is " + text + ")"
	}
	run := fmt.Sprintf("the run that decides property %q does not show it: %s%s", e.properties[p].Name, wrong, text)
	if e.pool.workers[0].symmetric != nil {
		return "Canonical returns states that are not equivalent to its arguments (for a model.System: its Symmetry " +
			"is wrong): " + run + "; it may only exchange parts that every function treats alike"
	}
	return run + "; a function of the model gives another answer when called again with the same state"
}

// classOf returns the class of an explored action of a state; AnyAction if the state no longer has
// the action.
func (w *worker) classOf(state []uint32, action int) int {
	w.out.Reset()
	w.expand(state, &w.out)
	if action >= w.out.Len() {
		return liveness.AnyAction
	}
	return w.out.Class(action)
}

// stepTo finds the first action of a state, of the given class if it is not AnyAction, that leads
// into the orbit of the target.
func (w *worker) stepTo(from, target []uint32, class int) (PathStep, bool) {
	w.out.Reset()
	w.call(callExpand, 0)
	w.model.Expand(from, &w.out)
	for i := range w.out.Len() {
		if (class == liveness.AnyAction || w.out.Class(i) == class) && slices.Equal(w.canonical(w.out.At(i)), target) {
			return PathStep{State: slices.Clone(w.out.At(i)), Action: i, Class: w.out.Class(i)}, true
		}
	}
	return PathStep{}, false
}

// initial finds the first initial state in the orbit of the target. Its Action is its index among
// them, or -1.
func (e *engine) initial(target []uint32) PathStep {
	first, i := PathStep{Action: -1, Class: -1}, 0
	e.untilFalse(func(s []uint32) bool {
		if slices.Equal(e.pool.workers[0].canonical(s), target) {
			first.State, first.Action = slices.Clone(s), i
			return false
		}
		i++
		return true
	})
	return first
}

// eachInitial passes the initial states to visit until it returns false. It reports whether all of
// them were passed. A model that adds none, or one of another width, breaks its contract.
func (e *engine) eachInitial(visit func(state []uint32) bool) bool {
	any, fits := false, true
	going := e.untilFalse(func(state []uint32) bool {
		any = true
		fits = len(state) == e.model.Width()
		return fits && visit(state)
	})
	switch {
	case !any:
		e.failure = &ContractError{"Initial adds no state"}
		return false
	case !fits:
		e.failure = &ContractError{"an initial state does not have the width of the model"}
	}
	return going
}

// untilFalse has the model make its initial states until visit returns false, and reports whether
// it made all of them. It leaves the model, which may be in the middle of a long loop, by a panic.
func (e *engine) untilFalse(visit func(state []uint32) bool) (all bool) {
	all = true
	defer func() {
		if all {
			return
		}
		if problem := recover(); problem != nil && problem != (leaving{}) {
			panic(problem)
		}
	}()
	e.model.Initial(func(state []uint32) {
		if all = all && visit(state); !all {
			panic(leaving{})
		}
	})
	return all
}

// leaving is the panic by which untilFalse leaves the model.
type leaving struct{}
