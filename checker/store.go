package checker

import (
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/stateset"
)

// store holds the states that a search has found: each of them in a log, and a key of it in a set.
type store struct {
	*engine
	states  statelog.Log
	visited *stateset.Set
	layout  statekey.Layout     // of the keys in visited
	pairs   *statekey.PairTable // nil unless keys are folded
	blocks  []*stateset.Block   // of a round, reused

	folded         uint32  // how many states there were when the order of folding was chosen
	compacted      bool    // compact was tried
	numbersCounted int64   // the bytes of numberBytes that the budget has counted
	omitted        float64 // an estimate of the states that the bitstate set omitted
}

// newStore returns an empty store, which the workers of the engine use from now on.
func newStore(e *engine) *store {
	s := &store{engine: e}
	o, width := &e.options, e.model.Width()
	s.states = statelog.Log{Width: width, Budget: &e.budget, Spill: statelog.Spill{Folder: o.TempDir},
		KeepBytes: statelog.KeptBytes}
	if o.MemoryLimitBytes > 0 {
		s.states.KeepBytes = int64(min(statelog.KeptBytes, o.MemoryLimitBytes/16))
	}
	s.visited = stateset.New(8*o.Workers, &e.budget)
	s.visited.Lossy = o.Storage == Bitstate
	for _, w := range e.pool.workers {
		padAllocations()
		w.cursor = statelog.NewCursor(&s.states)
	}
	padAllocations()
	s.use(o.layout(width))
	return s
}

// close frees what the garbage collector does not see.
func (s *store) close() {
	s.visited.Clear()
	s.states.Spill.Close()
}

// found is how many states were found.
func (s *store) found() uint64 { return uint64(s.states.Count) }

// withinLimits reports whether the limits allow more states.
func (s *store) withinLimits() bool {
	switch {
	case s.cancelled():
		return s.haltCancelled()
	case s.tooMany():
		return s.halt(StoppedByStates)
	}
	return s.checkMemory()
}

// tooMany reports whether there are more states than the options allow.
func (s *store) tooMany() bool {
	limit := s.options.MaxStates
	return limit > 0 && uint64(s.states.Count) > limit
}

// cut divides states into blocks: enough of them for all workers, and not too large for their
// caches. The cuts do not affect the result.
func (s *store) cut(from, to uint32) []*stateset.Block {
	const least, most = 16, 2048
	size := max(min((to-from)/uint32(8*len(s.pool.workers)), most), least)
	n := int((to - from + size - 1) / size)
	s.ensureBlocks(n)
	for _, b := range s.blocks[:n] {
		b.Reset(s.states.Width, from, min(from+size, to))
		from = b.To
	}
	return s.blocks[:n]
}

// ensureBlocks allocates blocks until there are n.
func (s *store) ensureBlocks(n int) {
	for len(s.blocks) < n {
		s.blocks = append(s.blocks, &stateset.Block{})
	}
}

// lookUp has the visited set admit the candidates. It reports false if memory runs out.
func (s *store) lookUp(blocks []*stateset.Block, sorted bool, total int) bool {
	if !sorted {
		return s.visited.AdmitAll(blocks)
	}
	s.pool.each(s.visited.ShardCount(), total < inlineBelow,
		func(_ *worker, task int) { s.visited.Admit(task, blocks) })
	return !s.budget.Exceeded.Load()
}

// seal packs the chunks of the log that are full. It reports false if memory runs out.
func (s *store) seal() bool {
	n := s.states.Full()
	if n == 0 {
		return true
	}
	s.states.Spill.Open()
	s.pool.each(n, n == 1, func(w *worker, task int) {
		if !s.states.Seal(task, &w.buffer) {
			s.budget.Exceeded.Store(true)
		}
	})
	s.states.SealedAll(n)
	return !s.budget.Exceeded.Load()
}

