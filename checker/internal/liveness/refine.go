package liveness

// A component in which a strongly fair class is enabled somewhere and taken nowhere is not fair as a whole, but a
// part of it may be. A run that stays in the component and is fair passes the states where the class is enabled
// only finitely often. So these are removed, and what remains is decomposed again, until what is found is fair
// or nothing is left (the emptiness of a Streett automaton: Emerson and Lei, 1987). After a class has been the
// cause of a removal it is enabled nowhere in what remains of the component, so there is at most one pass for
// each strongly fair class, and one more.

// decompose finds and judges the components of the open states. It reports false if it was told to stop.
func (o *Obligations) decompose(c *components) bool {
	for {
		for _, state := range o.queue {
			if c.within.has(state) && !c.explore(state) {
				return false
			}
		}
		if o.remaining == nil {
			return true
		}
		c.restart(o.remaining)
		o.remaining = nil
	}
}

// refine removes from a component the states where a strongly fair class is enabled that is taken nowhere inside,
// and notes the others for the next pass.
func (o *Obligations) refine(f *fairTracker, members []uint32) {
	if o.remaining == nil {
		o.remaining = newBitset(o.states)
	}
	for _, m := range members {
		if !f.owes(o.graph, m) {
			o.remaining.Add(m)
		}
	}
}

// restart prepares the decomposition of a part of what was decomposed before, which must have lost a state of each
// component that it belongs to. Marks go on falling: a component that is decomposed again can be counted against a
// state that it lost, and one that is not against one of its own, so even so there are no more marks than states.
func (c *components) restart(part bitset) {
	c.within = part
	part.each(func(state uint32) { c.order[state] = 0 })
}
