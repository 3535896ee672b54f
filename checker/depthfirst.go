package checker

// depthFirstStates is how many states are expanded before the search goes deeper. The textbook
// takes one at a time, which would leave the workers idle. It does not depend on the number of
// workers, so neither does what is found.
const depthFirstStates = 128

// boundStep is the default of [Options.BoundStep].
const boundStep = 50

// span is a run of states, found in one round, that are not yet expanded.
type span struct {
	from, to uint32
	depth    int // of each of them, along the tree of the search
}

// depthFirst is the state of a search of order DepthFirst or IterativeBound.
type depthFirst struct {
	stack     []span
	beyond    []span // at the bound: to be expanded once it is raised
	bound     int    // 0: none
	deepest   int
	waiting   uint64 // states not yet expanded
	truncated bool   // some states at MaxDepth were not expanded
}

// searchDepthFirst visits every state, those found last first.
func (e *engine) searchDepthFirst() {
	d := &e.deep
	if e.options.Order == IterativeBound {
		d.bound = e.options.BoundStep
	}
	d.push(span{0, e.states.Count, 0})
	for {
		if !e.searchToBound() {
			return
		}
		if len(d.beyond) == 0 {
			break
		}
		d.stack, d.beyond = d.beyond, d.stack
		d.bound += e.options.BoundStep
	}
	switch {
	case d.truncated:
		e.halt(StoppedByDepth)
	case e.visited.Lossy:
		e.halt(StoppedByOmission)
	default:
		e.complete = true
		e.decideAfterSearch()
	}
}

// searchToBound empties the stack. It reports false if the check must end.
func (e *engine) searchToBound() bool {
	d := &e.deep
	for len(d.stack) > 0 {
		top := &d.stack[len(d.stack)-1]
		switch {
		case e.violated() && !e.options.ContinueAfterViolation, e.decided():
			return e.halt(StoppedByViolation)
		case e.tooMany():
			return e.halt(StoppedByStates)
		case e.options.MaxDepth > 0 && top.depth >= e.options.MaxDepth:
			d.truncated = true
			d.pop()
			continue
		case d.bound > 0 && top.depth >= d.bound:
			d.beyond = append(d.beyond, *top)
			d.stack = d.stack[:len(d.stack)-1]
			continue
		}
		if !e.reorder() || !e.expandTop(top) {
			return false
		}
		e.reportIfDue()
	}
	return true
}

// expandTop expands the first states of the topmost span, and puts their successors above it.
func (e *engine) expandTop(top *span) bool {
	d, n, before := &e.deep, min(top.to-top.from, depthFirstStates), e.states.Count
	if !e.round(top.from, top.from+n) {
		return false
	}
	e.midRound = false
	e.reopen()
	top.from += n
	d.waiting -= uint64(n)
	depth := top.depth + 1
	if top.from == top.to {
		d.pop()
	}
	d.push(span{before, e.states.Count, depth})
	return true
}

// push puts a span on the stack unless it is empty.
func (d *depthFirst) push(s span) {
	if s.from == s.to {
		return
	}
	d.stack = append(d.stack, s)
	d.waiting += uint64(s.to - s.from)
	d.deepest = max(d.deepest, s.depth)
}

// pop drops the topmost span of the stack.
func (d *depthFirst) pop() {
	top := d.stack[len(d.stack)-1]
	d.waiting -= uint64(top.to - top.from)
	d.stack = d.stack[:len(d.stack)-1]
}
