package checker

// roundBytes is about how much the buffers of a round may take, if no candidate is known to the hands.
// Smaller rounds lose time at the barriers, larger ones memory.
const roundBytes = 20 << 20

// roundCandidates is about how many successors are produced in one round. Rounds are also the distance
// between two looks at the limits.
func (e *engine) roundCandidates() uint64 {
	bytes := uint64(roundBytes)
	if limit := e.options.MemoryLimitBytes; limit > 0 {
		bytes = min(bytes, limit/16)
	}
	return max(bytes/uint64(4*e.states.width+32), 256)
}

// roundMost is the largest number of states to expand in one round.
func (e *engine) roundMost() uint32 { return uint32(max(e.roundCandidates(), 64)) }

// seed admits the initial states.
func (e *engine) seed() bool {
	if e.visited.lossy && !e.visited.allot(e.options.bitstate()) {
		return e.halt(StoppedByMemory)
	}
	e.ensureBlocks(1)
	b, width := e.blocks[0], e.states.width
	b.reset(width, noState, noState)
	going, any, fits := true, false, true
	e.model.Initial(func(state []uint32) {
		any = true
		fits = fits && len(state) == width
		if !going || !fits {
			return
		}
		b.words = append(b.words, e.crew.hands[0].canonical(state)...)
		if uint64(len(b.words)/width) >= e.roundCandidates() {
			going = e.sow(b)
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
	return going && (len(b.words) == 0 || e.sow(b))
}

// sow admits initial states.
func (e *engine) sow(b *block) bool {
	k := &e.crew.hands[0].keyer
	for !k.make(b.words, b.width) {
		e.crew.hands[0].outgrow(b.words, b.width)
		if !e.rekey() {
			return false
		}
	}
	b.from, b.to = noState, noState
	b.keys, b.second = append(b.keys, k.keys...), append(b.second, k.second...)
	e.states.roots = noState // all that follow, until the last is in
	going := e.admit([]*block{b}, false, nil)
	e.states.roots, e.torn = e.states.count, false
	b.reset(b.width, noState, noState)
	return going
}

// search explores the state space, one level after the other.
func (e *engine) search() {
	for depth := len(e.levels) - 1; ; depth++ {
		from, to := e.levels[depth], e.states.count
		within := e.next > from // resumed in the midst of a level, after it was decided to go on
		if within {
			from, to = e.next, e.ends
		}
		e.ends = to
		switch {
		case within:
			if !e.level(from, to) {
				return
			}
		case e.violated() && !e.options.ContinueAfterViolation:
			e.halt(StoppedByViolation)
			return
		case e.decided():
			e.halt(StoppedByViolation)
			return
		case e.options.MaxDepth > 0 && depth >= e.options.MaxDepth:
			e.halt(StoppedByDepth)
			return
		case !e.reorder() || !e.level(from, to):
			return
		}
		switch {
		case e.states.count == to && e.visited.lossy:
			e.halt(StoppedByOmission)
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
		e.next, e.torn = from, false
		e.saveNowAndThen()
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
	const least = 64
	if e.next == 0 {
		return min(4096, e.roundMost())
	}
	branching := max(e.transitions/uint64(e.next), 1)
	return uint32(max(e.roundCandidates()/branching, least))
}

// settleSearch gives the verdicts that follow from having seen every state.
func (e *engine) settleSearch() {
	for i, p := range e.properties {
		f := &e.findings[i]
		switch {
		case f.verdict != Inconclusive || p.Shape.Live():
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
