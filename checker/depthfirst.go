package checker

// depthFirstStates is how many states are expanded before the search goes deeper. The textbook
// takes one at a time, which would leave the workers idle. It does not depend on the number of
// workers, so neither do the results.
const depthFirstStates = 128

// boundStep is the default of [Options.BoundStep].
const boundStep = 50

// span is a run of states, found in one round, that are not yet expanded.
type span struct {
	from, to uint32
	depth    int // of each of them, along the tree of the search
}

// depthFirst visits every state, those found last first: with a step all down to a bound, then all
// down to a bound one step deeper, and so on.
type depthFirst struct {
	explorer
	stack     []span
	beyond    []span // at the bound: to be expanded once it is raised
	step      int    // 0: no bound
	bound     int    // 0: none
	deepest   int
	left      uint64 // states not yet expanded
	truncated bool   // some states at MaxDepth were not expanded
}

func newDepthFirst(e *engine, step int) *depthFirst {
	return &depthFirst{explorer: explorer{store: newStore(e)}, step: step, bound: step}
}

func (d *depthFirst) run() {
	started, within := d.begin(d.admitInitial)
	if within {
		d.visit()
	}
	if d.end(started) {
		newDecider(d.store, []uint32{0}).checkLiveness()
	}
}

func (d *depthFirst) waiting() uint64 { return d.left }

func (d *depthFirst) depth() int { return d.deepest }

// visit visits every state.
func (d *depthFirst) visit() {
	d.push(span{0, d.states.Count, 0})
	for {
		if !d.searchToBound() {
			return
		}
		if len(d.beyond) == 0 {
			break
		}
		d.stack, d.beyond = d.beyond, d.stack
		d.bound += d.step
	}
	switch {
	case d.truncated:
		d.halt(StoppedByDepth)
	case d.visited.Lossy:
		d.halt(StoppedByOmission)
	default:
		d.complete = true
		d.decideAfterSearch()
	}
}

// searchToBound empties the stack. It reports false if the check must end.
func (d *depthFirst) searchToBound() bool {
	for len(d.stack) > 0 {
		top := &d.stack[len(d.stack)-1]
		switch {
		case d.violated() && !d.options.ContinueAfterViolation, d.decided():
			return d.halt(StoppedByViolation)
		case d.tooMany():
			return d.halt(StoppedByStates)
		case d.options.MaxDepth > 0 && top.depth >= d.options.MaxDepth:
			d.truncated = true
			d.pop()
			continue
		case d.bound > 0 && top.depth >= d.bound:
			d.beyond = append(d.beyond, *top)
			d.stack = d.stack[:len(d.stack)-1]
			continue
		}
		if !d.reorder() || !d.expandTop(top) {
			return false
		}
		d.reportIfDue()
	}
	return true
}

// expandTop expands the first states of the topmost span, and puts their successors above it.
func (d *depthFirst) expandTop(top *span) bool {
	n, before := min(top.to-top.from, depthFirstStates), d.states.Count
	if !d.round(top.from, top.from+n) {
		return false
	}
	d.midRound = false
	d.reopen()
	top.from += n
	d.left -= uint64(n)
	depth := top.depth + 1
	if top.from == top.to {
		d.pop()
	}
	d.push(span{before, d.states.Count, depth})
	return true
}

// push puts a span on the stack unless it is empty.
func (d *depthFirst) push(s span) {
	if s.from == s.to {
		return
	}
	d.stack = append(d.stack, s)
	d.left += uint64(s.to - s.from)
	d.deepest = max(d.deepest, s.depth)
}

// pop drops the topmost span of the stack.
func (d *depthFirst) pop() {
	top := d.stack[len(d.stack)-1]
	d.left -= uint64(top.to - top.from)
	d.stack = d.stack[:len(d.stack)-1]
}
