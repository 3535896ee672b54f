package lease

import "github.com/canvass-grid/canvass/protocol"

// look begins to look for a generation. The number of a generation that the node asked to found
// stays.
func (n holder) look() {
	if n.Phase != Founding {
		n.Generation = 0
	}
	n.Phase, n.Founder, n.Contact = Looking, protocol.NodeID{}, protocol.NodeID{}
	n.Answers = make([]Answer, len(n.cfg.Witnesses))
	n.afresh = append(n.afresh, Timer(ResendTimer))
}

// decide joins a generation when a witness names a member of it. If a majority reports that no node
// is there, the node asks to found the next one.
func (n holder) decide(heard Answer) {
	if v := heard.View; !heard.Reason.isFinal() && !v.Contact.IsNobody() {
		n.join(v.Generation, v.Founder, v.Contact)
		return
	}
	vacant, newest, contested := 0, uint32(0), false
	for _, a := range n.Answers {
		if a.Reason.isFinal() {
			continue
		}
		v := a.View
		if v.Vacant {
			vacant++
		}
		newest = max(newest, v.Generation, v.Promised)
		contested = contested || v.Generation == n.Generation || v.Promised == n.Generation && v.Promisee != n.Self
	}
	if vacant >= n.cfg.majority() {
		n.foundNext(newest, contested)
	}
}

// foundNext asks for promises. A generation that was promised to others, too, is not asked for
// again.
func (n holder) foundNext(newest uint32, contested bool) {
	if n.Generation == 0 || n.Generation < newest || contested {
		n.Generation = newest + 1
	}
	n.Phase = Founding
	n.Answers = make([]Answer, len(n.cfg.Witnesses))
	n.afresh = append(n.afresh, Timer(ResendTimer))
	n.askAll(Message{Kind: Found, Generation: n.Generation, Nonce: n.Nonce})
}

// onPromised counts a promise. A node that has a majority is the only founder of the generation.
func (n holder) onPromised(w int, from protocol.NodeID, generation uint32) {
	if n.Phase != Founding || generation != n.Generation {
		n.Ignore(from, "not the generation to be founded")
		return
	}
	n.Answers[w] = Answer{Kind: Consent}
	if n.count(func(a Answer) bool { return a.Kind == Consent }) >= n.cfg.majority() {
		n.join(generation, n.Self, protocol.NodeID{})
	}
}
