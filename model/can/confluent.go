package can

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// confluent names messages whose arrival makes no difference to anything but a list of those who
// are waited for, or none at all. Their senders must be running: of one that is not, the receiver
// may hear that it failed, and an answer before that is not the same as one after it.
//
// The argument, when no fault is left. A node with a round of its own refuses every Propose and
// begins nothing, whoever it still waits for; only the last answer or acknowledgement ends that. So
// the others may come at any time and in any order; which of them is the last one makes no
// difference, since none says more than that it has come; those that do, the acknowledgements of a
// takeover, are not named. An answer to a round that is decided, an acknowledgement that nobody
// waits for and a Release of what was not promised have the same effect now and later, none or a
// Release: rounds only go up, and the Propose that would make a difference was delivered before its
// answer was sent. The outcome of a round to which the receiver made no promise is acknowledged and
// no more, unless the Propose is still on its way; that of a takeover is not named, since its
// acknowledgement says more, and not at all times the same.
//
// Fairness: what waits for a calm network is disabled as long as any message is on its way, and so
// is what waits for none to or from its node. A message that arrives at once was on its way in the
// state in which it was sent, in the reduced system as in the whole. So where a run goes round and
// such messages disable something in every round, they do so in what is left of the run.
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
