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

// obligations are the states of one liveness property with an open obligation.
type obligations struct {
	engine  *engine
	graph   *graph
	shape   Shape
	goal    bitset
	trigger bitset
	open    bitset
	queue   []uint32 // the open states, by their distance from an initial state while open
	parent  []uint32 // of an open state: the open state before, or noState where the obligation begins
	bad     bitset   // the open states from which there is no way on
	rest    bitset   // what is to be decomposed once more: see refine
}

// decide decides one property. It reports false if the check must end.
func (e *engine) decide(p int, g *graph) bool {
	n := e.states.count
	bytes := 4*int(n)*9 + 6*int(n)/8 // queue, parent, order, stack, frames, tree, fringe; six bitsets
	if !e.budget.take(bytes) {
		return e.halt(StoppedByMemory)
	}
	defer e.budget.give(bytes)
	o := &obligations{
		engine: e, graph: g, shape: e.properties[p].Shape,
		goal: newBitset(n), trigger: newBitset(n), open: newBitset(n), bad: newBitset(n),
		parent: make([]uint32, n),
	}
	if !o.evaluate(p) {
		return false
	}
	o.spread()
	c := o.components()
	if !o.decompose(c) {
		return e.haltCancelled()
	}
	e.findings[p].verdict = Holds
	if state, ok := o.firstBad(); ok {
		e.findings[p].verdict = Violated
		e.findings[p].trail = o.evidence(state, c)
	}
	return true
}

// evaluate asks every state whether it is a goal and whether an obligation begins there.
func (o *obligations) evaluate(p int) bool {
	e := o.engine
	ok := e.crew.each(len(e.states.chunks), false, func(h *hand, task int) {
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

// begins reports whether an obligation begins in a state and is not met there and then.
func (o *obligations) begins(state uint32) bool {
	return o.trigger.has(state) && !o.goal.has(state)
}

// spread finds the open states, breadth first. The distance of an open state is that of a shortest run
// which ends in it with the obligation open: a shortest path to where it begins, which the search has
// found, and then a path through open states.
func (o *obligations) spread() {
	levels := o.engine.levels
	front := 0 // the open states found but not yet followed begin here
	for depth := 0; depth < len(levels) || front < len(o.queue); depth++ {
		if depth < len(levels) {
			end := o.engine.states.count
			if depth+1 < len(levels) {
				end = levels[depth+1]
			}
			for state := levels[depth]; state < end; state++ {
				if o.begins(state) {
					o.enter(state, noState)
				}
			}
		}
		last := len(o.queue)
		for ; front < last; front++ {
			targets, _ := o.graph.edges(o.queue[front])
			for _, target := range targets {
				if !o.goal.has(target) {
					o.enter(target, o.queue[front])
				}
			}
		}
	}
}

// enter makes a state open unless it is.
func (o *obligations) enter(state, parent uint32) {
	if o.open.has(state) {
		return
	}
	o.open.add(state)
	o.parent[state] = parent
	o.queue = append(o.queue, state)
}

// components prepares the decomposition of the open states. What is found is judged at once.
func (o *obligations) components() *components {
	c := &components{
		graph:  o.graph,
		within: o.open,
		order:  make([]uint32, o.engine.states.count),
		marks:  noState,
		steady: func() bool { return !o.engine.cancelled() },
	}
	if o.shape == LeadsTo {
		f := newFairness(o.engine.classes)
		c.lasting = true
		c.found = func(members []uint32, mark uint32) { o.judgeRuns(f, c, members, mark) }
		return c
	}
	c.found = func(members []uint32, mark uint32) { o.judgeReach(c, members, mark) }
	return c
}

// judgeRuns marks a component as bad if a run can stay in it for ever, or end there.
func (o *obligations) judgeRuns(f *fairness, c *components, members []uint32, mark uint32) {
	if len(members) == 1 && o.graph.ends(members[0]) {
		o.bad.add(members[0])
		return
	}
	f.reset()
	cyclic := false
	for _, m := range members {
		cyclic = f.pass(o.graph, m, func(target uint32) bool { return c.order[target] == mark }) || cyclic
	}
	switch {
	case !cyclic:
	case f.satisfied():
		for _, m := range members {
			o.bad.add(m)
		}
	case f.mendable():
		o.refine(f, members)
	}
}

// judgeReach marks a component as bad if no goal can be reached from it. The components that it leads to
// have been judged before, and a way out of the open states leads to a goal.
func (o *obligations) judgeReach(c *components, members []uint32, mark uint32) {
	for _, m := range members {
		targets, _ := o.graph.edges(m)
		for _, target := range targets {
			if c.order[target] != mark && !o.bad.has(target) {
				return
			}
		}
	}
	for _, m := range members {
		o.bad.add(m)
	}
}

// firstBad finds the violation that is nearest to the initial states.
func (o *obligations) firstBad() (uint32, bool) {
	for _, state := range o.queue {
		if o.bad.has(state) && (o.shape != Reaches || o.begins(state)) {
			return state, true
		}
	}
	return noState, false
}
