package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// State is one node: a holder and, at the address of a witness, that witness. It is a value: Step
// never changes its argument.
type State struct {
	Self       protocol.NodeID
	Phase      Phase
	Nonce      uint32            // of this incarnation
	Generation uint32            // Founding: to be founded; Joining and Leased: of the lease
	Founder    protocol.NodeID   // Joining and Leased: of Generation
	Contact    protocol.NodeID   // Joining and Leased: a member of Generation, or none
	Round      uint32            // the last one
	Settled    bool              // Leased: a majority granted Round
	Entered    bool              // Leased: the node is in the grid, so that others can enter through it
	Answers    []Answer          // by witness, to Look, Found or Renew
	Asks       []Question        // the oldest first
	Dead       []protocol.NodeID // whose certificates are remembered, the oldest first
	Witness    Witness
}

// Phase is the phase of a holder.
type Phase uint8

// The phases of a holder.
const (
	Unstarted Phase = iota
	Drawing         // draws the nonce of its incarnation
	Looking         // has no lease: asks witnesses which generation is there
	Founding        // asks witnesses for their promise
	Joining         // asks witnesses for its first grants
	Leased          // holds a lease until a timer expires
	Fenced          // the incarnation is over
)

// Answer is a holder's record of one witness. Only a node that looks keeps views.
type Answer struct {
	Kind   AnswerKind
	Reason Reason // Refusal
	View   View   // Looking
}

// AnswerKind is the kind of a witness's answer.
type AnswerKind uint8

// The answers.
const (
	NoAnswer AnswerKind = iota
	Consent             // it granted or promised
	Refusal
)

// Question is an open question for an incarnation.
type Question struct {
	Node     protocol.NodeID
	Verdicts []Opinion // by witness
}

// Opinion is the answer of a witness to a question.
type Opinion uint8

// The opinions.
const (
	NoOpinion Opinion = iota
	SaysDead
	SaysAlive // or it does not know
)

// Witness is the part of a witness. Grace, Behind and Grants do not outlive its incarnation.
type Witness struct {
	Generation uint32          // see View
	Founder    protocol.NodeID // see View
	Closed     uint32          // it grants in this generation and older ones no more; 0: none
	Promised   uint32          // see View
	Promisee   protocol.NodeID // see View
	Lives      []Life          // sorted by address
	Grace      bool            // grants of an earlier incarnation may still be in force
	Behind     bool            // it does not know yet which incarnations have leases in a later generation
	Grants     []Grant         // sorted by holder, one an address
}

// Life is the durable record of a witness about an address.
type Life struct {
	Address     protocol.Address
	Incarnation uint16 // the highest granted; 0: none
	Nonce       uint32 // of that incarnation
	Condemned   uint16 // the highest condemned; 0: none
}

// Grant is a grant that is pending at a witness.
type Grant struct {
	Holder protocol.NodeID
	Round  uint32
	Member bool // of Witness.Generation: it may be named as contact
}

// New returns the state of a process before its first incarnation.
func New(address protocol.Address) State {
	return State{Self: protocol.NodeID{Address: address}}
}

// IsDead reports whether the death of an incarnation is certified, as far as this node remembers.
func (s *State) IsDead(id protocol.NodeID) bool { return slices.Contains(s.Dead, id) }

// IsAsking reports whether a question for an incarnation is open.
func (s *State) IsAsking(id protocol.NodeID) bool { return s.question(id) >= 0 }

func (s *State) question(id protocol.NodeID) int {
	return slices.IndexFunc(s.Asks, func(q Question) bool { return q.Node == id })
}

// clone returns a state that shares no slice that Step changes in place.
func (s State) clone() State {
	s.Answers, s.Dead, s.Asks = slices.Clone(s.Answers), slices.Clone(s.Dead), slices.Clone(s.Asks)
	for i := range s.Asks {
		s.Asks[i].Verdicts = slices.Clone(s.Asks[i].Verdicts)
	}
	s.Witness.Lives, s.Witness.Grants = slices.Clone(s.Witness.Lives), slices.Clone(s.Witness.Grants)
	return s
}

// count returns how many witnesses have answered so.
func (s *State) count(so func(Answer) bool) (n int) {
	for _, a := range s.Answers {
		if so(a) {
			n++
		}
	}
	return n
}
