package lease

import "github.com/canvass-grid/canvass/protocol"

// look begins to look for a generation.
func (n *node) look() {
	n.Phase, n.Generation, n.Founder, n.Contact = Looking, n.tried(), protocol.NodeID{}, protocol.NodeID{}
	n.Answers = make([]Answer, len(n.cfg.Witnesses))
	n.afresh = append(n.afresh, Timer(ResendTimer))
}

// tried is the generation that the node last asked to found.
func (n *node) tried() uint32 {
	if n.Phase == Founding || n.Phase == Looking {
		return n.Generation
	}
	return 0
}

// decide joins the newest generation of which a member is known. If a majority knows that nobody is
// there, it asks to found the next one.
func (n *node) decide() {
	best, vacant, newest, contested := View{}, 0, uint32(0), false
	for _, a := range n.Answers {
		v := a.View
		if a.Kind != Refusal || a.Reason.final() {
			continue
		}
		if !v.Contact.IsNobody() && v.Generation > best.Generation {
			best = v
		}
		if v.Vacant {
			vacant++
		}
		newest = max(newest, v.Generation, v.Promised)
		contested = contested || v.Generation == n.Generation || v.Promised == n.Generation && v.Promisee != n.Self
	}
	switch {
	case best.Generation > 0:
		n.join(best.Generation, best.Founder, best.Contact)
	case vacant >= n.cfg.majority():
		n.found(newest, contested)
	}
}

// found asks for promises. A generation that was promised to others, too, is not asked for again.
func (n *node) found(newest uint32, contested bool) {
	if n.Generation == 0 || n.Generation < newest || contested {
		n.Generation = newest + 1
	}
	n.Phase = Founding
	n.Answers = make([]Answer, len(n.cfg.Witnesses))
	n.afresh = append(n.afresh, Timer(ResendTimer))
	n.askAll(Message{Kind: Found, Generation: n.Generation, Nonce: n.Nonce})
}

// promised counts a promise. A node that has a majority is the only founder of the generation.
func (n *node) promised(w int, from protocol.NodeID, generation uint32) {
	if n.Phase != Founding || generation != n.Generation {
		n.ignore(from, "not the generation to be founded")
		return
	}
	n.Answers[w] = Answer{Kind: Consent}
	if n.count(func(a Answer) bool { return a.Kind == Consent }) >= n.cfg.majority() {
		n.join(generation, n.Self, protocol.NodeID{})
	}
}
