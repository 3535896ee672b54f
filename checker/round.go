package checker

// A round expands some states of the frontier, a part of a stretch (search.go), in four parallel phases:
//
//	expand    Hands take blocks of consecutive states. Their successors, but for those that the hand met not
//	          long ago (recent.go), are the candidates; the block holds them with their keys, sorted by
//	          shard of the visited set.
//	admit     Hands take shards. The owner of a shard looks its candidates up in the order of the blocks
//	          and marks those not seen before as fresh.
//	number    Hands take blocks again. Fresh candidates are numbered in the order of blocks and, within a
//	          block, of candidates; they enter the store and are evaluated.
//	seal      Hands take chunks of the store that are full, and pack them (store.go).
//
// So numbers and parents are those of a sequential breadth-first search, whoever did the work: the first
// candidate of equal ones is the fresh one, because its shard sees all of them in order, and numbers
// follow that same order. Keys decide which shard a state is in, and nothing else.

// inlineBelow is the number of candidates below which a phase is not worth the goroutines, and
// partitionFrom the number of states from which on it is worth sorting their candidates. Expansion and
// evaluation run code of the model, which may be slow, and always use the goroutines.
const (
	inlineBelow   = 2048
	partitionFrom = 128
)

// round expands the states [from, to). It reports false if the check must end; the round then counts
// for nothing, unless it was only the last. Where a word turns out to need more bits than keys have for it,
// the round is done again with other keys; that happens at most as often as words have bits.
func (e *engine) round(from, to uint32) bool {
	for failures := uint8(0); ; failures++ {
		blocks := e.cut(from, to)
		sort := to-from >= partitionFrom
		if !e.crew.each(len(blocks), false, func(h *hand, task int) { e.expand(h, blocks[task], sort) }) {
			return false
		}
		if e.cancelled() {
			return e.haltCancelled()
		}
		if !e.narrow() {
			return e.admit(blocks, sort, e.collectExpanded)
		}
		e.forget()
		if !e.rekey(failures) {
			return false
		}
	}
}

// cut divides states into blocks: enough of them for all hands, and not too large for their caches.
// Where the cuts are changes nothing in the outcome.
func (e *engine) cut(from, to uint32) []*block {
	const least, most = 16, 2048
	size := max(min((to-from)/uint32(8*len(e.crew.hands)), most), least)
	n := int((to - from + size - 1) / size)
	e.ensureBlocks(n)
	for _, b := range e.blocks[:n] {
		b.reset(e.states.width, from, min(from+size, to))
		from = b.to
	}
	return e.blocks[:n]
}

// ensureBlocks makes sure that there are so many blocks.
func (e *engine) ensureBlocks(n int) {
	for len(e.blocks) < n {
		e.blocks = append(e.blocks, &block{})
	}
}

// batch is about how many successors are given keys at a time.
const batch = 64

// expand fills a block with the successors of its states.
func (e *engine) expand(h *hand, b *block, sort bool) {
	if e.cancelled() {
		return
	}
	for i := b.from; i < b.to; {
		h.out.Reset()
		h.ends = h.ends[:0]
		for ; i < b.to && len(h.out.classes) < batch; i++ {
			e.expandOne(h, i)
		}
		if !h.keyer.make(h.out.words, b.width) {
			h.outgrow(h.out.words, b.width)
			return
		}
		b.add(&h.recent, h.out.words, h.ends, &h.keyer)
		h.count()
	}
	if sort {
		b.partition(e.visited.bits)
	}
}

// expandOne appends the successors of a state to those that the hand has.
func (e *engine) expandOne(h *hand, i uint32) {
	h.state = i
	state := h.cursor.vector(i)
	h.out.mark()
	h.expand(state, &h.out)
	if h.out.Len() == 0 {
		e.judgeEnd(h, i, state)
	}
	h.ends = append(h.ends, len(h.out.classes))
}

// judgeEnd looks whether a state without successors is a deadlock.
func (e *engine) judgeEnd(h *hand, i uint32, state []uint32) {
	dead := len(e.properties) - 1
	h.cases[dead]++
	if !h.worker.Terminal(state) {
		h.note(dead, i)
	}
}

// count adds the successors at hand to what the hand counted, class by class.
func (h *hand) count() {
	for _, class := range h.out.classes {
		h.classes[class]++
	}
}

// collectExpanded adds up what the hands counted while expanding.
func (e *engine) collectExpanded() {
	for _, h := range e.crew.hands {
		for class, n := range h.classes {
			e.counts[class] += n
			e.transitions += n
		}
		clear(h.classes)
	}
}

// forget undoes what the hands counted and learnt in a round that is given up.
func (e *engine) forget() {
	for _, h := range e.crew.hands {
		clear(h.classes)
		clear(h.cases)
		for p := range h.first {
			h.first[p] = noState
		}
		h.recent.forget()
	}
}

