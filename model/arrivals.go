package model

// At most places one or two different batches ever arrive. A place caches the first ones, each with
// the place that it leads to. An entry never changes once it is set: the upper half is the id of
// the batch's inbox plus one, and the lower half is the place.

// arrived returns the cached place that a batch leads to.
func (p *place) arrived(batch uint32) (next uint32, ok bool) {
	for i := range p.arrivals {
		if entry := p.arrivals[i].Load(); uint32(entry>>32) == batch+1 {
			return uint32(entry), true
		}
	}
	return 0, false
}

// remember caches the place that a batch leads to. It returns false if the cache is full.
func (p *place) remember(batch, next uint32) bool {
	entry := uint64(batch+1)<<32 | uint64(next)
	for i := range p.arrivals {
		if p.arrivals[i].CompareAndSwap(0, entry) || p.arrivals[i].Load() == entry {
			return true
		}
	}
	return false
}

// arrive returns the place of a node after more messages were sent to it. Messages that do not
// reach its present incarnation vanish.
func (k *worker[S, M, C]) arrive(node int, at, more uint32) uint32 {
	p := k.places[node].at(at)
	if next, ok := p.arrived(more); ok {
		return next
	}
	there := at*MaxNodes + uint32(node) // each node has its own ids of places
	if next, ok := k.arrived.Get(there, more); ok {
		return next
	}
	next := at
	if box := k.reachable(more, k.slots.Value(p.slotID)); box != k.empty {
		next = k.internPlace(node, p.slotID, k.with(p.boxID, box))
	}
	if p.remember(more, next) {
		return next
	}
	return k.arrived.Put(there, more, next)
}
