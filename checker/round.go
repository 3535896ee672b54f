package checker

import (
	"math"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/stateset"
)

// A round expands some states of the frontier, a part of a stretch (store.go), in four parallel
// phases:
//
//	expand    Workers take blocks of consecutive states. The successors of these are the candidates,
//	          except for those that the worker saw recently (stateset.Recent). The block holds them
//	          with their keys, sorted by shard of the visited set.
//	admit     Workers take shards. The owner of a shard looks up its candidates in the order of the
//	          blocks and marks the new ones as fresh.
//	number    Workers take blocks again. Fresh candidates are numbered in the order of blocks and,
//	          within a block, of candidates. They enter the log and are evaluated.
//	seal      Workers take chunks of the log that are full, and pack them.
//
// So numbers and parents are those of a sequential breadth-first search, for any distribution of
// work: the first of equal candidates is the fresh one, because its shard sees all of them in
// order, and numbers follow that same order. Keys decide which shard a state is in, and nothing
// else.

// inlineBelow is the number of candidates below which a phase is not worth the goroutines, and
// partitionFrom the number of states from which on sorting their candidates pays. Expansion and
// evaluation run code of the model, which may be slow, and always use the goroutines.
const (
	inlineBelow   = 2048
	partitionFrom = 128
)

// explorer visits every state that is reachable from the initial ones, round by round.
type explorer struct {
	*store
	next       uint32     // the first state not yet expanded
	midRound   bool       // a round is admitted in part
	unreduced  [][]uint32 // the first initial states, if there is a symmetry; see auditUnreduced
	initialSum uint64     // the sum of the hash values of the initial states
}

// begin admits the first states and tests the symmetry in some of them. It reports whether that
// succeeded, and whether there may be more states.
func (x *explorer) begin(admit func() bool) (started, within bool) {
	x.pool.apart(func(*worker) { started = admit() })
	if !started || !x.withinLimits() {
		return started, false
	}
	x.pool.apart(x.auditUnreduced)
	return true, true
}

// end asks the predicates once more, where all states that were visited have been evaluated. It
// reports whether liveness must be decided.
func (x *explorer) end(started bool) (liveness bool) {
	switch x.stopped {
	case StoppedByInterrupt, StoppedByTimeout, StoppedByMemory: // then not all states were evaluated
	default:
		if started && x.pool.going() {
			x.pool.apart(x.auditLater)
		}
	}
	return x.readyForLiveness()
}

// readyForLiveness reports whether liveness must be decided: the set of states is complete and
// nothing failed.
func (x *explorer) readyForLiveness() bool {
	if !x.complete || x.stopped != NotStopped || x.pool.crash != nil || x.failure != nil || x.decided() {
		return false
	}
	if x.violated() && !x.options.ContinueAfterViolation {
		return x.halt(StoppedByViolation)
	}
	return true
}

// pathTo is a path to the state in which a task panicked.
func (x *explorer) pathTo(c *crash) (*Path, error) { return x.path(x.trailTo(c.state)) }

// pathOf is the path that shows a finding; nil if there is nothing to show.
func (x *explorer) pathOf(f *finding) (*Path, error) {
	if len(f.trail.hops) == 0 {
		return nil, nil
	}
	return x.path(f.trail)
}

// visitedStates passes the states that were expanded or evaluated.
func (x *explorer) visitedStates(yield func(state []uint32) bool) {
	cursor := statelog.NewCursor(&x.states)
	for i := range x.certain() {
		if !yield(cursor.Vector(i)) {
			return
		}
	}
}

// certain is how many of the states found were evaluated for certain.
func (x *explorer) certain() uint32 {
	if x.midRound {
		return x.next
	}
	return x.states.Count
}

// describe adds to a report what only this search knows.
func (x *explorer) describe(r *Report) {
	r.CollisionBound = r.Storage.collisionBound(r.States, x.states.Width)
	r.Coverage = 1
	if x.omitted > 0 {
		r.Coverage = float64(r.States) / (float64(r.States) + x.omitted)
	}
	if x.states.Count > 0 {
		bytes := float64(int64(x.states.InMemory()+x.store.visited.Memory()) + x.numberBytes())
		r.DiskBytes = x.states.OnDisk()
		r.BytesPerState = math.Round(100*bytes/float64(r.States)) / 100
	}
}

