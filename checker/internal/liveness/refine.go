package liveness

// A component in which a strongly fair class is enabled somewhere and taken nowhere is not fair as
// a whole, but a part of it may be. A fair run that stays in the component passes the states where
// the class is enabled only finitely often. So these states are removed, and the rest is decomposed
// again, until a fair component is found or nothing is left (the emptiness of a Streett automaton:
// Emerson and Lei, 1987). A class that has caused a removal is enabled nowhere in the rest of the
// component, so there is at most one pass for each strongly fair class, and one more.

// decompose finds and checks the components of the open states.
func (o *Obligations) decompose(c *components) {
	for {
		for _, state := range o.queue {
			o.watch.look()
			if c.within.has(state) {
				c.explore(state)
			}
		}
		if o.remaining == nil {
			return
		}
		c.restart(o.remaining)
		o.remaining = nil
	}
}

// refine removes from a component the states where a strongly fair class is enabled that is taken
// nowhere inside, and keeps the others for the next pass.
func (o *Obligations) refine(f *fairTracker, members []uint32) {
	if o.remaining == nil {
		o.remaining = newBitset(o.states)
	}
	for _, m := range members {
		o.watch.look()
		if !f.owes(o.graph, m) {
			o.remaining.Add(m)
		}
	}
}

// restart prepares the decomposition of a part of an earlier decomposition, which must have lost a
// state of each component that it belongs to. Marks continue to fall. A component that is
// decomposed again can be counted against a state that it lost, and any other against one of its
// states, so there are never more marks than states.
func (c *components) restart(part bitset) {
	c.within = part
	part.each(func(state uint32) { c.order[state] = 0 })
}
