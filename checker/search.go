package checker

// roundCandidates is about how many successors are produced in one round. It bounds the buffers, and it
// is the distance between two looks at the limits. Fewer lose time at the barriers, more lose locality.
const roundCandidates = 1 << 17

// seed admits the initial states.
func (e *engine) seed() bool {
	e.ensureBlocks(1)
	b := e.blocks[0]
	b.reset(e.states.width, noState, noState)
	going, any, fits := true, false, true
	flush := func() {
		b.partition(len(e.visited.shards))
		going = e.admit(e.blocks[:1], nil)
		b.reset(e.states.width, noState, noState)
	}
	e.model.Initial(func(state []uint32) {
		any = true
		fits = fits && len(state) == e.states.width
		if !going || !fits {
			return
		}
		copy(b.out.Add(0), state)
		if b.len() >= roundCandidates {
			flush()
		}
	})
	switch {
	case !any:
		e.fault = &ContractError{"it has no initial state"}
		return false
	case !fits:
		e.fault = &ContractError{"an initial state has not the width of the model"}
		return false
	}
	if going && b.len() > 0 {
		flush()
	}
	return going
}

// search explores the state space, one level after the other.
func (e *engine) search() {
	for depth := 0; ; depth++ {
		from, to := e.levels[depth], e.states.count
		e.ends = to
		switch {
		case e.violated() && !e.options.ContinueAfterViolation:
			e.halt(StoppedByViolation)
			return
		case e.decided():
			e.halt(StoppedByViolation)
			return
		case e.options.MaxDepth > 0 && depth >= e.options.MaxDepth:
			e.halt(StoppedByDepth)
			return
		case !e.level(from, to):
			return
		case e.states.count == to:
			e.complete = true
			e.settleSearch()
			return
		}
		e.levels, e.ends = append(e.levels, to), e.states.count
	}
}

// level expands the states [from, to), in rounds.
func (e *engine) level(from, to uint32) bool {
	for from < to {
		n := min(e.roundStates(), to-from)
		if !e.round(from, from+n) {
			return false
		}
		from += n
		e.next = from
		if limit := e.options.MaxStates; limit > 0 && uint64(e.states.count) > limit {
			return e.halt(StoppedByStates)
		}
		e.pulse()
	}
	return true
}

// roundStates is how many states to expand in the next round, given the branching seen so far. It
// depends on nothing but the model, so that a check cut short by MaxStates is the same in every run.
func (e *engine) roundStates() uint32 {
	const least, most = 64, roundCandidates
	if e.next == 0 {
		return 4096
	}
	branching := max(e.transitions/uint64(e.next), 1)
	return uint32(max(min(roundCandidates/branching, most), least))
}

// settleSearch gives the verdicts that follow from having seen every state.
func (e *engine) settleSearch() {
	for i, p := range e.properties {
		f := &e.findings[i]
		switch {
		case f.verdict != Inconclusive || p.Shape.live():
		case p.Shape == Sometimes:
			f.verdict = Violated
		default:
			f.verdict = Holds
		}
	}
}

// ready reports whether liveness is to be decided: the graph is complete and nothing is amiss.
func (e *engine) ready() bool {
	if !e.complete || e.stopped != NotStopped || e.crew.crash != nil || e.fault != nil || e.decided() {
		return false
	}
	if e.violated() && !e.options.ContinueAfterViolation {
		return e.halt(StoppedByViolation)
	}
	return true
}
