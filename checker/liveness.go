package checker

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/liveness"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// decider decides the liveness properties of a search that is complete, on the graph of all states.
type decider struct {
	*store
	levels []uint32 // by depth: the first state, as far as the order of the search has levels
}

func newDecider(s *store, levels []uint32) *decider { return &decider{s, levels} }

// checkLiveness decides the liveness properties, once all states are known.
func (d *decider) checkLiveness() {
	g := d.link()
	if g == nil {
		return
	}
	d.phase = Deciding
	for p, property := range d.properties {
		if !property.Shape.Live() {
			continue
		}
		if !d.decide(p, g) {
			return
		}
		d.reportIfDue()
	}
}

// decide decides one property. It reports false if the check must end.
func (d *decider) decide(p int, g *liveness.Graph) bool {
	n := d.states.Count
	bytes := liveness.Bytes(n)
	if !d.budget.Take(bytes) {
		return d.halt(StoppedByMemory)
	}
	defer d.budget.Give(bytes)
	o := liveness.New(g, d.obligationKind(p), n, d.levels)
	if !d.evaluateLive(p, o) {
		return false
	}
	shown, ok := o.Decide(d.fairness(), d.steady)
	if !ok {
		return d.haltCancelled()
	}
	if shown != nil {
		d.findings[p].verdict, d.findings[p].trail = Violated, d.trailOf(shown)
		return true
	}
	if d.properties[p].Shape == LeadsTo {
		if d.findings[p].forced, ok = d.forced(o); !ok {
			return d.haltCancelled()
		}
	}
	d.findings[p].verdict = Holds
	return true
}

// steady reports whether the context allows to go on.
func (b *bounds) steady() bool { return !b.cancelled() }

// forced names the classes without a mark on which the verdict on a LeadsTo rests: see
// [Outcome.Forced]. It reports false if the context has ended.
func (d *decider) forced(o *liveness.Obligations) (names []string, ok bool) {
	unmarked := d.classesThat(isForced)
	if !slices.Contains(unmarked, true) {
		return nil, true
	}
	classes, ok := o.Forced(unmarked, d.steady)
	for i, forced := range classes {
		if forced {
			names = append(names, d.classes[i].Name)
		}
	}
	return names, ok
}

// isForced reports whether a class has no mark.
func isForced(c Class) bool { return !c.Fair && !c.Strong && !c.Finite && !c.Optional }

// obligationKind is the kind of obligation that a property asks about.
func (d *decider) obligationKind(p int) liveness.Kind {
	switch d.properties[p].Shape {
	case Reaches:
		return liveness.MayMeet
	case AlmostSurely:
		return liveness.MayAlwaysMeet
	}
	return liveness.MustMeet
}

// fairness is the fairness assumption for each class of the model.
func (d *decider) fairness() []liveness.Fairness {
	kinds := make([]liveness.Fairness, len(d.classes))
	for i, c := range d.classes {
		switch {
		case c.Strong:
			kinds[i] = liveness.StronglyFair
		case c.Fair:
			kinds[i] = liveness.WeaklyFair
		}
	}
	return kinds
}

// trailOf is the path that shows a violation: a shortest one to where the obligation begins, and on
// from there.
func (d *decider) trailOf(v *liveness.Evidence) trail {
	t := d.trailTo(v.Begin)
	t.trigger = len(t.hops) - 1
	t.hops = append(t.hops, v.Open...)
	if len(v.Loop) > 0 {
		t.loop = len(t.hops) - 1
		t.hops = append(t.hops, v.Loop...)
	}
	return t
}

// evaluateLive evaluates in every state whether it is a goal and whether an obligation begins
// there.
func (d *decider) evaluateLive(p int, o *liveness.Obligations) bool {
	ok := d.pool.each(d.states.ChunkCount(), false, func(w *worker, task int) {
		if d.cancelled() {
			return
		}
		first := uint64(task) << statelog.ChunkBits // a chunk fills whole words of a bitset
		last := min(first+statelog.ChunkStates, uint64(d.states.Count))
		for i := uint32(first); uint64(i) < last; i++ {
			if d.over.Load() {
				return
			}
			w.state = i
			state := w.cursor.Vector(i)
			met := w.ask(callHolds, p, state)
			if met {
				o.Goal.Add(i)
			}
			if w.ask(callTriggers, p, state) {
				o.Trigger.Add(i)
				if !met {
					w.cases[p]++
				}
			}
		}
	})
	if !ok {
		return false
	}
	if d.cancelled() {
		return d.haltCancelled()
	}
	for _, w := range d.pool.workers {
		d.findings[p].cases += w.cases[p]
		w.cases[p] = 0
	}
	return true
}

