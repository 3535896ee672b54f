package checker

import "slices"

// evidence shows a violation: the shortest way to a bad state that keeps the obligation open, and for a fair cycle the
// way round it.
func (o *obligations) evidence(bad uint32, c *components, fair []fairnessKind) *evidence {
	if o.kind == mayMeet {
		return &evidence{begin: bad}
	}
	v := &evidence{begin: bad}
	for ; o.parent[v.begin] != noState; v.begin = o.parent[v.begin] {
		v.open = append(v.open, hop{v.begin, anyAction})
	}
	slices.Reverse(v.open)
	if o.kind == mustMeet && !o.graph.ends(bad) {
		v.loop = o.cycle(bad, c, fair)
	}
	return v
}

// cycle goes from a state of a fair component through the component and back, by way of whatever
// fairness demands: each time to the nearest place that meets a class not met so far. It is short, but
// the shortest such cycle is not promised.
func (o *obligations) cycle(entry uint32, c *components, fair []fairnessKind) []hop {
	w := &walk{
		graph:  o.graph,
		inside: func(state uint32) bool { return c.order[state] == c.order[entry] },
		tree:   make([]uint32, o.states),
	}
	for i := range w.tree {
		w.tree[i] = noState
	}
	f := newFairness(fair)
	f.rest(o.graph, entry)
	at := entry
	var round []hop
	follow := func(accept func(state uint32) (edge int, ok bool)) {
		leg := w.nearest(at, accept)
		for _, step := range leg {
			_, classes := o.graph.edges(at)
			f.meet(int(classes[step.action]))
			f.rest(o.graph, step.state)
			at = step.state
		}
		round = append(round, leg...)
	}
	// On the way home more strong classes may turn out to be enabled: then it goes on. None does so twice.
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
	graph  *graph
	inside func(state uint32) bool
	tree   []uint32 // the state before, or noState if not found; all noState between searches
	fringe []uint32
}

// nearest returns the steps from a state to the nearest one that is accepted and, if accept names an
// edge of that state, along the edge. There is such a state.
func (w *walk) nearest(from uint32, accept func(state uint32) (edge int, ok bool)) []hop {
	w.fringe = append(w.fringe[:0], from)
	w.tree[from] = from
	defer func() {
		for _, state := range w.fringe {
			w.tree[state] = noState
		}
	}()
	for i := 0; i < len(w.fringe); i++ {
		state := w.fringe[i]
		if edge, ok := accept(state); ok {
			return w.steps(from, state, edge)
		}
		targets, classes := w.graph.edges(state)
		for i, target := range targets {
			if w.inside(target) && w.tree[target] == noState && !w.graph.finite[classes[i]] {
				w.tree[target] = state
				w.fringe = append(w.fringe, target)
			}
		}
	}
	panic("checker: a strongly connected component is not")
}

// steps reads the way found from the tree, with the actions taken.
func (w *walk) steps(from, to uint32, edge int) []hop {
	var hops []hop
	if edge >= 0 {
		targets, _ := w.graph.edges(to)
		hops = append(hops, hop{targets[edge], edge})
	}
	for to != from {
		before := w.tree[to]
		hops = append(hops, hop{to, w.graph.lasting(before, to)})
		to = before
	}
	slices.Reverse(hops)
	return hops
}

// meets reports whether a state meets a class that is still to be met: by itself, or by one of its
// inner transitions, which it then names.
func (w *walk) meets(f *fairness, state uint32) (edge int, ok bool) {
	if f.useful(w.graph, state) {
		return -1, true
	}
	targets, classes := w.graph.edges(state)
	for i, target := range targets {
		if w.inside(target) && f.needs(int(classes[i])) && !w.graph.finite[classes[i]] {
			return i, true
		}
	}
	return -1, false
}
