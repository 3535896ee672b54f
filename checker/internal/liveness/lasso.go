package liveness

import (
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// evidence shows a violation: the shortest path to a bad state that keeps the obligation open, and
// for a fair cycle the loop.
func (o *Obligations) evidence(bad uint32, c *components, fair []Fairness) *Evidence {
	if o.kind == MayMeet {
		return &Evidence{Begin: bad}
	}
	v := &Evidence{Begin: bad}
	for ; o.parent[v.Begin] != statelog.NoState; v.Begin = o.parent[v.Begin] {
		v.Open = append(v.Open, Hop{v.Begin, AnyAction})
	}
	slices.Reverse(v.Open)
	if o.kind == MustMeet && !o.graph.ends(bad) {
		v.Loop = o.cycle(bad, c, fair)
	}
	return v
}

// cycle goes from a state of a fair component through the component and back, past the states that
// fairness demands: each time to the nearest state that meets a class not met so far. The loop is
// short, but not always the shortest.
func (o *Obligations) cycle(entry uint32, c *components, fair []Fairness) []Hop {
	w := &walk{
		graph:  o.graph,
		watch:  &o.watch,
		inside: func(state uint32) bool { return c.order[state] == c.order[entry] },
		tree:   make([]uint32, o.states),
	}
	for i := range w.tree {
		w.tree[i] = statelog.NoState
	}
	f := newFairTracker(fair)
	f.visit(o.graph, entry)
	at := entry
	var round []Hop
	follow := func(accept func(state uint32) (edge int, ok bool)) {
		leg := w.nearest(at, accept)
		for _, step := range leg {
			_, classes := o.graph.edges(at)
			f.meet(int(classes[step.Action]))
			f.visit(o.graph, step.State)
			at = step.State
		}
		round = append(round, leg...)
	}
	// On the way back more strong classes may turn out to be enabled: then it goes on. No class
	// does so twice.
	for len(round) == 0 || at != entry || !f.satisfied() {
		if !f.satisfied() {
			follow(func(state uint32) (int, bool) { return w.meets(f, state) })
			continue
		}
		follow(func(state uint32) (int, bool) {
			edge := o.graph.lasting(state, entry)
			return edge, edge >= 0
		})
	}
	return round
}

// walk searches a component, breadth first.
type walk struct {
	graph  *Graph
	watch  *watch
	inside func(state uint32) bool
	tree   []uint32 // the state before, or NoState if not found; all NoState between searches
	fringe []uint32
}

// nearest returns the steps from a state to the nearest accepted one and, if accept names an edge
// of that state, along the edge. There is such a state.
func (w *walk) nearest(from uint32, accept func(state uint32) (edge int, ok bool)) []Hop {
	w.fringe = append(w.fringe[:0], from)
	w.tree[from] = from
	defer func() {
		for _, state := range w.fringe {
			w.tree[state] = statelog.NoState
		}
	}()
	for i := 0; i < len(w.fringe); i++ {
		w.watch.look()
		state := w.fringe[i]
		if edge, ok := accept(state); ok {
			return w.steps(from, state, edge)
		}
		targets, classes := w.graph.edges(state)
		for i, target := range targets {
			if w.inside(target) && w.tree[target] == statelog.NoState && !w.graph.marks.Finite[classes[i]] {
				w.tree[target] = state
				w.fringe = append(w.fringe, target)
			}
		}
	}
	panic("checker: a component is not strongly connected")
}

// steps reads the path found from the tree, with the actions taken.
func (w *walk) steps(from, to uint32, edge int) []Hop {
	var hops []Hop
	if edge >= 0 {
		targets, _ := w.graph.edges(to)
		hops = append(hops, Hop{targets[edge], edge})
	}
	for to != from {
		before := w.tree[to]
		hops = append(hops, Hop{to, w.graph.lasting(before, to)})
		to = before
	}
	slices.Reverse(hops)
	return hops
}

// meets reports whether a state meets a class that is still to be met: by itself, or by one of its
// inner transitions, which it then returns.
func (w *walk) meets(f *fairTracker, state uint32) (edge int, ok bool) {
	if f.useful(w.graph, state) {
		return -1, true
	}
	targets, classes := w.graph.edges(state)
	for i, target := range targets {
		if w.inside(target) && f.needs(int(classes[i])) && !w.graph.marks.Finite[classes[i]] {
			return i, true
		}
	}
	return -1, false
}