// admitInitial admits the initial states.
func (x *explorer) admitInitial() bool {
	if x.visited.Lossy && !x.visited.Allot(x.options.bitstate()) {
		return x.halt(StoppedByMemory)
	}
	x.ensureBlocks(1)
	b, width := x.blocks[0], x.states.Width
	b.Reset(width, statelog.NoState, statelog.NoState)
	going := x.eachInitial(func(state []uint32) bool {
		if x.options.Checkpoint != "" {
			x.initialSum += sumOf(state)
		}
		if x.pool.workers[0].symmetric != nil && len(x.unreduced) < unreducedMost {
			x.unreduced = append(x.unreduced, slices.Clone(state))
		}
		b.Words = append(b.Words, x.pool.workers[0].canonical(state)...)
		switch n := uint64(len(b.Words) / width); {
		case n >= x.initialBlock():
			return x.admitInitialBlock(b) && x.withinLimits()
		case n%initialStretch == 0:
			return x.withinLimits()
		}
		return true
	})
	return going && (len(b.Words) == 0 || x.admitInitialBlock(b))
}

// initialStretch is the number of initial states between two looks at the limits.
const initialStretch = 256

// initialBlock is how many initial states to admit at once: not many more than may still be found.
func (x *explorer) initialBlock() uint64 {
	n := x.candidates()
	if limit := x.options.MaxStates; limit > 0 {
		n = min(n, max(limit+1-min(limit, uint64(x.states.Count)), initialStretch))
	}
	return n
}

// admitInitialBlock admits a block of initial states.
func (x *explorer) admitInitialBlock(b *stateset.Block) bool {
	k := &x.pool.workers[0].keyer
	for failures := uint8(0); !k.Make(b.Words, b.Width); failures++ {
		x.pool.workers[0].outgrow(b.Words, b.Width)
		if !x.rekey(failures) {
			return false
		}
	}
	b.From, b.To = statelog.NoState, statelog.NoState
	b.Keys, b.Second = append(b.Keys, k.Keys...), append(b.Second, k.Second...)
	x.states.Roots = statelog.NoState // all that follow, until the last is admitted
	going := x.admit([]*stateset.Block{b}, false, nil)
	x.states.Roots, x.midRound = x.states.Count, false
	x.reopen()
	b.Reset(b.Width, statelog.NoState, statelog.NoState)
	return going
}

// round expands the states [from, to). It reports false if the check must end; the round then
// counts for nothing, unless it was the last. If a word needs more bits than keys have for it, the
// round is repeated with other keys; that happens at most as often as words have bits.
func (x *explorer) round(from, to uint32) bool {
	for failures := uint8(0); ; failures++ {
		blocks := x.cut(from, to)
		sort := to-from >= partitionFrom
		if !x.pool.each(len(blocks), false, func(w *worker, task int) { x.expand(w, blocks[task], sort) }) {
			return false
		}
		if x.cancelled() {
			return x.haltCancelled()
		}
		if !x.narrow() {
			return x.admit(blocks, sort, x.collectExpanded)
		}
		x.discardRound()
		if !x.rekey(failures) {
			return false
		}
	}
}

// batch is about how many successors are given keys at a time.
const batch = 64

// expand fills a block with the successors of its states.
func (x *explorer) expand(w *worker, b *stateset.Block, sort bool) {
	if x.cancelled() {
		return
	}
	for i := b.From; i < b.To; {
		w.out.Reset()
		w.ends = w.ends[:0]
		for ; i < b.To && len(w.out.classes) < batch; i++ {
			if x.over.Load() {
				return
			}
			x.expandOne(w, i)
		}
		if !w.keyer.Make(w.out.words, b.Width) {
			w.outgrow(w.out.words, b.Width)
			return
		}
		b.Add(&w.recent, w.out.words, w.ends, &w.keyer)
		w.count()
	}
	if sort {
		b.Partition(x.visited.Bits)
	}
}

// expandOne appends the successors of a state to the worker's buffer.
func (x *explorer) expandOne(w *worker, i uint32) {
	w.state = i
	state := w.cursor.Vector(i)
	w.out.mark()
	w.expand(state, &w.out)
	if w.out.Len() == 0 {
		x.checkEnd(w, i, state)
	}
	if audited(uint64(i)) {
		w.audit(uint64(i), state)
	}
	w.ends = append(w.ends, len(w.out.classes))
}

// count adds the successors in the buffer to the worker's counts by class.
func (w *worker) count() {
	for _, class := range w.out.classes {
		w.classes[class]++
	}
}

