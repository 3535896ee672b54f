package can

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// confluent names deliveries whose order makes no difference to anything but a list of awaited
// nodes, or to nothing at all. Their senders must be running: a receiver may be notified that a
// sender has failed, and then an answer before that differs from one after it.
//
// The argument, when no fault is left. A node in its own round refuses every Propose and begins
// nothing, no matter which nodes it still waits for. Only the last answer or acknowledgement ends
// that. So the others may come at any time and in any order. It makes no difference which of them
// is the last, since none carries more than its arrival. The acknowledgements of a takeover do
// carry more, and are not named.
//
// Some messages have the same effect now and later, none or a Release: an answer to a decided
// round, an acknowledgement that no node waits for, and a Release of something that was not
// promised. Rounds only increase, and the Propose that would make a difference was delivered before
// its answer was sent. The outcome of a round to which the receiver made no promise is only
// acknowledged, unless the Propose is still in flight. The outcome of a takeover is not named,
// since its acknowledgement carries more, and not always the same.
//
// Fairness: an action that waits for an empty network is disabled while any message is in flight,
// and so is an action that waits for messages to or from its node. A message that arrives at once
// was in flight in the state in which it was sent, in the reduced system as in the full one. So if
// a run loops and such messages disable an action in every iteration, they do so in the rest of the
// run too.
func confluent(g *model.GlobalState[can.State, can.Message], e protocol.Envelope[can.Message]) bool {
	if !g.Running(e.From) {
		return false
	}
	s := &g.Slots[e.To.Address].State
	switch m := e.Message.(type) {
	case can.ProposeOK:
		return answerIsConfluent(s, e.From, m)
	case can.CommitOK:
		current := s.Change.Stage >= can.Granting && m.Round == s.Round
		news := len(m.Neighbours) > 0
		return !current || !news && len(s.Change.Waiting) > 1 && slices.Contains(s.Change.Waiting, e.From)
	case can.Release:
		return !promised(s, e.From, m.Round)
	case can.Refuse:
		return true
	case can.Commit:
		return m.Kind != can.Takeover && !promised(s, e.From, m.Round) && !proposed(g, e.From, e.To, m.Round)
	}
	return false
}

func promised(s *can.State, proposer protocol.NodeID, round uint32) bool {
	return s.Promise.Proposer == proposer && s.Promise.Round == round
}

func answerIsConfluent(s *can.State, from protocol.NodeID, m can.ProposeOK) bool {
	c := &s.Change
	current := c.Stage != can.Stable && m.Round == s.Round
	waits := slices.Contains(c.Waiting, from)
	switch {
	case current && c.Stage == can.Proposing:
		return m.Yes && waits && len(c.Waiting) > 1
	case m.Yes:
		return !current || c.Commit.Kind == can.NoOp
	}
	return !slices.ContainsFunc(s.Known, func(r can.Record) bool {
		return r.ID == m.Self.ID && (r.Version < m.Self.Version || r.Epoch < m.Self.Epoch) // news to the receiver
	})
}

// proposed reports whether the Propose of a round is still on its way.
func proposed(g *model.GlobalState[can.State, can.Message], from, to protocol.NodeID, round uint32) bool {
	found := false
	g.InFlight(func(e protocol.Envelope[can.Message]) {
		p, ok := e.Message.(can.Propose)
		found = found || ok && e.From == from && e.To == to && p.Round == round
	})
	return found
}
