package checker

import "slices"

// outgrow records that a layout of keys does not suffice for some vectors.
func (h *hand) outgrow(words []uint32, width int) {
	h.narrow = true
	if len(h.most) == 0 {
		h.most = make([]uint32, width)
	}
	raise(h.most, words)
}

// narrow reports whether the keys of the last round did not suffice.
func (e *engine) narrow() bool {
	for _, h := range e.crew.hands {
		if h.narrow {
			return true
		}
	}
	return false
}

// rekey gives every state found a key of a new layout. So many times keys were made anew for the same round and did not suffice.
// It reports false if the check must end.
func (e *engine) rekey(failures uint8) bool {
	if e.layout.kind > folded || e.pairs != nil && e.pairs.full.Load() {
		return e.halt(StoppedByStates)
	}
	wanted, ok := e.survey()
	return ok && e.change(e.layoutFor(wanted, 4*min(failures, 15)))
}

// compact makes keys that need fewer bits than they have shorter, once there are so many that it matters. It reports false if the
// check must end.
func (e *engine) compact() bool {
	if e.compacted || e.states.count < compactFrom || e.layout.kind > grouped {
		return true
	}
	e.compacted = true
	wanted, ok := e.survey()
	if !ok {
		return false
	}
	if l := e.layoutFor(wanted, 0); l.slotBytes() < e.layout.slotBytes() {
		return e.change(l)
	}
	return true
}

// layoutFor makes the layout for words that need so many bits, and with so many bits more than usual for a group.
func (e *engine) layoutFor(wanted demand, more uint8) layout {
	l := newLayout(wanted, e.states.count)
	if l.kind != direct {
		if g, ok := newGrouped(e.foundStates(), wanted, more); ok {
			l = g
		}
	}
	if l.kind == folded {
		order := l.order()
		if e.layout.kind == folded {
			order = e.layout.order()
		}
		l, e.folded = bestOrder(e.foundStates(), order, wanted.now), e.states.count
	}
	return l
}

// change gives every state found a key of the layout.
func (e *engine) change(l layout) bool {
	e.visited.clear()
	e.use(l)
	return e.rebuild()
}

// survey finds out how many bits the words take, of the states found and of all that ever did not fit: if only the last of these
// counted, two layouts for a round, each too narrow for other words, would be made in turn for ever. It reports false if the check
// must end.
func (e *engine) survey() (demand, bool) {
	ok := e.crew.each(e.states.chunkCount(), false, func(h *hand, task int) {
		if e.cancelled() {
			return
		}
		if len(h.most) == 0 {
			h.most = make([]uint32, e.states.width)
		}
		first := uint64(task) << chunkBits
		for i := first; i < min(first+chunkStates, uint64(e.states.count)); i++ {
			raise(h.most, h.cursor.vector(uint32(i)))
		}
	})
	most := make([]uint32, e.states.width)
	for _, h := range e.crew.hands {
		raise(most, h.most)
		h.narrow = false
	}
	if e.cancelled() {
		return demand{}, e.haltCancelled()
	}
	return demandOf(most), ok
}

// use makes a layout that of all hands.
func (e *engine) use(l layout) {
	e.layout = l
	e.visited.wide, e.visited.bytes = l.wide(), l.slotBytes()
	if l.kind == folded {
		e.pairs = &pairTable{}
	}
	for _, h := range e.crew.hands {
		h.keyer.layout = l
		e.budget.take(h.recent.fit(e.states.count, l.wide()))
		if l.kind == folded {
			h.keyer.folder = newFolder(e.pairs, l.leaves)
		}
	}
}

// rebuild fills the visited set, which is empty, with the keys of all states in the store. It reports
// false if the check must end.
func (e *engine) rebuild() bool {
	for from := uint32(0); from < e.states.count; {
		if e.cancelled() {
			return e.haltCancelled()
		}
		to := from + min(e.roundMost(), e.states.count-from)
		blocks := e.cut(from, to)
		if !e.crew.each(len(blocks), false, func(h *hand, task int) { e.refill(h, blocks[task]) }) {
			return false
		}
		total := uint64(0)
		e.lookUp(blocks, true, inlineBelow)
		for _, b := range blocks {
			b.tally()
			total += uint64(b.count)
		}
		switch {
		case e.narrow():
			return e.halt(StoppedByStates)
		case e.budget.exceeded.Load():
			return e.halt(StoppedByMemory)
		case total != uint64(to-from) && !e.visited.lossy:
			panic("checker: two states of the store have the same key")
		}
		from = to
	}
	e.countBuffers()
	return true
}

// refill fills a block with its own states.
func (e *engine) refill(h *hand, b *block) {
	for i := b.from; i < b.to; i++ {
		state := h.cursor.vector(i)
		if !h.keyer.make(state, b.width) {
			h.narrow = true
			return
		}
		b.keys = append(b.keys, h.keyer.keys[0])
		if e.visited.wide {
			b.second = append(b.second, h.keyer.second[0])
		}
	}
	b.partition(e.visited.bits)
}

const (
	orderAgain = 8       // the order of folding is chosen anew when there are so many times more states
	orderFrom  = 1 << 16 // and at least so many
)

// foundStates gives access to the states found.
func (e *engine) foundStates() found {
	reader := newCursor(&e.states)
	return found{e.states.count, reader.vector, e.cancelled}
}

// reorder folds anew where there are many more states than when the order was chosen and another proves
// better. It reports false if the check must end.
func (e *engine) reorder() bool {
	if e.layout.kind != folded || e.states.count < orderFrom || e.states.count/orderAgain < e.folded {
		return true
	}
	e.folded = e.states.count
	wanted, ok := e.survey()
	if !ok {
		return false
	}
	order := e.layout.order()
	l := bestOrder(e.foundStates(), order, wanted.now)
	if slices.Equal(l.order(), order) {
		return true
	}
	e.forget()
	return e.change(l)
}