// admit adds the candidates of the blocks to the set of states. It calls expanded once the round is
// certain to count.
func (x *explorer) admit(blocks []*stateset.Block, sorted bool, expanded func()) bool {
	total := 0
	for _, b := range blocks {
		total += b.Len()
	}
	before := x.states.Count
	x.midRound = true
	if uint64(before)+uint64(total) > statelog.MaxStates {
		return x.halt(StoppedByStates)
	}
	if !x.lookUp(blocks, sorted, total) {
		return x.halt(StoppedByMemory)
	}
	x.pool.each(len(blocks), total < inlineBelow, func(_ *worker, task int) { blocks[task].CountFresh() })
	count := before
	for _, b := range blocks {
		b.First = count
		count += b.Count
	}
	if !x.states.Reserve(count) {
		return x.halt(StoppedByMemory)
	}
	if x.visited.Lossy {
		odds := x.visited.Mistaken()
		x.omitted += float64(count-before) * odds / (1 - min(odds, 0.999))
	}
	x.states.Count = count
	if expanded != nil {
		expanded()
	}
	if !x.pool.each(len(blocks), false, func(w *worker, task int) { x.number(w, blocks[task]) }) {
		return false
	}
	if x.late.Load() { // some states were not evaluated
		return x.haltCancelled()
	}
	x.collectFindings(uint64(count - before))
	if !x.seal() {
		return x.halt(StoppedByMemory)
	}
	x.countBuffers()
	if last := blocks[len(blocks)-1].To; last != statelog.NoState { // the round counts
		x.next, x.midRound = last, false
	}
	return x.checkMemory()
}

// number gives the fresh candidates of a block their numbers, stores and evaluates them.
func (x *explorer) number(w *worker, b *stateset.Block) {
	if b.Count == 0 {
		return
	}
	next, parent := b.First, b.From
	for at, fresh := range b.Fresh {
		if fresh == 0 {
			continue
		}
		if x.late.Load() {
			return
		}
		for parent != statelog.NoState && uint32(at) >= b.Ends[parent-b.From] {
			parent++
		}
		vector := b.Vector(at)
		x.states.Set(next, vector, parent)
		x.evaluate(w, next, vector)
		next++
	}
}

// collectFindings merges what the workers noted in a round. The state with the lowest number
// decides a property, so the path to it is a shortest one and the same in every run.
func (x *explorer) collectFindings(found uint64) {
	for _, p := range x.open {
		if shape := x.properties[p].Shape; shape == Always || shape == Sometimes {
			x.findings[p].cases += found
		}
	}
	for p := range x.properties {
		f := &x.findings[p]
		cases, first := x.noted(p)
		f.cases += cases
		if first == statelog.NoState || f.verdict != Inconclusive {
			continue
		}
		f.trail = x.trailTo(first)
		f.verdict = Violated
		if x.properties[p].Shape == Sometimes {
			f.verdict = Holds
		}
	}
}

// auditLater asks the predicates once more in the first states when the search has ended. A
// predicate that depends on the time, or on how often it was called, may have answered alike when
// it was called twice in a row. Properties of single states that are undecided by then have the
// same value in all states that were visited.
func (x *explorer) auditLater(w *worker) {
	visited := x.certain()
	cursor := statelog.NewCursor(&x.states)
	for i := uint32(0); i < min(visited, auditedFirst) && !x.cancelled(); i++ {
		w.state = i
		state := slices.Clone(cursor.Vector(i))
		for p, property := range x.properties {
			always := property.Shape == Always && x.findings[p].verdict != Violated
			never := property.Shape == Sometimes && x.findings[p].verdict != Holds
			if (always || never) && w.ask(callHolds, p, state) != always {
				w.broken("gives another answer when called again later with the same state; " +
					"it must depend on nothing but the state, neither on the time nor on earlier calls")
			}
		}
	}
}

// auditUnreduced finds states as if there were no symmetry, from the initial states on. It compares
// each of them with its representative: a small model as a whole.
func (x *explorer) auditUnreduced(w *worker) {
	if _, itself := w.symmetric.(OrbitAuditor); w.symmetric == nil || itself {
		return
	}
	w.careful(true)
	defer w.careful(false)
	var found unreduced
	for i, state := range x.unreduced {
		found.add(origin{PathStep{state, -1, -1}, i})
	}
	for i := 0; i < len(found.all) && !x.cancelled(); i++ {
		w.way = func() *Path { return found.path(i) }
		state := found.all[i].State
		w.auditOrbit(state, uint64(i), 1)
		w.raw.Reset()
		w.call(callExpand, 0)
		w.model.Expand(state, &w.raw)
		for k := range w.raw.Len() {
			found.add(origin{PathStep{w.raw.At(k), k, w.raw.Class(k)}, i})
		}
	}
}