// link builds the graph by expanding every state once more. It returns nil if the check must end.
func (d *decider) link() *liveness.Graph {
	d.phase = Linking
	if !d.enumerate() {
		return nil
	}
	d.queue = uint64(d.states.Count)
	chunks := d.states.ChunkCount()
	g := liveness.NewGraph(chunks, liveness.Marks{Finite: d.classesThat(isFinite), Idle: d.classesThat(mayBeLeft)})
	const stretch = 64 // chunks between two looks at the limits
	for from := 0; from < chunks; from += stretch {
		n := min(stretch, chunks-from)
		ok := d.pool.each(n, false, func(w *worker, task int) { d.linkChunk(w, g, from+task) })
		switch {
		case !ok:
			return nil
		case d.cancelled():
			d.haltCancelled()
			return nil
		case d.metNewSuccessor():
			d.failure = &ContractError{"Expand does not return the same successors again: a state has a new one"}
			return nil
		case !d.checkMemory():
			return nil
		}
		d.queue -= min(d.queue, stretch*statelog.ChunkStates)
		d.reportIfDue()
	}
	if class := d.miscounted(); class >= 0 {
		d.failure = &ContractError{fmt.Sprintf("Expand does not return the same successors again: "+
			"the number of actions of class %s has changed", d.classes[class].Name)}
		return nil
	}
	return g
}

// miscounted returns a class with another number of transitions than in the search, or -1. With
// reductions the graph may have other transitions than the search.
func (d *decider) miscounted() int {
	if len(d.applied) > 0 {
		return -1
	}
	for class, n := range d.counts {
		for _, w := range d.pool.workers {
			n -= w.classes[class]
		}
		if n != 0 {
			return class
		}
	}
	return -1
}

// metNewSuccessor reports whether a worker met a successor that the search had not found.
func (d *decider) metNewSuccessor() bool {
	return slices.ContainsFunc(d.pool.workers, func(w *worker) bool { return w.metNew })
}

// linkChunk builds one chunk of the graph.
func (d *decider) linkChunk(w *worker, g *liveness.Graph, chunk int) {
	if d.cancelled() {
		return
	}
	first := uint32(chunk) << statelog.ChunkBits
	last := uint32(min(uint64(first)+statelog.ChunkStates, uint64(d.states.Count)))
	b := &w.edges
	b.Reset()
	for i := first; i < last; {
		w.out.Reset()
		for ; i < last && len(w.out.classes) < batch; i++ {
			if d.over.Load() {
				return
			}
			b.Starts = append(b.Starts, uint32(len(b.Targets)+len(w.out.classes)))
			d.linkOne(w, i)
		}
		if !w.keyer.Make(w.out.words, d.states.Width) {
			w.metNew = true
			return
		}
		d.visited.Touch(&w.keyer)
		for j := range w.keyer.Keys {
			target, ok := d.visited.Ordinal(&w.keyer, j)
			w.metNew = w.metNew || !ok
			b.Targets = append(b.Targets, target)
		}
		b.Classes = append(b.Classes, w.out.classes...)
		w.count()
	}
	if d.budget.Take(b.Close()) {
		g.Set(chunk, b)
	}
}

// linkOne appends the successors of a state to the worker's buffer, and records what is enabled
// where not all of them are explored.
func (d *decider) linkOne(w *worker, i uint32) {
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
func (d *decider) enumerate() bool {
	if !d.visited.AllotOrdinals() {
		return d.halt(StoppedByMemory)
	}
	ok := d.pool.each(d.states.ChunkCount(), false, func(w *worker, task int) {
		if d.over.Load() {
			return
		}
		first := uint64(task) << statelog.ChunkBits
		for i := first; i < min(first+statelog.ChunkStates, uint64(d.states.Count)); i++ {
			state := w.cursor.Vector(uint32(i))
			if !w.keyer.Make(state, len(state)) {
				panic("checker: a state of the log has no key")
			}
			if !d.visited.SetOrdinal(&w.keyer, uint32(i)) {
				panic("checker: a state of the log is not in the visited set")
			}
		}
	})
	if ok && d.cancelled() {
		return d.haltCancelled()
	}
	return ok
}
