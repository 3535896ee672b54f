package checker

import (
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/stateset"
)

const (
	// stretchBytes is what the buffers of a stretch would take if it were one round. A stretch is a
	// run of rounds between two looks at the limits and at the properties that are still open.
	stretchBytes = 20 << 20
	// leastRound and mostRound bound the states to expand in one round. Larger rounds take more
	// memory where states have few successors, many of them new. Smaller ones lose time where
	// states have many successors, since each shard is then visited for few candidates at a time.
	leastRound, mostRound = 64, 1 << 16
)

// candidates is about how many successors are produced in a stretch.
func (e *engine) candidates() uint64 {
	bytes := uint64(stretchBytes)
	if limit := e.options.MemoryLimitBytes; limit > 0 {
		bytes = min(bytes, limit/16)
	}
	return max(bytes/uint64(4*e.states.Width+32), 256)
}

// roundMost is the largest number of states to expand in one round.
func (e *engine) roundMost() uint32 { return uint32(min(max(e.candidates(), leastRound), mostRound)) }

// admitInitial admits the initial states.
func (e *engine) admitInitial() bool {
	if e.visited.Lossy && !e.visited.Allot(e.options.bitstate()) {
		return e.halt(StoppedByMemory)
	}
	e.ensureBlocks(1)
	b, width := e.blocks[0], e.states.Width
	b.Reset(width, statelog.NoState, statelog.NoState)
	going := e.eachInitial(func(state []uint32) bool {
		if e.options.Checkpoint != "" {
			e.initialSum += sumOf(state)
		}
		if e.pool.workers[0].symmetric != nil && len(e.unreduced) < unreducedMost {
			e.unreduced = append(e.unreduced, slices.Clone(state))
		}
		b.Words = append(b.Words, e.pool.workers[0].canonical(state)...)
		switch n := uint64(len(b.Words) / width); {
		case n >= e.initialBlock():
			return e.admitInitialBlock(b) && e.withinLimits()
		case n%initialStretch == 0:
			return e.withinLimits()
		}
		return true
	})
	return going && (len(b.Words) == 0 || e.admitInitialBlock(b))
}

// initialStretch is the number of initial states between two looks at the limits.
const initialStretch = 256

// initialBlock is how many initial states to admit at once: not many more than may still be found.
func (e *engine) initialBlock() uint64 {
	n := e.candidates()
	if limit := e.options.MaxStates; limit > 0 {
		n = min(n, max(limit+1-min(limit, uint64(e.states.Count)), initialStretch))
	}
	return n
}

// eachInitial passes the initial states to visit until it returns false. It reports whether all of
// them were passed. A model that adds none, or one of another width, breaks its contract.
func (e *engine) eachInitial(visit func(state []uint32) bool) bool {
	any, fits := false, true
	going := e.untilFalse(func(state []uint32) bool {
		any = true
		fits = len(state) == e.states.Width
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

// leaving is what untilFalse leaves the model by.
type leaving struct{}

// admitInitialBlock admits a block of initial states.
func (e *engine) admitInitialBlock(b *stateset.Block) bool {
	k := &e.pool.workers[0].keyer
	for failures := uint8(0); !k.Make(b.Words, b.Width); failures++ {
		e.pool.workers[0].outgrow(b.Words, b.Width)
		if !e.rekey(failures) {
			return false
		}
	}
	b.From, b.To = statelog.NoState, statelog.NoState
	b.Keys, b.Second = append(b.Keys, k.Keys...), append(b.Second, k.Second...)
	e.states.Roots = statelog.NoState // all that follow, until the last is admitted
	going := e.admit([]*stateset.Block{b}, false, nil)
	e.states.Roots, e.midRound = e.states.Count, false
	e.reopen()
	b.Reset(b.Width, statelog.NoState, statelog.NoState)
	return going
}

// search explores the state space, one level after the other.
func (e *engine) search() {
	for depth := len(e.levels) - 1; ; depth++ {
		from, to := e.levels[depth], e.states.Count
		within := e.next > from // resumed within a level, after the decision to expand it
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
		case !e.reorder() || !e.compact() || !e.level(from, to):
			return
		}
		switch {
		case e.states.Count == to && e.visited.Lossy:
			e.halt(StoppedByOmission)
			return
		case e.states.Count == to:
			e.complete = true
			e.decideAfterSearch()
			return
		}
		e.levels, e.ends = append(e.levels, to), e.states.Count
	}
}

// level expands the states [from, to), stretch by stretch.
func (e *engine) level(from, to uint32) bool {
	for from < to {
		n := min(e.stretchStates(), to-from)
		if !e.stretch(from, from+n) {
			return false
		}
		from += n
		e.reopen()
		e.saveIfDue()
		switch {
		case e.tooMany():
			return e.halt(StoppedByStates)
		case !e.timeToSave():
			return e.halt(StoppedByTimeout)
		}
		e.reportIfDue()
	}
	return true
}

// stretch expands the states [from, to), in rounds. A check that is stopped within a stretch and
// resumed continues with another stretch, not with the rest of this one.
func (e *engine) stretch(from, to uint32) bool {
	for from < to {
		n := min(mostRound, to-from)
		if !e.round(from, from+n) {
			return false
		}
		from += n
	}
	return true
}

// stretchStates is how many states to expand until the next look at the limits, given the branching
// so far. It depends on nothing but the model, so that a check cut short by MaxStates is the same
// in every run.
func (e *engine) stretchStates() uint32 {
	if e.next == 0 {
		return min(4096, e.roundMost())
	}
	branching := max(e.transitions/uint64(e.next), 1)
	return uint32(max(e.candidates()/branching, leastRound))
}

// decideAfterSearch gives the verdicts that follow once every state is known.
func (e *engine) decideAfterSearch() {
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

// readyForLiveness reports whether liveness is to be decided: the set of states is complete and
// nothing failed.
func (e *engine) readyForLiveness() bool {
	if !e.complete || e.stopped != NotStopped || e.pool.crash != nil || e.failure != nil || e.decided() {
		return false
	}
	if e.violated() && !e.options.ContinueAfterViolation {
		return e.halt(StoppedByViolation)
	}
	return true
}
