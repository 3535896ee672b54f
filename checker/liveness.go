package checker

import (
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/liveness"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// checkLiveness decides the liveness properties, once all states are known.
func (e *engine) checkLiveness() {
	g := e.link()
	if g == nil {
		return
	}
	e.phase = Deciding
	for p, property := range e.properties {
		if !property.Shape.Live() {
			continue
		}
		if !e.decide(p, g) {
			return
		}
		e.reportIfDue()
	}
}

// decide decides one property. It reports false if the check must end.
func (e *engine) decide(p int, g *liveness.Graph) bool {
	n := e.states.Count
	bytes := liveness.Bytes(n)
	if !e.budget.Take(bytes) {
		return e.halt(StoppedByMemory)
	}
	defer e.budget.Give(bytes)
	o := liveness.New(g, e.obligationKind(p), n, e.levels)
	if !e.evaluateLive(p, o) {
		return false
	}
	shown, ok := o.Decide(e.fairness(), e.steady)
	if !ok {
		return e.haltCancelled()
	}
	if shown != nil {
		e.findings[p].verdict, e.findings[p].trail = Violated, e.trailOf(shown)
		return true
	}
	if e.properties[p].Shape == LeadsTo {
		if e.findings[p].forced, ok = e.forced(o); !ok {
			return e.haltCancelled()
		}
	}
	e.findings[p].verdict = Holds
	return true
}

// steady reports whether the context allows to go on.
func (e *engine) steady() bool { return !e.cancelled() }

// forced names the classes without a mark on which the verdict on a LeadsTo rests: see
// [Outcome.Forced]. It reports false if the context has ended.
func (e *engine) forced(o *liveness.Obligations) (names []string, ok bool) {
	unmarked := e.classesThat(isForced)
	if !slices.Contains(unmarked, true) {
		return nil, true
	}
	classes, ok := o.Forced(unmarked, e.steady)
	for i, forced := range classes {
		if forced {
			names = append(names, e.classes[i].Name)
		}
	}
	return names, ok
}

// isForced reports whether a class has no mark.
func isForced(c Class) bool { return !c.Fair && !c.Strong && !c.Finite && !c.Optional }

// obligationKind is the kind of obligation that a property asks about.
func (e *engine) obligationKind(p int) liveness.Kind {
	switch e.properties[p].Shape {
	case Reaches:
		return liveness.MayMeet
	case AlmostSurely:
		return liveness.MayAlwaysMeet
	}
	return liveness.MustMeet
}

// fairness is the fairness assumption for each class of the model.
func (e *engine) fairness() []liveness.Fairness {
	kinds := make([]liveness.Fairness, len(e.classes))
	for i, c := range e.classes {
		switch {
		case c.Strong:
			kinds[i] = liveness.StronglyFair
		case c.Fair:
			kinds[i] = liveness.WeaklyFair
		}
	}
	return kinds
}

// trailOf is the path that shows a violation: a shortest one to where the obligation begins, and on
// from there.
func (e *engine) trailOf(v *liveness.Evidence) trail {
	t := e.trailTo(v.Begin)
	t.trigger = len(t.hops) - 1
	t.hops = append(t.hops, v.Open...)
	if len(v.Loop) > 0 {
		t.loop = len(t.hops) - 1
		t.hops = append(t.hops, v.Loop...)
	}
	return t
}

// evaluateLive evaluates in every state whether it is a goal and whether an obligation begins
// there.
func (e *engine) evaluateLive(p int, o *liveness.Obligations) bool {
	ok := e.pool.each(e.states.ChunkCount(), false, func(w *worker, task int) {
		if e.cancelled() {
			return
		}
		first := uint64(task) << statelog.ChunkBits // a chunk fills whole words of a bitset
		last := min(first+statelog.ChunkStates, uint64(e.states.Count))
		for i := uint32(first); uint64(i) < last; i++ {
			if e.over.Load() {
				return
			}
			w.state = i
			state := w.cursor.Vector(i)
			met := w.ask(callHolds, p, state)
			if met {
				o.Goal.Add(i)
			}
			if w.ask(callTriggers, p, state) {
				o.Trigger.Add(i)
				if !met {
					w.cases[p]++
				}
			}
		}
	})
	if !ok {
		return false
	}
	if e.cancelled() {
		return e.haltCancelled()
	}
	for _, w := range e.pool.workers {
		e.findings[p].cases += w.cases[p]
		w.cases[p] = 0
	}
	return true
}
