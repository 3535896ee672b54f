package checker

// live decides the liveness properties. All states are known.
//
// What all shapes have in common is the set of states with an open obligation: those where one begins
// (Triggers holds and the goal does not), and those that follow without a goal in between. A violation
// is a place in that set from which there is no way on: an end, or a fair cycle, for LeadsTo; a state
// without a path to a goal for Reaches and AlmostSurely.
func (e *engine) live() {
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
		e.pulse()
	}
}

// decide decides one property. It reports false if the check must end.
func (e *engine) decide(p int, g *graph) bool {
	n := e.states.count
	bytes := obligationBytes(n)
	if !e.budget.take(bytes) {
		return e.halt(StoppedByMemory)
	}
	defer e.budget.give(bytes)
	o := newObligations(g, e.obligationKind(p), n, e.levels)
	if !e.evaluateLive(p, o) {
		return false
	}
	shown, ok := o.decide(e.fairness(), func() bool { return !e.cancelled() })
	if !ok {
		return e.haltCancelled()
	}
	e.findings[p].verdict = Holds
	if shown != nil {
		e.findings[p].verdict = Violated
		e.findings[p].trail = e.trailOf(shown)
	}
	return true
}

// obligationKind is the kind of obligation that a property asks about.
func (e *engine) obligationKind(p int) obligationKind {
	switch e.properties[p].Shape {
	case Reaches:
		return mayMeet
	case AlmostSurely:
		return mayAlwaysMeet
	}
	return mustMeet
}

// fairness is what the classes of the model ask of a run.
func (e *engine) fairness() []fairnessKind {
	kinds := make([]fairnessKind, len(e.classes))
	for i, c := range e.classes {
		switch {
		case c.Strong:
			kinds[i] = stronglyFair
		case c.Fair:
			kinds[i] = weaklyFair
		}
	}
	return kinds
}

// trailOf is the path that shows a violation: a shortest one to where the obligation begins, and on from there.
func (e *engine) trailOf(v *evidence) trail {
	t := e.trailTo(v.begin)
	t.trigger = len(t.hops) - 1
	t.hops = append(t.hops, v.open...)
	if len(v.loop) > 0 {
		t.loop = len(t.hops) - 1
		t.hops = append(t.hops, v.loop...)
	}
	return t
}

// evaluateLive asks every state whether it is a goal and whether an obligation begins there.
func (e *engine) evaluateLive(p int, o *obligations) bool {
	ok := e.crew.each(e.states.chunkCount(), false, func(h *hand, task int) {
		if e.cancelled() {
			return
		}
		first := uint64(task) << chunkBits // a chunk fills whole words of a bitset
		last := min(first+chunkStates, uint64(e.states.count))
		for i := uint32(first); uint64(i) < last; i++ {
			h.state = i
			state := h.cursor.vector(i)
			met := h.worker.Holds(p, state)
			if met {
				o.goal.add(i)
			}
			if h.worker.Triggers(p, state) {
				o.trigger.add(i)
				if !met {
					h.cases[p]++
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
	for _, h := range e.crew.hands {
		e.findings[p].cases += h.cases[p]
		h.cases[p] = 0
	}
	return true
}