// countBuffers charges the buffers of the rounds to the budget, and resizes the workers' caches to
// fit the number of states.
func (s *store) countBuffers() {
	for _, b := range s.blocks {
		bytes := b.Bytes()
		s.budget.Take(bytes - b.Counted)
		b.Counted = bytes
	}
	for _, w := range s.pool.workers {
		s.budget.Take(w.recent.Fit(s.states.Count, s.visited.Wide))
	}
	bytes := s.numberBytes()
	s.budget.Take(int(bytes - s.numbersCounted))
	s.numbersCounted = bytes
}

// numberBytes is the size of the tables that number pairs of words and joint values.
func (s *store) numberBytes() int64 {
	bytes := int64(0)
	if s.pairs != nil {
		bytes += s.pairs.Bytes.Load()
	}
	if g := s.layout.Group; g != nil {
		bytes += g.Table.Bytes.Load()
	}
	return bytes
}

// outgrow records that a layout of keys does not suffice for some vectors.
func (w *worker) outgrow(words []uint32, width int) {
	w.narrow = true
	if len(w.most) == 0 {
		w.most = make([]uint32, width)
	}
	statekey.Raise(w.most, words)
}

// narrow reports whether the keys of the last round did not suffice.
func (s *store) narrow() bool {
	for _, w := range s.pool.workers {
		if w.narrow {
			return true
		}
	}
	return false
}

// rekey gives every state found a key of a new layout. The argument is how often keys were remade
// for the same round and did not suffice. It reports false if the check must end.
func (s *store) rekey(failures uint8) bool {
	if s.layout.Kind > statekey.Folded || s.pairs != nil && s.pairs.Full.Load() {
		return s.halt(StoppedByStates)
	}
	wanted, ok := s.survey()
	return ok && s.change(s.layoutFor(wanted, 4*min(failures, 15)))
}

// compact shortens keys that need fewer bits than they have, once it matters. It reports false if
// the check must end.
func (s *store) compact() bool {
	if s.compacted || s.states.Count < statekey.CompactFrom || s.layout.Kind > statekey.Grouped {
		return true
	}
	s.compacted = true
	wanted, ok := s.survey()
	if !ok {
		return false
	}
	if l := s.layoutFor(wanted, 0); l.SlotBytes() < s.layout.SlotBytes() {
		return s.change(l)
	}
	return true
}

// layoutFor makes the layout for words that need the given bits, with more bits than usual for a
// group.
func (s *store) layoutFor(wanted statekey.Demand, more uint8) statekey.Layout {
	l := statekey.NewLayout(wanted, s.states.Count)
	if l.Kind != statekey.Direct {
		if g, ok := statekey.NewGrouped(s.foundStates(), wanted, more); ok {
			l = g
		}
	}
	if l.Kind == statekey.Folded {
		order := l.Order()
		if s.layout.Kind == statekey.Folded {
			order = s.layout.Order()
		}
		l, s.folded = statekey.BestOrder(s.foundStates(), order, wanted.Now), s.states.Count
	}
	return l
}

// change gives every state found a key of the layout.
func (s *store) change(l statekey.Layout) bool {
	s.visited.Clear()
	s.use(l)
	return s.rebuild()
}

// survey measures how many bits the words take, of the states found and of all that ever did not
// fit. If only the latest of these counted, two layouts for a round, each too narrow for other
// words, could alternate forever. It reports false if the check must end.
func (s *store) survey() (statekey.Demand, bool) {
	ok := s.pool.each(s.states.ChunkCount(), false, func(w *worker, task int) {
		if s.cancelled() {
			return
		}
		if len(w.most) == 0 {
			w.most = make([]uint32, s.states.Width)
		}
		first := uint64(task) << statelog.ChunkBits
		for i := first; i < min(first+statelog.ChunkStates, uint64(s.states.Count)); i++ {
			statekey.Raise(w.most, w.cursor.Vector(uint32(i)))
		}
	})
	most := make([]uint32, s.states.Width)
	for _, w := range s.pool.workers {
		statekey.Raise(most, w.most)
		w.narrow = false
	}
	if s.cancelled() {
		return statekey.Demand{}, s.haltCancelled()
	}
	return statekey.DemandOf(most), ok
}

