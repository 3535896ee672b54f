package checker

import (
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/stateset"
)

// outgrow records that a layout of keys does not suffice for some vectors.
func (w *worker) outgrow(words []uint32, width int) {
	w.narrow = true
	if len(w.most) == 0 {
		w.most = make([]uint32, width)
	}
	statekey.Raise(w.most, words)
}

// narrow reports whether the keys of the last round did not suffice.
func (e *engine) narrow() bool {
	for _, w := range e.pool.workers {
		if w.narrow {
			return true
		}
	}
	return false
}

// rekey gives every state found a key of a new layout. The argument is how often keys were remade
// for the same round and did not suffice. It reports false if the check must end.
func (e *engine) rekey(failures uint8) bool {
	if e.layout.Kind > statekey.Folded || e.pairs != nil && e.pairs.Full.Load() {
		return e.halt(StoppedByStates)
	}
	wanted, ok := e.survey()
	return ok && e.change(e.layoutFor(wanted, 4*min(failures, 15)))
}

// compact shortens keys that need fewer bits than they have, once there are so many that it
// matters. It reports false if the check must end.
func (e *engine) compact() bool {
	if e.compacted || e.states.Count < statekey.CompactFrom || e.layout.Kind > statekey.Grouped {
		return true
	}
	e.compacted = true
	wanted, ok := e.survey()
	if !ok {
		return false
	}
	if l := e.layoutFor(wanted, 0); l.SlotBytes() < e.layout.SlotBytes() {
		return e.change(l)
	}
	return true
}

// layoutFor makes the layout for words that need so many bits, with more bits than usual for a
// group.
func (e *engine) layoutFor(wanted statekey.Demand, more uint8) statekey.Layout {
	l := statekey.NewLayout(wanted, e.states.Count)
	if l.Kind != statekey.Direct {
		if g, ok := statekey.NewGrouped(e.foundStates(), wanted, more); ok {
			l = g
		}
	}
	if l.Kind == statekey.Folded {
		order := l.Order()
		if e.layout.Kind == statekey.Folded {
			order = e.layout.Order()
		}
		l, e.folded = statekey.BestOrder(e.foundStates(), order, wanted.Now), e.states.Count
	}
	return l
}

// change gives every state found a key of the layout.
func (e *engine) change(l statekey.Layout) bool {
	e.visited.Clear()
	e.use(l)
	return e.rebuild()
}

// survey measures how many bits the words take, of the states found and of all that ever did not
// fit. If only the latest of these counted, two layouts for a round, each too narrow for other
// words, could alternate forever. It reports false if the check must end.
func (e *engine) survey() (statekey.Demand, bool) {
	ok := e.pool.each(e.states.ChunkCount(), false, func(w *worker, task int) {
		if e.cancelled() {
			return
		}
		if len(w.most) == 0 {
			w.most = make([]uint32, e.states.Width)
		}
		first := uint64(task) << statelog.ChunkBits
		for i := first; i < min(first+statelog.ChunkStates, uint64(e.states.Count)); i++ {
			statekey.Raise(w.most, w.cursor.Vector(uint32(i)))
		}
	})
	most := make([]uint32, e.states.Width)
	for _, w := range e.pool.workers {
		statekey.Raise(most, w.most)
		w.narrow = false
	}
	if e.cancelled() {
		return statekey.Demand{}, e.haltCancelled()
	}
	return statekey.DemandOf(most), ok
}

// use gives all workers the layout.
func (e *engine) use(l statekey.Layout) {
	e.layout = l
	e.visited.Wide, e.visited.Bytes = l.Wide(), l.SlotBytes()
	if l.Kind == statekey.Folded {
		e.pairs = &statekey.PairTable{}
	}
	for _, w := range e.pool.workers {
		w.keyer.Layout = l
		e.budget.Take(w.recent.Fit(e.states.Count, l.Wide()))
		if l.Kind == statekey.Folded {
			w.keyer.Folder = statekey.NewFolder(e.pairs, l.Leaves)
		}
	}
}

// rebuild fills the visited set, which is empty, with the keys of all states in the log. It reports
// false if the check must end.
func (e *engine) rebuild() bool {
	for from := uint32(0); from < e.states.Count; {
		if e.cancelled() {
			return e.haltCancelled()
		}
		to := from + min(e.roundMost(), e.states.Count-from)
		blocks := e.cut(from, to)
		if !e.pool.each(len(blocks), false, func(w *worker, task int) { e.refill(w, blocks[task]) }) {
			return false
		}
		total := uint64(0)
		e.lookUp(blocks, true, inlineBelow)
		for _, b := range blocks {
			b.CountFresh()
			total += uint64(b.Count)
		}
		switch {
		case e.narrow():
			return e.halt(StoppedByStates)
		case e.budget.Exceeded.Load():
			return e.halt(StoppedByMemory)
		case total != uint64(to-from) && !e.visited.Lossy:
			panic("checker: two states of the log have the same key")
		}
		from = to
	}
	e.countBuffers()
	return true
}

// refill fills a block with its own states.
func (e *engine) refill(w *worker, b *stateset.Block) {
	for i := b.From; i < b.To; i++ {
		state := w.cursor.Vector(i)
		if !w.keyer.Make(state, b.Width) {
			w.narrow = true
			return
		}
		b.Keys = append(b.Keys, w.keyer.Keys[0])
		if e.visited.Wide {
			b.Second = append(b.Second, w.keyer.Second[0])
		}
	}
	b.Partition(e.visited.Bits)
}

const (
	orderAgain = 8       // the order of folding is chosen anew when there are so many times more states
	orderFrom  = 1 << 16 // and at least so many
)

// foundStates gives access to the states found.
func (e *engine) foundStates() statekey.Found {
	reader := statelog.NewCursor(&e.states)
	return statekey.Found{Count: e.states.Count, Vector: reader.Vector, Cancelled: e.cancelled}
}

// reorder folds anew if there are many more states than when the order was chosen and another order
// proves better. It reports false if the check must end.
func (e *engine) reorder() bool {
	if e.layout.Kind != statekey.Folded || e.states.Count < orderFrom || e.states.Count/orderAgain < e.folded {
		return true
	}
	e.folded = e.states.Count
	wanted, ok := e.survey()
	if !ok {
		return false
	}
	order := e.layout.Order()
	l := statekey.BestOrder(e.foundStates(), order, wanted.Now)
	if slices.Equal(l.Order(), order) {
		return true
	}
	e.discardRound()
	return e.change(l)
}
