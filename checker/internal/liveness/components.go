package liveness

import "github.com/canvass-grid/canvass/checker/internal/statelog"

// components finds the strongly connected components of a part of the graph, by Tarjan's algorithm
// in Pearce's form, with one word for each state and no recursion.
//
// A component is found after all components that can be reached from it by the edges that count.
type components struct {
	graph  *Graph
	within bitset // the part: edges that leave it do not count
	// lasting leaves out the edges of classes that are Finite, too.
	lasting bool
	// order is 0 for a state not yet visited, then the time of its visit and, once its component is
	// known, the mark of the component. Times grow from 1 and marks fall from the largest value.
	// Since the time is set back when a component is found, the two never meet.
	order  []uint32
	time   uint32
	marks  uint32
	stack  []uint32 // visited, component unknown
	frames []frame  // the path that is being explored

	// found is called for each component with its states and its mark.
	found func(members []uint32, mark uint32)
	watch *watch
}

// frame is a state on the path that is being explored.
type frame struct {
	state uint32
	edge  uint32 // the next edge to look at
	low   uint32 // the earliest time known to be reachable
}

// explore finds the components of all states that can be reached from root.
func (c *components) explore(root uint32) {
	if c.order[root] != 0 {
		return
	}
	c.visit(root)
	for len(c.frames) > 0 {
		c.watch.look()
		top := &c.frames[len(c.frames)-1]
		if next, deeper := c.scan(top); deeper {
			c.visit(next)
			continue
		}
		state, low := top.state, top.low
		c.frames = c.frames[:len(c.frames)-1]
		if low == c.order[state] {
			c.complete(state)
		}
		if n := len(c.frames); n > 0 {
			c.frames[n-1].low = min(c.frames[n-1].low, low)
		}
	}
}

// visit pushes a state on the path.
func (c *components) visit(state uint32) {
	c.time++
	c.order[state] = c.time
	c.stack = append(c.stack, state)
	c.frames = append(c.frames, frame{state: state, low: c.time})
}

// scan looks at the edges of a state until one leads to a state not yet visited.
func (c *components) scan(f *frame) (next uint32, deeper bool) {
	targets, classes := c.graph.edges(f.state)
	for int(f.edge) < len(targets) {
		target, class := targets[f.edge], classes[f.edge]
		f.edge++
		switch {
		case !c.within.has(target) || c.lasting && c.graph.marks.Finite[class]:
		case c.order[target] == 0:
			return target, true
		default:
			f.low = min(f.low, c.order[target])
		}
	}
	return statelog.NoState, false
}

// complete pops the component of a state off the stack.
func (c *components) complete(state uint32) {
	at := len(c.stack) - 1
	for c.stack[at] != state {
		at--
	}
	members := c.stack[at:]
	c.time -= uint32(len(members))
	for _, m := range members {
		c.order[m] = c.marks
	}
	c.found(members, c.marks)
	c.marks--
	c.stack = c.stack[:at]
}