// use gives all workers the layout.
func (s *store) use(l statekey.Layout) {
	s.layout = l
	s.visited.Wide, s.visited.Bytes = l.Wide(), l.SlotBytes()
	if l.Kind == statekey.Folded {
		s.pairs = &statekey.PairTable{}
	}
	for _, w := range s.pool.workers {
		w.keyer.Layout = l
		s.budget.Take(w.recent.Fit(s.states.Count, l.Wide()))
		if l.Kind == statekey.Folded {
			w.keyer.Folder = statekey.NewFolder(s.pairs, l.Leaves)
		}
	}
}

// rebuild fills the visited set, which is empty, with the keys of all states in the log. It reports
// false if the check must end.
func (s *store) rebuild() bool {
	for from := uint32(0); from < s.states.Count; {
		if s.cancelled() {
			return s.haltCancelled()
		}
		to := from + min(s.roundMost(), s.states.Count-from)
		blocks := s.cut(from, to)
		if !s.pool.each(len(blocks), false, func(w *worker, task int) { s.refill(w, blocks[task]) }) {
			return false
		}
		total := uint64(0)
		s.lookUp(blocks, true, inlineBelow)
		for _, b := range blocks {
			b.CountFresh()
			total += uint64(b.Count)
		}
		switch {
		case s.narrow():
			return s.halt(StoppedByStates)
		case s.budget.Exceeded.Load():
			return s.halt(StoppedByMemory)
		case total != uint64(to-from) && !s.visited.Lossy:
			panic("checker: two states of the log have the same key")
		}
		from = to
	}
	s.countBuffers()
	return true
}

// refill fills a block with its own states.
func (s *store) refill(w *worker, b *stateset.Block) {
	for i := b.From; i < b.To; i++ {
		state := w.cursor.Vector(i)
		if !w.keyer.Make(state, b.Width) {
			w.narrow = true
			return
		}
		b.Keys = append(b.Keys, w.keyer.Keys[0])
		if s.visited.Wide {
			b.Second = append(b.Second, w.keyer.Second[0])
		}
	}
	b.Partition(s.visited.Bits)
}

const (
	orderAgain = 8       // the order of folding is chosen again when there are this many times more states
	orderFrom  = 1 << 16 // and at least this number
)

// foundStates gives access to the states found.
func (s *store) foundStates() statekey.Found {
	reader := statelog.NewCursor(&s.states)
	return statekey.Found{Count: s.states.Count, Vector: reader.Vector, Cancelled: s.cancelled}
}

// reorder folds again if there are many more states than when the order was chosen and another
// order proves better. It reports false if the check must end.
func (s *store) reorder() bool {
	if s.layout.Kind != statekey.Folded || s.states.Count < orderFrom || s.states.Count/orderAgain < s.folded {
		return true
	}
	s.folded = s.states.Count
	wanted, ok := s.survey()
	if !ok {
		return false
	}
	order := s.layout.Order()
	l := statekey.BestOrder(s.foundStates(), order, wanted.Now)
	if slices.Equal(l.Order(), order) {
		return true
	}
	s.discardRound()
	return s.change(l)
}

const (
	// stretchBytes is the size of the buffers of a stretch as one round. A stretch is a run of
	// rounds between two looks at the limits and at the properties that are still open.
	stretchBytes = 20 << 20
	// leastRound and mostRound bound the states to expand in one round. Larger rounds take more
	// memory where states have few successors, many of them new. Smaller ones lose time where
	// states have many successors, since each shard is then visited for few candidates at a time.
	leastRound, mostRound = 64, 1 << 16
)

// candidates is about how many successors are produced in a stretch.
func (s *store) candidates() uint64 {
	bytes := uint64(stretchBytes)
	if limit := s.options.MemoryLimitBytes; limit > 0 {
		bytes = min(bytes, limit/16)
	}
	return max(bytes/uint64(4*s.states.Width+32), 256)
}

// roundMost is the largest number of states to expand in one round.
func (s *store) roundMost() uint32 { return uint32(min(max(s.candidates(), leastRound), mostRound)) }
