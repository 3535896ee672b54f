package paxos

import (
	"github.com/canvass-grid/canvass/protocol"
)

// servers are at the first addresses, clients behind them.
const (
	servers  = 3
	majority = servers/2 + 1
)

// Ballot is a round and the server that leads it.
type Ballot struct{ Round, Leader uint8 }

func (b Ballot) before(c Ballot) bool {
	return b.Round < c.Round || b.Round == c.Round && b.Leader < c.Leader
}

// Vote is the value of a client, accepted under a ballot. The zero Vote means no vote.
type Vote struct {
	Ballot Ballot
	Value  uint8 // the client's address
}

// Phase is the phase of a client.
type Phase uint8

// The phases of a client.
const (
	Writing Phase = iota + 1
	Reading
	Done
)

// State is the state of a server or of a client.
type State struct {
	Self protocol.NodeID

	Ballot   Ballot           // the highest that the server has seen
	Proposal uint8            // the value that it proposes; 0: none yet
	Promises [servers]Promise // to follow its ballot
	Accepts  [servers]bool    // of its proposal
	Accepted Vote             // its own last vote
	Decided  bool             // and that vote is the decision

	Phase Phase // of a client
}

// Promise is the answer of a server to a request to follow a ballot.
type Promise struct {
	Given bool
	Last  Vote
}

// Kind is a kind of message.
type Kind uint8

// The messages: first those between clients and servers, then those between servers.
const (
	Put Kind = iota
	Get
	PutOk
	GetOk
	Prepare
	Prepared
	Accept
	Accepted
	Decided
)

// Message is any message; which fields count depends on the kind.
type Message struct {
	Kind   Kind
	Ballot Ballot
	Value  uint8
	Last   Vote // Prepared
}

type (
	input  = protocol.Input[Message, struct{}]
	output = protocol.Output[Message]
)

// step is the core.
func step(s State, in input) (State, output) {
	var out output
	switch {
	case in.Kind == protocol.Start:
		s.Self.Incarnation = 1
		if s.Phase == Writing {
			s.send(&out, s.Self.Address%servers, Message{Kind: Put})
		}
	case in.Kind != protocol.Deliver:
	case s.Phase != 0:
		s.client(in.Message, &out)
	case s.Decided:
		if in.Message.Kind == Get {
			s.send(&out, in.From.Address, Message{Kind: GetOk, Value: s.Accepted.Value})
		}
	default:
		s.server(uint8(in.From.Address), in.Message, &out)
	}
	return s, out
}

func (s *State) client(m Message, out *output) {
	switch {
	case m.Kind == PutOk && s.Phase == Writing:
		s.Phase = Reading
		s.send(out, (s.Self.Address+1)%servers, Message{Kind: Get})
	case m.Kind == GetOk && s.Phase == Reading:
		s.Phase = Done
	}
}

// server handles a message to a server without a decision.
func (s *State) server(from uint8, m Message, out *output) {
	self := uint8(s.Self.Address)
	switch {
	case m.Kind == Put && s.Proposal == 0:
		s.Proposal, s.Ballot = from, Ballot{s.Ballot.Round + 1, self}
		s.Promises, s.Accepts = [servers]Promise{}, [servers]bool{}
		s.Promises[self] = Promise{true, s.Accepted}
		s.broadcast(out, Message{Kind: Prepare, Ballot: s.Ballot})
	case m.Kind == Prepare && s.Ballot.before(m.Ballot):
		s.Ballot = m.Ballot
		s.send(out, protocol.Address(from), Message{Kind: Prepared, Ballot: m.Ballot, Last: s.Accepted})
	case m.Kind == Prepared && m.Ballot == s.Ballot:
		s.Promises[from] = Promise{true, m.Last}
		s.propose(out)
	case m.Kind == Accept && !m.Ballot.before(s.Ballot):
		s.Ballot, s.Accepted = m.Ballot, Vote{m.Ballot, m.Value}
		s.send(out, protocol.Address(from), Message{Kind: Accepted, Ballot: m.Ballot})
	case m.Kind == Accepted && m.Ballot == s.Ballot:
		s.Accepts[from] = true
		s.decide(out)
	case m.Kind == Decided:
		s.Ballot, s.Accepted, s.Decided = m.Ballot, Vote{m.Ballot, m.Value}, true
	}
}

// propose asks all to accept a value once a majority follows: that of the latest vote among them,
// or else its own.
func (s *State) propose(out *output) {
	promised, latest := 0, Vote{}
	for _, p := range s.Promises {
		if p.Given {
			promised++
			if latest.Ballot.before(p.Last.Ballot) {
				latest = p.Last
			}
		}
	}
	if promised != majority {
		return
	}
	if latest.Value != 0 {
		s.Proposal = latest.Value
	}
	s.Accepted, s.Accepts[s.Self.Address] = Vote{s.Ballot, s.Proposal}, true
	s.broadcast(out, Message{Kind: Accept, Ballot: s.Ballot, Value: s.Proposal})
}

// decide notifies all servers and the client, once a majority has accepted.
func (s *State) decide(out *output) {
	accepted := 0
	for _, yes := range s.Accepts {
		if yes {
			accepted++
		}
	}
	if accepted != majority {
		return
	}
	s.Decided = true
	s.broadcast(out, Message{Kind: Decided, Ballot: s.Ballot, Value: s.Proposal})
	s.send(out, protocol.Address(s.Proposal), Message{Kind: PutOk})
}

func (s *State) send(out *output, to protocol.Address, m Message) {
	out.Send = append(
		out.Send,
		protocol.Envelope[Message]{From: s.Self, To: protocol.NodeID{Address: to, Incarnation: 1}, Message: m},
	)
}

// broadcast sends to the other servers.
func (s *State) broadcast(out *output, m Message) {
	for to := range protocol.Address(servers) {
		if to != s.Self.Address {
			s.send(out, to, m)
		}
	}
}
