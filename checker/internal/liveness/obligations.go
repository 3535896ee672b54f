package liveness

import (
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// Obligations are the states of one liveness property with an open obligation.
type Obligations struct {
	graph     *Graph
	kind      Kind
	states    uint32
	levels    []uint32 // by depth: the first state
	Goal      bitset
	Trigger   bitset
	open      bitset
	queue     []uint32 // the open states, by their distance from an initial state while open
	parent    []uint32 // of an open state: the open state before, or NoState where the obligation begins
	bad       bitset   // the open states from which there is no way on
	remaining bitset   // to decompose again: see refine
	watch     watch
}

// Kind is the demand on a state with an open obligation.
type Kind uint8

const (
	// MustMeet: every fair run meets the goal.
	MustMeet Kind = iota
	// MayMeet: some path from where the obligation begins leads to a goal.
	MayMeet
	// MayAlwaysMeet: some path to a goal remains for as long as the obligation is open.
	MayAlwaysMeet
)

// Evidence shows a violation: where the obligation begins, the states from there on that keep it
// open, and for a fair cycle the loop.
type Evidence struct {
	Begin      uint32
	Open, Loop []Hop
}

// Hop is a step to a state. The action is its index in the Expand order of the state before;
// AnyAction stands for the first action that leads there.
type Hop struct {
	State  uint32
	Action int
}

const AnyAction = -1

// Bytes is about how much memory the obligations of a number of states take.
func Bytes(states uint32) int {
	return 4*int(states)*9 + 6*int(states)/8 // queue, parent, order, stack, frames, tree, fringe; six bitsets
}

// New prepares the decision of a property. The caller then fills in Goal and Trigger.
func New(g *Graph, kind Kind, states uint32, levels []uint32) *Obligations {
	return &Obligations{
		graph: g, kind: kind, states: states, levels: levels,
		Goal: newBitset(states), Trigger: newBitset(states), open: newBitset(states), bad: newBitset(states),
		parent: make([]uint32, states),
	}
}

// Decide looks for the violation that is nearest to the initial states, and returns the evidence,
// or nil if there is none. It reports false if it was stopped.
func (o *Obligations) Decide(fair []Fairness, steady func() bool) (shown *Evidence, ok bool) {
	ok = o.watch.until(steady, func() {
		o.spread()
		c := o.components(fair)
		o.decompose(c)
		if state, ok := o.firstBad(); ok {
			shown = o.evidence(state, c, fair)
		}
	})
	return shown, ok
}

// Forced returns, after a decision without a violation, those of the given classes without which it
// would have one: the classes that are enabled in an open state where a run could end if it need
// not take them. It reports false if it was stopped.
func (o *Obligations) Forced(unmarked []bool, steady func() bool) (forced []bool, ok bool) {
	forced = make([]bool, len(unmarked))
	ok = o.watch.until(steady, func() { o.force(unmarked, forced) })
	return forced, ok
}

func (o *Obligations) force(unmarked, forced []bool) {
	for _, state := range o.queue {
		o.watch.look()
		enabled := o.graph.enabled(state)
		if slices.ContainsFunc(enabled, func(c uint16) bool { return !unmarked[c] && !o.graph.marks.Idle[c] }) {
			continue
		}
		for _, c := range enabled {
			forced[c] = forced[c] || unmarked[c]
		}
	}
}

// begins reports whether an obligation begins in a state and is not met at once.
func (o *Obligations) begins(state uint32) bool {
	return o.Trigger.has(state) && !o.Goal.has(state)
}

// spread finds the open states, breadth first. The distance of an open state is that of a shortest
// run which ends in it with the obligation open: a shortest path to where it begins, which the
// search has found, and then a path through open states.
func (o *Obligations) spread() {
	levels := o.levels
	front := 0 // the open states found but not yet followed begin here
	for depth := 0; depth < len(levels) || front < len(o.queue); depth++ {
		if depth < len(levels) {
			end := o.states
			if depth+1 < len(levels) {
				end = levels[depth+1]
			}
			for state := levels[depth]; state < end; state++ {
				o.watch.look()
				if o.begins(state) {
					o.enter(state, statelog.NoState)
				}
			}
		}
		last := len(o.queue)
		for ; front < last; front++ {
			o.watch.look()
			targets, _ := o.graph.edges(o.queue[front])
			for _, target := range targets {
				if !o.Goal.has(target) {
					o.enter(target, o.queue[front])
				}
			}
		}
	}
}

// enter makes a state open unless it is.
func (o *Obligations) enter(state, parent uint32) {
	if o.open.has(state) {
		return
	}
	o.open.Add(state)
	o.parent[state] = parent
	o.queue = append(o.queue, state)
}

// components prepares the decomposition of the open states. Each component is checked as soon as it
// is found.
func (o *Obligations) components(fair []Fairness) *components {
	c := &components{
		graph:  o.graph,
		within: o.open,
		order:  make([]uint32, o.states),
		marks:  statelog.NoState,
		watch:  &o.watch,
	}
	if o.kind == MustMeet {
		f := newFairTracker(fair)
		c.lasting = true
		c.found = func(members []uint32, mark uint32) { o.checkRuns(f, c, members, mark) }
		return c
	}
	c.found = func(members []uint32, mark uint32) { o.checkReach(c, members, mark) }
	return c
}

// checkRuns marks a component as bad if a run can stay in it forever, or end there.
func (o *Obligations) checkRuns(f *fairTracker, c *components, members []uint32, mark uint32) {
	for _, m := range members {
		if o.graph.ends(m) {
			o.bad.Add(m)
		}
	}
	if len(members) == 1 && o.bad.has(members[0]) {
		return
	}
	f.reset()
	cyclic := false
	for _, m := range members {
		o.watch.look()
		cyclic = f.pass(o.graph, m, func(target uint32) bool { return c.order[target] == mark }) || cyclic
	}
	switch {
	case !cyclic:
	case f.satisfied():
		for _, m := range members {
			o.bad.Add(m)
		}
	case f.mendable():
		o.refine(f, members)
	}
}

// checkReach marks a component as bad if no goal can be reached from it. The components that it
// leads to were checked before, and a way out of the open states leads to a goal.
func (o *Obligations) checkReach(c *components, members []uint32, mark uint32) {
	for _, m := range members {
		o.watch.look()
		targets, _ := o.graph.edges(m)
		for _, target := range targets {
			if c.order[target] != mark && !o.bad.has(target) {
				return
			}
		}
	}
	for _, m := range members {
		o.bad.Add(m)
	}
}

// firstBad finds the violation that is nearest to the initial states.
func (o *Obligations) firstBad() (uint32, bool) {
	for _, state := range o.queue {
		o.watch.look()
		if o.bad.has(state) && (o.kind != MayMeet || o.begins(state)) {
			return state, true
		}
	}
	return statelog.NoState, false
}
