package lease

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// witness is a node as a witness of leases. It owns Witness in the state.
type witness struct{ *node }

// serve answers what a node asks this witness.
func (n witness) serve(from protocol.NodeID, m Message) {
	switch {
	case n.cfg.witness(n.Self.Address) < 0:
		n.Ignore(from, "this node is no witness")
	case from.Incarnation == 0:
		n.Ignore(from, "not from a life")
	case m.Kind == Ask:
		n.judge(from, m.Peer)
	case n.objection(from, m.Nonce) != 0:
		n.refuse(from, m.Round, n.objection(from, m.Nonce))
	case m.Kind == Look:
		n.refuse(from, 0, Looked)
	case m.Kind == Found:
		n.promise(from, m.Generation)
	default:
		n.grant(from, m)
	}
}

// life returns what is known of an address.
func (n witness) life(a protocol.Address) (at int, l Life) {
	at, known := slices.BinarySearchFunc(n.Witness.Lives, a, func(l Life, a protocol.Address) int {
		return cmp.Compare(l.Address, a)
	})
	if known {
		return at, n.Witness.Lives[at]
	}
	return at, Life{Address: a}
}

// note makes what is known of an address durable, and reports false if there is no room for it.
func (n witness) note(l Life) bool {
	at, known := n.life(l.Address)
	switch {
	case known == l:
		return true
	case known != Life{Address: l.Address}:
		n.Witness.Lives[at] = l
	case len(n.Witness.Lives) >= n.cfg.AddressLimit:
		return false
	default:
		n.Witness.Lives = slices.Insert(n.Witness.Lives, at, l)
	}
	n.durable = true
	return true
}

// objection is the final reason for which an incarnation is refused, or 0.
func (n witness) objection(from protocol.NodeID, nonce uint32) Reason {
	_, l := n.life(from.Address)
	switch {
	case from.Incarnation < l.Incarnation:
		return Superseded
	case from.Incarnation <= l.Condemned:
		return Condemned
	case from.Incarnation == l.Incarnation && nonce != l.Nonce:
		return Copied
	}
	return 0
}

// grant grants a round, unless the generation is closed or has no member to enter through. A
// witness enters another generation once none of its grants to others in the present one is in
// force. So no two generations can have a majority of grants at one time, in spite of any promises.
// The other generation may be an older one, which lives on when the founder of this one has given
// up.
func (n witness) grant(from protocol.NodeID, m Message) {
	w := &n.Witness
	if i := n.grantOf(from); i >= 0 && m.Round < w.Grants[i].Round {
		n.Ignore(from, "a later round was granted")
		return
	}
	present := m.Generation == w.Generation && m.Founder == w.Founder
	closed := m.Generation <= w.Closed
	if closed || !present && !n.isVacantBut(from.Address) {
		if !closed {
			n.fallBehind(from, m.Generation)
		}
		n.refuse(from, m.Round, OtherGeneration)
		return
	}
	if !present {
		n.enter(m.Generation, m.Founder)
	}
	contact := n.contact(from)
	if !m.Member && m.Founder != from && contact.IsNobody() {
		n.refuse(from, m.Round, Alone)
		return
	}
	_, l := n.life(from.Address)
	l.Incarnation, l.Nonce = from.Incarnation, m.Nonce
	if !n.note(l) {
		n.refuse(from, m.Round, Full)
		return
	}
	w.Grants = slices.DeleteFunc(w.Grants, func(g Grant) bool { return g.Holder.Address == from.Address })
	at, _ := slices.BinarySearchFunc(w.Grants, from, func(g Grant, id protocol.NodeID) int { return g.Holder.Compare(id) })
	w.Grants = slices.Insert(w.Grants, at, Grant{Holder: from, Round: m.Round, Member: m.Member})
	n.afresh = append(n.afresh, protocol.Timer{Kind: GrantTimer, Peer: from})
	n.Event(EventGranted, from, m.Round, "")
	n.send(from, Message{Kind: Granted, Round: m.Round, Peer: contact})
}

// fallBehind notes that there is another generation. Incarnations may have leases in it of which
// this witness learns only when it has entered it and all that run have renewed.
func (n witness) fallBehind(from protocol.NodeID, generation uint32) {
	n.Witness.Behind = true
	n.afresh = append(n.afresh, Timer(BehindTimer))
	n.Event(EventBehind, from, generation, "")
}