// admit takes the candidates of the blocks into the set of states. It calls expanded once the round is
// sure to count.
func (e *engine) admit(blocks []*block, sorted bool, expanded func()) bool {
	total := 0
	for _, b := range blocks {
		total += b.len()
	}
	settled := e.states.count
	e.torn = true
	if uint64(settled)+uint64(total) > maxStates {
		return e.halt(StoppedByStates)
	}
	if !e.lookUp(blocks, sorted, total) {
		return e.halt(StoppedByMemory)
	}
	e.crew.each(len(blocks), total < inlineBelow, func(_ *hand, task int) { blocks[task].tally() })
	count := settled
	for _, b := range blocks {
		b.first = count
		count += b.count
	}
	if !e.states.reserve(count) {
		return e.halt(StoppedByMemory)
	}
	if e.visited.lossy {
		odds := e.visited.mistaken()
		e.omitted += float64(count-settled) * odds / (1 - min(odds, 0.999))
	}
	e.states.count = count
	if expanded != nil {
		expanded()
	}
	if !e.crew.each(len(blocks), false, func(h *hand, task int) { e.number(h, blocks[task]) }) {
		return false
	}
	e.collectFindings(uint64(count - settled))
	if !e.seal() {
		return e.halt(StoppedByMemory)
	}
	e.countBuffers()
	return e.weigh()
}

// lookUp has the visited set admit the candidates. It reports false if the memory does not suffice.
func (e *engine) lookUp(blocks []*block, sorted bool, total int) bool {
	if !sorted {
		return e.visited.admitAll(blocks)
	}
	e.crew.each(e.visited.shardCount(), total < inlineBelow, func(_ *hand, task int) { e.visited.admit(task, blocks) })
	return !e.budget.exceeded.Load()
}

// number gives the fresh candidates of a block their numbers, stores and evaluates them.
func (e *engine) number(h *hand, b *block) {
	if b.count == 0 {
		return
	}
	next, parent := b.first, b.from
	for at, fresh := range b.fresh {
		if fresh == 0 {
			continue
		}
		for parent != noState && uint32(at) >= b.ends[parent-b.from] {
			parent++
		}
		vector := b.vector(at)
		e.states.set(next, vector, parent)
		e.judge(h, next, vector)
		next++
	}
}

// judge evaluates the undecided properties of single states in a new state.
func (e *engine) judge(h *hand, i uint32, state []uint32) {
	h.state = i
	asked, quiet := false, false
	for _, p := range e.open {
		switch e.properties[p].Shape {
		case Always:
			if !h.worker.Holds(p, state) {
				h.note(p, i)
			}
		case Sometimes:
			if h.worker.Holds(p, state) {
				h.note(p, i)
			}
		case Quiescent:
			if !asked {
				asked, quiet = true, h.worker.Quiescent(state)
			}
			if !quiet {
				continue
			}
			h.cases[p]++
			if !h.worker.Holds(p, state) {
				h.note(p, i)
			}
		}
	}
}

// collectFindings merges what the hands noted in a round that found so many states. The state with the
// lowest number decides a property, so the path to it is a shortest one and the same in every run.
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
		if first == noState || f.verdict != Inconclusive {
			continue
		}
		f.trail = e.trailTo(first)
		f.verdict = Violated
		if e.properties[p].Shape == Sometimes {
			f.verdict = Holds
		}
	}
}

// noted takes from the hands what they noted of a property: how many cases it had, and the first state that decides it.
func (e *engine) noted(p int) (cases uint64, first uint32) {
	first = noState
	for _, h := range e.crew.hands {
		cases += h.cases[p]
		first = min(first, h.first[p])
		h.cases[p], h.first[p] = 0, noState
	}
	return cases, first
}

// seal packs the chunks of the store that are full. It reports false if the memory does not suffice.
func (e *engine) seal() bool {
	n := e.states.full()
	if n == 0 {
		return true
	}
	e.states.spill.open()
	e.crew.each(n, n == 1, func(h *hand, task int) {
		if !e.states.seal(task, &h.buffer) {
			e.budget.exceeded.Store(true)
		}
	})
	e.states.sealedAll(n)
	return !e.budget.exceeded.Load()
}

// countBuffers tells the budget what the buffers of the rounds hold, and fits the caches of the hands to
// the number of states.
func (e *engine) countBuffers() {
	for _, b := range e.blocks {
		bytes := b.bytes()
		e.budget.take(bytes - b.counted)
		b.counted = bytes
	}
	for _, h := range e.crew.hands {
		e.budget.take(h.recent.fit(e.states.count, e.visited.wide))
	}
	bytes := e.numberBytes()
	e.budget.take(int(bytes - e.numbersCounted))
	e.numbersCounted = bytes
}

// numberBytes is what the tables take that number pairs of words and joint values.
func (e *engine) numberBytes() int64 {
	bytes := int64(0)
	if e.pairs != nil {
		bytes += e.pairs.bytes.Load()
	}
	if g := e.layout.group; g != nil {
		bytes += g.table.bytes.Load()
	}
	return bytes
}
