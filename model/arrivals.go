package model

// At most places one or two different parcels ever arrive; those that came first are remembered at
// the place itself, with the place that each makes of it. An entry never changes once it is there:
// what arrives stands in the upper half, one more than its id, and what comes of it in the lower
// half.

// arrived returns what comes of a parcel that arrives at this place, if the place remembers it.
func (p *place) arrived(parcel uint32) (next uint32, ok bool) {
	for i := range p.arrivals {
		if entry := p.arrivals[i].Load(); uint32(entry>>32) == parcel+1 {
			return uint32(entry), true
		}
	}
	return 0, false
}

// remember keeps what comes of a parcel. It reports false if there is no room left for it.
func (p *place) remember(parcel, next uint32) bool {
	entry := uint64(parcel+1)<<32 | uint64(next)
	for i := range p.arrivals {
		if p.arrivals[i].CompareAndSwap(0, entry) || p.arrivals[i].Load() == entry {
			return true
		}
	}
	return false
}

// arrive returns the place of a node with more messages in its inbox, as far as it is there for
// them.
func (k *worker[S, M, C]) arrive(node int, at, more uint32) uint32 {
	p := k.places[node].at(at)
	if next, ok := p.arrived(more); ok {
		return next
	}
	there := at*MaxNodes + uint32(node) // ids of places are those of one node
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
