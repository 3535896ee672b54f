package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// holder is a node as the holder of a lease. It owns all of the state but Witness and the questions
// to the witnesses (ask.go).
type holder struct{ *node }

// join asks for the first grants in a generation.
func (n holder) join(generation uint32, founder, contact protocol.NodeID) {
	n.Phase, n.Generation, n.Founder, n.Contact = Joining, generation, founder, contact
	n.beginRound()
}

// beginRound begins the next round. Its expiry timer is set now, with the first copies of Renew,
// since a grant counts from the sending.
func (n holder) beginRound() {
	n.Round++
	n.Settled = false
	n.Answers = make([]Answer, len(n.cfg.Witnesses))
	n.afresh = append(n.afresh, Timer(ResendTimer))
	n.askAll(n.renewal())
}

func (n holder) renewal() Message {
	return Message{
		Kind: Renew, Generation: n.Generation, Founder: n.Founder, Round: n.Round, Nonce: n.Nonce,
		Member: n.Entered || n.Founder == n.Self,
	}
}

// resend asks witnesses again. A node that did not get enough promises looks again.
func (n holder) resend() {
	switch n.Phase {
	case Founding:
		n.look()
		n.askAll(Message{Kind: Look, Nonce: n.Nonce})
	case Looking:
		n.askAll(Message{Kind: Look, Nonce: n.Nonce})
	default:
		for w, a := range n.Answers {
			if a.Kind == NoAnswer || a.Kind == Refusal && !a.Reason.isFinal() { // it may have entered meanwhile
				n.toWitness(w, n.renewal())
			}
		}
	}
}

// onGranted counts a grant of the present round. A majority settles the round: the expiry of the
// former one is cancelled, and that of this one stays.
func (n holder) onGranted(w int, from protocol.NodeID, m Message) {
	if !n.isInRound() || m.Round != n.Round {
		n.Ignore(from, "not the present round")
		return
	}
	n.Answers[w] = Answer{Kind: Consent}
	if !m.Peer.IsNobody() && m.Peer != n.Self {
		n.Contact = m.Peer
	}
	if n.count(func(a Answer) bool { return a.Kind == Consent }) < n.cfg.majority() {
		return
	}
	first := n.Phase == Joining
	n.Phase, n.Settled, n.Answers = Leased, true, nil
	n.Entered = n.Entered || n.Founder == n.Self
	switch {
	case first && n.Founder == n.Self:
		n.Event(EventFounded, protocol.NodeID{}, n.Generation, "")
	case first:
		n.Event(EventLeased, n.Contact, n.Generation, "")
	}
}

// isInRound reports whether the node waits for the grants of a round.
func (s *State) isInRound() bool { return s.Phase == Joining || s.Phase == Leased && !s.Settled }

// onRefused notes why a witness does not grant, and ends the incarnation if no majority can ever
// grant.
func (n holder) onRefused(w int, from protocol.NodeID, m Message) {
	switch {
	case n.Phase == Looking:
		n.Answers[w] = Answer{Kind: Refusal, Reason: m.Reason, View: m.View}
	case n.Phase == Founding && m.Reason.isFinal(), n.isInRound() && m.Round == n.Round:
		n.Answers[w] = Answer{Kind: Refusal, Reason: m.Reason}
	default:
		n.Ignore(from, "not asked for now")
		return
	}
	final := func(a Answer) bool { return n.isFinal(a.Reason) }
	switch {
	case n.count(final) >= n.cfg.majority():
		n.giveUp()
	case n.Phase == Looking:
		n.decide(n.Answers[w])
	case n.Phase == Joining && n.count(func(a Answer) bool { return a.Kind == Refusal }) >= n.cfg.majority():
		if n.count(final) > 0 { // its next incarnation may be granted by more witnesses
			n.giveUp()
			return
		}
		n.look()
	}
}

// isFinal reports whether no majority can grant anything to an incarnation that it refuses for this
// reason. An incarnation with a lease that was alone before it had entered lets go, so that the
// grid can be founded.
func (n holder) isFinal(r Reason) bool {
	return r.isFinal() || n.Phase == Leased && (r == OtherGeneration || r == Alone && !n.Entered)
}

// onEntered notes that the node is in the grid.
func (n holder) onEntered() {
	if n.Phase != Leased || n.Entered {
		n.Ignore(n.Self, "the node has no lease, or has entered before")
		return
	}
	n.Entered = true
}

// giveUp ends the incarnation: a majority refuses it for good.
func (n holder) giveUp() {
	for _, each := range []struct {
		reason Reason
		event  string
	}{
		{Copied, EventIdentity}, {Superseded, EventIdentity}, {Condemned, EventFenced}, {OtherGeneration, EventFenced},
		{Alone, EventFenced},
	} {
		if slices.ContainsFunc(n.Answers, func(a Answer) bool { return a.Reason == each.reason }) {
			n.fence(each.event, each.reason.String())
			return
		}
	}
}

// onExpired ends an incarnation that has a lease. Without one nothing rests on the round.
func (n holder) onExpired() {
	if n.Phase == Joining {
		n.look()
		n.askAll(Message{Kind: Look, Nonce: n.Nonce})
		return
	}
	n.fence(EventFenced, "expired")
}

// fence ends the incarnation of the holder. The witness of the node goes on until its process ends.
func (n holder) fence(event, why string) {
	n.Event(event, protocol.NodeID{}, n.Generation, why)
	n.State = State{
		Self: n.Self, Phase: Fenced, Nonce: n.Nonce, Generation: n.Generation, Round: n.Round, Dead: n.Dead,
		Witness: n.Witness,
	}
}
