package checker

// A round expands some states of the frontier in four parallel phases:
//
//	expand    Hands take blocks of consecutive states and write their successors, the candidates, into the
//	          buffer of the block, sorted by shard of the visited set.
//	admit     Hands take shards. The owner of a shard looks its candidates up in the order of the blocks
//	          and marks those not seen before as fresh.
//	number    Hands take blocks again. Fresh candidates are numbered in the order of blocks and, within a
//	          block, of candidates; they enter the store and are evaluated.
//	settle    Hands take shards and write the numbers into the visited set.
//
// So numbers and parents are those of a sequential breadth-first search, whoever did the work: the first
// candidate of equal ones is the fresh one, because its shard sees all of them in order, and numbers
// follow that same order. Hash values decide which shard a state is in, and nothing else.

// inlineBelow is the number of candidates below which a phase is not worth the goroutines. Expansion and
// evaluation run code of the model, which may be slow, and always use them.
const inlineBelow = 2048

// round expands the states [from, to). It reports false if the check must end; the round then counts
// for nothing, unless it was only the last.
func (e *engine) round(from, to uint32) bool {
	blocks := e.cut(from, to)
	if !e.crew.each(len(blocks), false, func(h *hand, task int) { e.expand(h, blocks[task]) }) {
		return false
	}
	if e.cancelled() {
		return e.haltCancelled()
	}
	return e.admit(blocks, e.collectExpanded)
}

// cut divides states into blocks: enough of them for all hands, and not too large for their caches.
// Where the cuts are changes nothing in the outcome.
func (e *engine) cut(from, to uint32) []*block {
	const least, most = 16, 512
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

// expand fills a block with the successors of its states.
func (e *engine) expand(h *hand, b *block) {
	if e.cancelled() {
		return
	}
	for i := b.from; i < b.to; i++ {
		h.state = i
		state := e.states.vector(i)
		b.out.mark()
		h.worker.Expand(state, &b.out)
		if b.out.Len() == 0 {
			dead := len(e.properties) - 1
			h.cases[dead]++
			if !h.worker.Terminal(state) {
				h.note(dead, i)
			}
		}
		b.ends = append(b.ends, uint32(b.len()))
	}
	for _, class := range b.out.classes {
		h.classes[class]++
	}
	b.partition(len(e.visited.shards))
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

// admit takes the candidates of the blocks into the set of states. It calls expanded once the round is
// sure to count.
func (e *engine) admit(blocks []*block, expanded func()) bool {
	total := 0
	for _, b := range blocks {
		total += b.len()
	}
	settled := e.states.count
	if uint64(settled)+uint64(total) > maxStates {
		return e.halt(StoppedByStates)
	}
	small := total < inlineBelow
	shards := len(e.visited.shards)
	e.crew.each(shards, small, func(_ *hand, task int) { e.visited.admit(task, blocks) })
	if e.budget.exceeded.Load() {
		return e.halt(StoppedByMemory)
	}
	count := settled
	for _, b := range blocks {
		b.first = count
		count += b.fresh.Load()
	}
	if !e.states.reserve(count) {
		return e.halt(StoppedByMemory)
	}
	e.states.count = count
	if expanded != nil {
		expanded()
	}
	if !e.crew.each(len(blocks), false, func(h *hand, task int) { e.number(h, blocks[task]) }) {
		return false
	}
	e.crew.each(shards, small, func(_ *hand, task int) { e.visited.settle(task, blocks, settled) })
	e.collectFindings()
	e.countBuffers()
	return e.weigh()
}

// number gives the fresh candidates of a block their numbers, stores and evaluates them.
func (e *engine) number(h *hand, b *block) {
	if b.fresh.Load() == 0 {
		return
	}
	next, parent := b.first, b.from
	for at, fresh := range b.numbers {
		for parent != noState && uint32(at) >= b.ends[parent-b.from] {
			parent++
		}
		if fresh == 0 {
			continue
		}
		b.numbers[at] = next
		e.states.set(next, b.out.vector(at), parent)
		e.judge(h, next)
		next++
	}
}

// judge evaluates the undecided properties of single states in a new state.
func (e *engine) judge(h *hand, i uint32) {
	h.state = i
	state := e.states.vector(i)
	asked, quiet := false, false
	for _, p := range e.open {
		switch e.properties[p].Shape {
		case Always:
			h.cases[p]++
			if !h.worker.Holds(p, state) {
				h.note(p, i)
			}
		case Sometimes:
			h.cases[p]++
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

// collectFindings merges what the hands noted. The state with the lowest number decides a property, so
// the path to it is a shortest one and the same in every run.
func (e *engine) collectFindings() {
	for p := range e.properties {
		f := &e.findings[p]
		first := uint32(noState)
		for _, h := range e.crew.hands {
			f.cases += h.cases[p]
			first = min(first, h.first[p])
			h.cases[p], h.first[p] = 0, noState
		}
		if first == noState || f.verdict != Inconclusive {
			continue
		}
		f.trail = e.trailTo(first)
		f.verdict = Violated
		if e.properties[p].Shape == Sometimes {
			f.verdict = Holds
		}
	}
	e.reopen()
}

// countBuffers tells the budget what the buffers of the rounds hold.
func (e *engine) countBuffers() {
	for _, b := range e.blocks {
		bytes := b.bytes()
		e.budget.take(bytes - b.counted)
		b.counted = bytes
	}
}
