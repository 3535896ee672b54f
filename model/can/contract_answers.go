package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/can"
)

// answersBroken checks that each answer, timeout and failure counts in the round or in the promise
// that it is for.
func (s *transition) answersBroken() string {
	if s.begins() || s.fenced() {
		return ""
	}
	a := s.after
	if s.settles() && !s.decides() {
		return "it does not decide its round"
	}
	if m, ok := s.message().(can.Propose); ok && !dead(s.before, s.in.From) && s.promises(m) &&
		(a.Promise.Proposer != s.in.From || a.Promise.Round != m.Round) {
		return "it does not remember its promise"
	}
	_, executes := s.executes()
	if (executes || s.voids()) && a.Promise == s.before.Promise {
		return "it keeps a promise that is over"
	}
	peer, gone := s.in.From, s.fires(can.MissedTimer)
	if gone {
		peer = s.in.Timer.Peer
	}
	_, acknowledges := s.message().(can.CommitOK)
	waits := slices.Contains(a.Change.Waiting, peer) ||
		gone && a.Change.Stage > can.Proposing && slices.Contains(a.Change.Later, peer)
	if waits && (gone || acknowledges && !s.ignores()) && !s.requests() {
		return "it waits for a node that has answered or failed"
	}
	return ""
}

// settles reports whether the input decides the node's round: the last YES, the first NO, a YES
// from a node that took part in a round that the proposer does not know, the timeout, or the
// failure of a node that has not answered.
func (s *transition) settles() bool {
	c := &s.before.Change
	waits := func() bool { return slices.Contains(c.Waiting, s.in.From) }
	if c.Stage != can.Proposing {
		return false
	}
	if m, ok := s.message().(can.ProposeOK); ok {
		r, known := recordOf(s.before.Known, s.in.From)
		no := !m.Yes || known && r.Epoch < m.Epoch
		return m.Round == s.before.Round && waits() && (no || s.grants())
	}
	failed := s.fires(can.MissedTimer) && slices.Contains(c.Waiting, s.in.Timer.Peer)
	return failed || s.fires(can.ProposeTimer)
}

// voids reports whether the input ends the node's promise without a change, or leaves the question
// how the round ended to the joiner.
func (s *transition) voids() bool {
	p := &s.before.Promise
	switch m := s.message().(type) {
	case can.Release:
		return bound(p.Proposer) && p.Proposer == s.in.From && p.Round == m.Round
	case can.Answer:
		return p.Orphan && p.Proposer == m.Proposer && p.Round == m.Round
	case can.Query:
		return bound(p.Proposer) && p.Proposer == m.Proposer && !p.Orphan
	}
	asked := p.Proposer
	if p.Orphan {
		asked = p.Subject
	}
	return s.fires(can.MissedTimer) && bound(p.Proposer) && asked == s.in.Timer.Peer
}