// enter changes the generation of the witness. Grants in another one name no members.
func (n witness) enter(generation uint32, founder protocol.NodeID) {
	w := &n.Witness
	for i := range w.Grants { // CommandRegrid does not wait for their ends
		w.Grants[i].Member = false
	}
	w.Generation, w.Founder = generation, founder
	n.durable = true
}

// contact returns a member of the generation that holds a grant: the founder, or another. An
// earlier incarnation at the address of the asking node is over, and no contact.
func (n witness) contact(asks protocol.NodeID) (contact protocol.NodeID) {
	for _, g := range n.Witness.Grants {
		if g.Member && g.Holder.Address != asks.Address && (contact.IsNobody() || g.Holder == n.Witness.Founder) {
			contact = g.Holder
		}
	}
	return contact
}

// isVacant reports whether no grant is in force here.
func (n witness) isVacant() bool { return len(n.Witness.Grants) == 0 && !n.Witness.Grace }

// isVacantBut reports whether no grant is in force here except one to an address. A node holds a
// lease in one generation only, and its earlier incarnations are over. Without this a witness whose
// own holder failed to found a generation would be of no use in the founded one.
func (n witness) isVacantBut(a protocol.Address) bool {
	return !n.Witness.Grace && !slices.ContainsFunc(n.Witness.Grants, func(g Grant) bool { return g.Holder.Address != a })
}

func (n witness) refuse(to protocol.NodeID, round uint32, why Reason) {
	n.send(to, Message{Kind: Refused, Round: round, Reason: why, View: View{
		Generation: n.Witness.Generation, Founder: n.Witness.Founder,
		Promised: n.Witness.Promised, Promisee: n.Witness.Promisee,
		Vacant: n.isVacant(), Contact: n.contact(to),
	}})
}

// promise promises a generation to one node. Until that has founded it, the witness goes on to
// grant in the present one.
func (n witness) promise(from protocol.NodeID, generation uint32) {
	w := &n.Witness
	again := generation == w.Promised && from == w.Promisee
	if generation <= w.Closed || generation <= w.Promised && !again || !n.isVacant() {
		n.refuse(from, 0, OtherGeneration)
		return
	}
	if !again {
		w.Promised, w.Promisee = generation, from
		n.durable = true
		n.Event(EventPromise, from, generation, "")
	}
	n.send(from, Message{Kind: Promised, Generation: generation})
}

// regrid closes the present generation, and the next one, which has no founder.
func (n witness) regrid() {
	if n.cfg.witness(n.Self.Address) < 0 {
		n.Ignore(n.Self, "this node is no witness")
		return
	}
	n.Witness.Closed = max(n.Witness.Generation, n.Witness.Promised) + 1
	n.enter(n.Witness.Closed, protocol.NodeID{})
	n.Event(EventRegrid, protocol.NodeID{}, n.Witness.Closed, "")
}

// judge says whether an incarnation is over. It condemns an incarnation that holds no grant, unless
// this may be so only since the witness was in another generation. That is durable before it is
// said, and never taken back.
func (n witness) judge(from, id protocol.NodeID) {
	if id.Incarnation == 0 {
		n.Ignore(from, "no such life")
		return
	}
	_, l := n.life(id.Address)
	over := id.Incarnation < l.Incarnation || id.Incarnation <= l.Condemned
	granted := slices.ContainsFunc(n.Witness.Grants, func(g Grant) bool { return g.Holder.Address == id.Address })
	if !over && !granted && !n.Witness.Grace && !n.Witness.Behind {
		l.Condemned = id.Incarnation
		if over = n.note(l); over {
			n.Event(EventCondemn, id, 0, "")
		}
	}
	n.send(from, Message{Kind: Verdict, Peer: id, Condemned: over})
}

func (n witness) grantOf(id protocol.NodeID) int {
	return slices.IndexFunc(n.Witness.Grants, func(g Grant) bool { return g.Holder == id })
}

// lapse ends a grant.
func (n witness) lapse(id protocol.NodeID) {
	i := n.grantOf(id)
	n.Witness.Grants = slices.Delete(n.Witness.Grants, i, i+1)
}
