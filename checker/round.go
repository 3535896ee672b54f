package checker

import (
	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/stateset"
)

// A round expands some states of the frontier, a part of a stretch (search.go), in four parallel
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
// So numbers and parents are those of a sequential breadth-first search, whichever worker did the
// work: the first of equal candidates is the fresh one, because its shard sees all of them in
// order, and numbers follow that same order. Keys decide which shard a state is in, and nothing
// else.

// inlineBelow is the number of candidates below which a phase is not worth the goroutines, and
// partitionFrom the number of states from which on it is worth sorting their candidates. Expansion
// and evaluation run code of the model, which may be slow, and always use the goroutines.
const (
	inlineBelow   = 2048
	partitionFrom = 128
)

// round expands the states [from, to). It reports false if the check must end; the round then
// counts for nothing, unless it was the last. If a word needs more bits than keys have for it, the
// round is repeated with other keys; that happens at most as often as words have bits.
func (e *engine) round(from, to uint32) bool {
	for failures := uint8(0); ; failures++ {
		blocks := e.cut(from, to)
		sort := to-from >= partitionFrom
		if !e.pool.each(len(blocks), false, func(w *worker, task int) { e.expand(w, blocks[task], sort) }) {
			return false
		}
		if e.cancelled() {
			return e.haltCancelled()
		}
		if !e.narrow() {
			return e.admit(blocks, sort, e.collectExpanded)
		}
		e.discardRound()
		if !e.rekey(failures) {
			return false
		}
	}
}

// cut divides states into blocks: enough of them for all workers, and not too large for their
// caches. The cuts do not affect the result.
func (e *engine) cut(from, to uint32) []*stateset.Block {
	const least, most = 16, 2048
	size := max(min((to-from)/uint32(8*len(e.pool.workers)), most), least)
	n := int((to - from + size - 1) / size)
	e.ensureBlocks(n)
	for _, b := range e.blocks[:n] {
		b.Reset(e.states.Width, from, min(from+size, to))
		from = b.To
	}
	return e.blocks[:n]
}

// ensureBlocks allocates blocks until there are n.
func (e *engine) ensureBlocks(n int) {
	for len(e.blocks) < n {
		e.blocks = append(e.blocks, &stateset.Block{})
	}
}

// batch is about how many successors are given keys at a time.
const batch = 64

// expand fills a block with the successors of its states.
func (e *engine) expand(w *worker, b *stateset.Block, sort bool) {
	if e.cancelled() {
		return
	}
	for i := b.From; i < b.To; {
		w.out.Reset()
		w.ends = w.ends[:0]
		for ; i < b.To && len(w.out.classes) < batch; i++ {
			if e.over.Load() {
				return
			}
			e.expandOne(w, i)
		}
		if !w.keyer.Make(w.out.words, b.Width) {
			w.outgrow(w.out.words, b.Width)
			return
		}
		b.Add(&w.recent, w.out.words, w.ends, &w.keyer)
		w.count()
	}
	if sort {
		b.Partition(e.visited.Bits)
	}
}

// expandOne appends the successors of a state to the worker's buffer.
func (e *engine) expandOne(w *worker, i uint32) {
	w.state = i
	state := w.cursor.Vector(i)
	w.out.mark()
	w.expand(state, &w.out)
	if w.out.Len() == 0 {
		e.checkEnd(w, i, state)
	}
	if audited(uint64(i)) {
		e.audit(w, uint64(i), state)
	}
	w.ends = append(w.ends, len(w.out.classes))
}

// checkEnd checks whether a state without successors is a deadlock.
func (e *engine) checkEnd(w *worker, i uint32, state []uint32) {
	dead := len(e.properties) - 1
	w.cases[dead]++
	ends := w.ask(callQuiescentEnd, 0, state)
	if audited(uint64(i)) {
		w.kept = append(w.kept[:0], state...)
		ends = w.twice(callQuiescentEnd, 0, state)
	}
	if !ends {
		w.note(dead, i)
	}
}

// count adds the successors in the buffer to the worker's counts by class.
func (w *worker) count() {
	for _, class := range w.out.classes {
		w.classes[class]++
	}
}

// collectExpanded adds up what the workers counted while expanding.
func (e *engine) collectExpanded() {
	for _, w := range e.pool.workers {
		for class, n := range w.classes {
			e.counts[class] += n
			e.transitions += n
		}
		clear(w.classes)
		e.audited += w.audited
		w.audited = 0
	}
}

// discardRound undoes what the workers counted and cached in a round that is given up.
func (e *engine) discardRound() {
	for _, w := range e.pool.workers {
		clear(w.classes)
		clear(w.cases)
		w.audited = 0
		for p := range w.first {
			w.first[p] = statelog.NoState
		}
		w.recent.Clear()
	}
}

