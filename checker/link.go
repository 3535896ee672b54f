package checker

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/liveness"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// link builds the graph by expanding every state once more. It returns nil if the check must end.
func (e *engine) link() *liveness.Graph {
	e.phase = Linking
	if !e.enumerate() {
		return nil
	}
	e.queue = uint64(e.states.Count)
	chunks := e.states.ChunkCount()
	g := liveness.NewGraph(chunks, liveness.Marks{Finite: e.classesThat(isFinite), Idle: e.classesThat(mayBeLeft)})
	const stretch = 64 // chunks between two looks at the limits
	for from := 0; from < chunks; from += stretch {
		n := min(stretch, chunks-from)
		ok := e.pool.each(n, false, func(w *worker, task int) { e.linkChunk(w, g, from+task) })
		switch {
		case !ok:
			return nil
		case e.cancelled():
			e.haltCancelled()
			return nil
		case e.metNewSuccessor():
			e.failure = &ContractError{"Expand does not return the same successors again: a state has a new one"}
			return nil
		case !e.checkMemory():
			return nil
		}
		e.queue -= min(e.queue, stretch*statelog.ChunkStates)
		e.reportIfDue()
	}
	if class := e.miscounted(); class >= 0 {
		e.failure = &ContractError{fmt.Sprintf("Expand does not return the same successors again: "+
			"the number of actions of class %s has changed", e.classes[class].Name)}
		return nil
	}
	return g
}

// miscounted returns a class with another number of transitions than in the search, or -1. With
// reductions the graph may have other transitions than the search.
func (e *engine) miscounted() int {
	if len(e.applied) > 0 {
		return -1
	}
	for class, n := range e.counts {
		for _, w := range e.pool.workers {
			n -= w.classes[class]
		}
		if n != 0 {
			return class
		}
	}
	return -1
}

// metNewSuccessor reports whether a worker met a successor that the search had not found.
func (e *engine) metNewSuccessor() bool {
	return slices.ContainsFunc(e.pool.workers, func(w *worker) bool { return w.metNew })
}

// linkChunk builds one chunk of the graph.
func (e *engine) linkChunk(w *worker, g *liveness.Graph, chunk int) {
	if e.cancelled() {
		return
	}
	first := uint32(chunk) << statelog.ChunkBits
	last := uint32(min(uint64(first)+statelog.ChunkStates, uint64(e.states.Count)))
	b := &w.edges
	b.Reset()
	for i := first; i < last; {
		w.out.Reset()
		for ; i < last && len(w.out.classes) < batch; i++ {
			if e.over.Load() {
				return
			}
			b.Starts = append(b.Starts, uint32(len(b.Targets)+len(w.out.classes)))
			e.linkOne(w, i)
		}
		if !w.keyer.Make(w.out.words, e.states.Width) {
			w.metNew = true
			return
		}
		e.visited.Touch(&w.keyer)
		for j := range w.keyer.Keys {
			target, ok := e.visited.Ordinal(&w.keyer, j)
			w.metNew = w.metNew || !ok
			b.Targets = append(b.Targets, target)
		}
		b.Classes = append(b.Classes, w.out.classes...)
		w.count()
	}
	if e.budget.Take(b.Close()) {
		g.Set(chunk, b)
	}
}

// linkOne appends the successors of a state to the worker's buffer, and records what is enabled
// where not all of them are explored.
func (e *engine) linkOne(w *worker, i uint32) {
	w.state = i
	state := w.cursor.Vector(i)
	w.out.mark()
	if !w.expand(state, &w.out) {
		return
	}
	w.hidden.Reset()
	w.call(callExpand, 0)
	w.model.Expand(state, &w.hidden)
	w.edges.AddReduced(i, w.hidden.classes)
}

// enumerate writes the number of each state beside its key: the search does not use these numbers,
// but the graph needs them. It reports false if the check must end. Keys are exact: see
// Options.Storage.
func (e *engine) enumerate() bool {
	if !e.visited.AllotOrdinals() {
		return e.halt(StoppedByMemory)
	}
	ok := e.pool.each(e.states.ChunkCount(), false, func(w *worker, task int) {
		if e.over.Load() {
			return
		}
		first := uint64(task) << statelog.ChunkBits
		for i := first; i < min(first+statelog.ChunkStates, uint64(e.states.Count)); i++ {
			state := w.cursor.Vector(uint32(i))
			if !w.keyer.Make(state, len(state)) {
				panic("checker: a state of the log has no key")
			}
			if !e.visited.SetOrdinal(&w.keyer, uint32(i)) {
				panic("checker: a state of the log is not in the visited set")
			}
		}
	})
	if ok && e.cancelled() {
		return e.haltCancelled()
	}
	return ok
}
