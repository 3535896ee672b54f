package checker

// breadthFirst visits every state, level by level. It is the only search with checkpoints.
type breadthFirst struct {
	explorer
	levels []uint32 // by depth: the first state
	ends   uint32   // where the level that is being expanded ends
	file   checkpoint
}

func newBreadthFirst(e *engine) *breadthFirst {
	b := &breadthFirst{explorer: explorer{store: newStore(e)}, levels: []uint32{0}}
	b.file = checkpoint{breadthFirst: b, saved: e.begun}
	return b
}

func (b *breadthFirst) run() {
	admit := b.admitInitial
	if b.options.Resume {
		admit = b.file.resume
	}
	started, within := b.begin(admit)
	if within {
		b.visit()
	}
	liveness := b.end(started)
	if started {
		b.file.saveAtEnd(liveness)
	}
	if liveness {
		newDecider(b.store, b.levels).checkLiveness()
	}
}

func (b *breadthFirst) waiting() uint64 { return uint64(b.states.Count - b.next) }

func (b *breadthFirst) depth() int {
	depth := len(b.levels) - 1
	if b.ends > 0 && b.states.Count > b.ends {
		depth++
	}
	return depth
}

func (b *breadthFirst) describe(r *Report) {
	b.explorer.describe(r)
	r.CheckpointStates, r.CheckpointError = b.file.kept, b.file.saveFail
}

// visit explores the state space, one level after the other.
func (b *breadthFirst) visit() {
	for depth := len(b.levels) - 1; ; depth++ {
		from, to := b.levels[depth], b.states.Count
		within := b.next > from // resumed within a level, after the decision to expand it
		if within {
			from, to = b.next, b.ends
		}
		b.ends = to
		switch {
		case within:
			if !b.level(from, to) {
				return
			}
		case b.violated() && !b.options.ContinueAfterViolation:
			b.halt(StoppedByViolation)
			return
		case b.decided():
			b.halt(StoppedByViolation)
			return
		case b.options.MaxDepth > 0 && depth >= b.options.MaxDepth:
			b.halt(StoppedByDepth)
			return
		case !b.reorder() || !b.compact() || !b.level(from, to):
			return
		}
		switch {
		case b.states.Count == to && b.visited.Lossy:
			b.halt(StoppedByOmission)
			return
		case b.states.Count == to:
			b.complete = true
			b.decideAfterSearch()
			return
		}
		b.levels, b.ends = append(b.levels, to), b.states.Count
	}
}

// level expands the states [from, to), stretch by stretch.
func (b *breadthFirst) level(from, to uint32) bool {
	for from < to {
		n := min(b.stretchStates(), to-from)
		if !b.stretch(from, from+n) {
			return false
		}
		from += n
		b.reopen()
		b.file.saveIfDue()
		switch {
		case b.tooMany():
			return b.halt(StoppedByStates)
		case !b.file.timeToSave():
			return b.halt(StoppedByTimeout)
		}
		b.reportIfDue()
	}
	return true
}

// stretch expands the states [from, to), in rounds. A check that is stopped within a stretch and
// resumed continues with another stretch, not with the rest of this one.
func (b *breadthFirst) stretch(from, to uint32) bool {
	for from < to {
		n := min(mostRound, to-from)
		if !b.round(from, from+n) {
			return false
		}
		from += n
	}
	return true
}

// stretchStates is how many states to expand until the next look at the limits, given the branching
// so far. It depends on nothing but the model, so that a check cut short by MaxStates is the same
// in every run.
func (b *breadthFirst) stretchStates() uint32 {
	if b.next == 0 {
		return min(4096, b.roundMost())
	}
	branching := max(b.transitions/uint64(b.next), 1)
	return uint32(max(b.candidates()/branching, leastRound))
}