// admit adds the candidates of the blocks to the set of states. It calls expanded once the round is
// certain to count.
func (e *engine) admit(blocks []*stateset.Block, sorted bool, expanded func()) bool {
	total := 0
	for _, b := range blocks {
		total += b.Len()
	}
	before := e.states.Count
	e.midRound = true
	if uint64(before)+uint64(total) > statelog.MaxStates {
		return e.halt(StoppedByStates)
	}
	if !e.lookUp(blocks, sorted, total) {
		return e.halt(StoppedByMemory)
	}
	e.pool.each(len(blocks), total < inlineBelow, func(_ *worker, task int) { blocks[task].CountFresh() })
	count := before
	for _, b := range blocks {
		b.First = count
		count += b.Count
	}
	if !e.states.Reserve(count) {
		return e.halt(StoppedByMemory)
	}
	if e.visited.Lossy {
		odds := e.visited.Mistaken()
		e.omitted += float64(count-before) * odds / (1 - min(odds, 0.999))
	}
	e.states.Count = count
	if expanded != nil {
		expanded()
	}
	if !e.pool.each(len(blocks), false, func(w *worker, task int) { e.number(w, blocks[task]) }) {
		return false
	}
	if e.late.Load() { // some states were not evaluated
		return e.haltCancelled()
	}
	e.collectFindings(uint64(count - before))
	if !e.seal() {
		return e.halt(StoppedByMemory)
	}
	e.countBuffers()
	if last := blocks[len(blocks)-1].To; last != statelog.NoState { // the round counts
		e.next, e.midRound = last, false
	}
	return e.checkMemory()
}

// lookUp has the visited set admit the candidates. It reports false if memory runs out.
func (e *engine) lookUp(blocks []*stateset.Block, sorted bool, total int) bool {
	if !sorted {
		return e.visited.AdmitAll(blocks)
	}
	e.pool.each(e.visited.ShardCount(), total < inlineBelow,
		func(_ *worker, task int) { e.visited.Admit(task, blocks) })
	return !e.budget.Exceeded.Load()
}

// number gives the fresh candidates of a block their numbers, stores and evaluates them.
func (e *engine) number(w *worker, b *stateset.Block) {
	if b.Count == 0 {
		return
	}
	next, parent := b.First, b.From
	for at, fresh := range b.Fresh {
		if fresh == 0 {
			continue
		}
		if e.late.Load() {
			return
		}
		for parent != statelog.NoState && uint32(at) >= b.Ends[parent-b.From] {
			parent++
		}
		vector := b.Vector(at)
		e.states.Set(next, vector, parent)
		e.evaluate(w, next, vector)
		next++
	}
}

// evaluate evaluates the undecided properties of single states in a new state.
func (e *engine) evaluate(w *worker, i uint32, state []uint32) {
	w.state = i
	asked, quiescent := false, false
	for _, p := range e.open {
		switch e.properties[p].Shape {
		case Always:
			if !w.ask(callHolds, p, state) {
				w.note(p, i)
			}
		case Sometimes:
			if w.ask(callHolds, p, state) {
				w.note(p, i)
			}
		case Quiescent:
			if !asked {
				asked, quiescent = true, w.ask(callQuiescent, p, state)
			}
			if !quiescent {
				continue
			}
			w.cases[p]++
			if !w.ask(callHolds, p, state) {
				w.note(p, i)
			}
		}
	}
}

// collectFindings merges what the workers noted in a round that found so many states. The state
// with the lowest number decides a property, so the path to it is a shortest one and the same in
// every run.
func (e *engine) collectFindings(found uint64) {
	for _, p := range e.open {
		if shape := e.properties[p].Shape; shape == Always || shape == Sometimes {
			e.findings[p].cases += found
		}
	}
	for p := range e.properties {
		f := &e.findings[p]
		cases, first := e.noted(p)
		f.cases += cases
		if first == statelog.NoState || f.verdict != Inconclusive {
			continue
		}
		f.trail = e.trailTo(first)
		f.verdict = Violated
		if e.properties[p].Shape == Sometimes {
			f.verdict = Holds
		}
	}
}

// noted takes from the workers what they noted about a property: how many cases it had, and the
// first state that decides it.
func (e *engine) noted(p int) (cases uint64, first uint32) {
	first = statelog.NoState
	for _, w := range e.pool.workers {
		cases += w.cases[p]
		first = min(first, w.first[p])
		w.cases[p], w.first[p] = 0, statelog.NoState
	}
	return cases, first
}

// seal packs the chunks of the log that are full. It reports false if memory runs out.
func (e *engine) seal() bool {
	n := e.states.Full()
	if n == 0 {
		return true
	}
	e.states.Spill.Open()
	e.pool.each(n, n == 1, func(w *worker, task int) {
		if !e.states.Seal(task, &w.buffer) {
			e.budget.Exceeded.Store(true)
		}
	})
	e.states.SealedAll(n)
	return !e.budget.Exceeded.Load()
}

// countBuffers charges the buffers of the rounds to the budget, and resizes the workers' caches to
// fit the number of states.
func (e *engine) countBuffers() {
	for _, b := range e.blocks {
		bytes := b.Bytes()
		e.budget.Take(bytes - b.Counted)
		b.Counted = bytes
	}
	for _, w := range e.pool.workers {
		e.budget.Take(w.recent.Fit(e.states.Count, e.visited.Wide))
	}
	bytes := e.numberBytes()
	e.budget.Take(int(bytes - e.numbersCounted))
	e.numbersCounted = bytes
}

// numberBytes is the size of the tables that number pairs of words and joint values.
func (e *engine) numberBytes() int64 {
	bytes := int64(0)
	if e.pairs != nil {
		bytes += e.pairs.Bytes.Load()
	}
	if g := e.layout.Group; g != nil {
		bytes += g.Table.Bytes.Load()
	}
	return bytes
}
