package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// transition is one step of a node of the corrected core, with data from its states. Nothing here
// uses conclusions of the core from a state: the contract draws its own.
type transition struct {
	cfg           *can.Config
	in            *can.Input
	before, after *can.State
	out           *can.Output
}

// begins reports whether an incarnation begins with the step.
func (s *transition) begins() bool {
	return s.in.Kind == protocol.Start || s.in.Kind == protocol.Restart
}

// inNetwork reports whether the node takes part in the protocol when the input arrives.
func (s *transition) inNetwork() bool {
	return s.before.Phase == can.Joining || s.before.Phase == can.Member || s.before.Phase == can.Leaving
}

// fires reports whether the input is the timeout of this kind.
func (s *transition) fires(kind protocol.TimerKind) bool {
	return s.in.Kind == protocol.Timeout && s.in.Timer.Kind == kind
}

// fired returns the timer whose timeout is the input, if one is.
func (s *transition) fired() *protocol.Timer {
	if s.in.Kind != protocol.Timeout {
		return nil
	}
	return &s.in.Timer
}

// commands reports whether the input is a command of this kind.
func (s *transition) commands(kind can.CommandKind) bool {
	return s.in.Kind == protocol.Command && s.in.Command.Kind == kind
}

// message returns the message of a delivery to a node in the network.
func (s *transition) message() can.Message {
	if s.in.Kind != protocol.Deliver || !s.inNetwork() {
		return nil
	}
	return s.in.Message
}

// executes returns the Commit that the node carries out for another node.
func (s *transition) executes() (can.Commit, bool) {
	m, ok := s.message().(can.Commit)
	p := &s.before.Promise
	return m, ok && p.Proposer == s.in.From && p.Round == m.Round
}

// requests reports whether the node begins a round.
func (s *transition) requests() bool { return !s.begins() && s.after.Round != s.before.Round }

// goesOn reports whether the node is still in its own round after the step.
func (s *transition) goesOn() bool { return !s.requests() && s.after.Change.Stage != can.Stable }

// decides reports whether the node decides a round that it began in an earlier step.
func (s *transition) decides() bool {
	open := s.goesOn() && s.after.Change.Stage == can.Proposing
	return s.before.Change.Stage == can.Proposing && !open && !s.fenced()
}

// grants reports whether the input is the YES that completes the node's round.
func (s *transition) grants() bool {
	m, ok := s.message().(can.ProposeOK)
	c := &s.before.Change
	r, known := recordOf(s.before.Known, s.in.From)
	return ok && m.Yes && m.Round == s.before.Round && c.Stage == can.Proposing && len(c.Waiting) == 1 &&
		c.Waiting[0] == s.in.From && !(known && r.Epoch < m.Epoch)
}

// fenced reports whether the node learns from the input that others consider it dead.
func (s *transition) fenced() bool {
	switch m := s.message().(type) {
	case can.Query:
		return m.Proposer == s.before.Self.ID
	case can.Update:
		return s.before.Phase == can.Member && slices.Contains(m.Dead, s.before.Self.ID) && !s.ignores()
	}
	return false
}

// ignores reports whether the step announces that it ignores its input.
func (s *transition) ignores() bool {
	return slices.ContainsFunc(s.out.Events, func(e protocol.Event) bool { return e.Name == can.EventIgnore })
}

// counts returns the update that the node believes.
func (s *transition) counts() (can.Update, bool) {
	m, ok := s.message().(can.Update)
	return m, ok && s.before.Phase == can.Member && !s.ignores()
}

// recordOf looks for a node among records.
func recordOf(records []can.Record, id protocol.NodeID) (can.Record, bool) {
	for _, r := range records {
		if r.ID == id {
			return r, true
		}
	}
	return can.Record{}, false
}

func bound(id protocol.NodeID) bool { return !id.IsNobody() }

// abuts reports whether two zones have a common border.
func abuts(a, b space.Zone) bool {
	_, ok := a.Abuts(b)
	return ok
}

// beside reports whether two zones have a common border, or one is a hole of which the other has
// taken a share.
func beside(a, b space.Zone) bool { return abuts(a, b) || a.Overlaps(b) }

func dead(s *can.State, id protocol.NodeID) bool { return slices.Contains(s.Dead, id) }

// hole returns the first hole of which a member must take a share.
func hole(s *can.State) (can.Record, bool) {
	for _, r := range s.Known {
		if _, mine := space.Share(r.Zone, r.Splits, s.Self.Zone); s.Phase == can.Member && dead(s, r.ID) && mine {
			return r, true
		}
	}
	return can.Record{}, false
}

// occupied reports whether a node is in its own round or holds a promise.
func occupied(s *can.State) bool { return s.Change.Stage != can.Stable || bound(s.Promise.Proposer) }

// shows reports whether a node may show its record: it is a member, and its own change, if any, is
// not decided and on its way.
func shows(s *can.State) bool {
	decided := s.Change.Stage == can.Granting || s.Change.Stage == can.Committing
	return s.Phase == can.Member && !(decided && s.Change.Commit.Kind != can.NoOp)
}
