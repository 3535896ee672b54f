package refine

import (
	"bytes"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// transition is one step of a node of the corrected core, with data from its states. Nothing here
// uses conclusions of the core from a state: the contract draws its own.
type transition struct {
	cfg           *refine.Config
	in            *refine.Input
	before, after *refine.State
	out           *refine.Output
}

// begins reports whether an incarnation begins with the step.
func (s *transition) begins() bool {
	return s.in.Kind == protocol.Start || s.in.Kind == protocol.Restart
}

// up reports whether a node is in the network.
func up(n *refine.State) bool { return n.ID.Incarnation > 0 && !n.Departed }

// message returns the message of a delivery to a node in the network.
func (s *transition) message() refine.Message {
	if s.in.Kind != protocol.Deliver || !up(s.before) {
		return nil
	}
	return s.in.Message
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

// commands reports whether the input is a command of this kind to a node in the network.
func (s *transition) commands(kind refine.CommandKind) bool {
	return s.in.Kind == protocol.Command && s.in.Command.Kind == kind && up(s.before)
}

// leaves reports whether the node leaves.
func (s *transition) leaves() bool { return s.commands(refine.CommandLeave) }

// lives reports whether the node is in the network before and after the step, in the same
// incarnation.
func (s *transition) lives() bool { return !s.begins() && up(s.before) && up(s.after) }

// solicits reports whether the node begins a round as a head.
func (s *transition) solicits() bool { return s.lives() && s.after.Round != s.before.Round }

// concludes reports whether the node finds a cluster.
func (s *transition) concludes() bool {
	return s.lives() && s.after.ClusterRound != s.before.ClusterRound
}

// filters reports whether the node begins to measure as a head, and goes on with that.
func (s *transition) filters() bool {
	return s.lives() && s.after.Head == refine.Filter && (s.before.Head != refine.Filter || s.solicits())
}

// surveys returns the slot in which the node begins to measure for another head.
func (s *transition) surveys() (refine.Slot, bool) {
	m, ok := s.message().(refine.List)
	if !ok {
		return refine.Slot{}, false
	}
	old, _ := slotOf(s.before, s.in.From)
	now, known := slotOf(s.after, s.in.From)
	return now, known && now.Round == m.Round && len(now.Survey) > 0 && (len(old.Survey) == 0 || now.Round != old.Round)
}

func slotOf(n *refine.State, head protocol.NodeID) (refine.Slot, bool) {
	for _, t := range n.Slots {
		if t.Head == head {
			return t, true
		}
	}
	return refine.Slot{}, false
}

func candidateOf(n *refine.State, id protocol.NodeID) (refine.Candidate, bool) {
	for _, c := range n.Candidates {
		if c.ID == id {
			return c, true
		}
	}
	return refine.Candidate{}, false
}

// inside reports whether a candidate is in the head's cluster.
func inside(c refine.Candidate) bool { return c.Status == refine.Member || c.Status == refine.Dropped }

// concerned reports whether a candidate may count on the head.
func concerned(c refine.Candidate) bool {
	return c.Status == refine.Asked || c.Status == refine.Accepted || inside(c)
}

// rejected reports whether a candidate is not asked again without a reason.
func rejected(c refine.Candidate) bool {
	return c.Status == refine.Denied || c.Status == refine.Filtered
}

func number(n *refine.State, which func(refine.Candidate) bool) (count uint32) {
	for _, c := range n.Candidates {
		if which(c) {
			count++
		}
	}
	return count
}

func with(status refine.Status) func(refine.Candidate) bool {
	return func(c refine.Candidate) bool { return c.Status == status }
}

// room reports whether a head's cluster may still grow.
func (s *transition) room(n *refine.State) bool { return 1+int(number(n, inside)) < s.cfg.SizeBound }

func stages(n *refine.State, stage refine.Stage) (slots []refine.Slot) {
	for _, t := range n.Slots {
		if t.Stage == stage {
			slots = append(slots, t)
		}
	}
	return slots
}

// open reports whether a reading is missing.
func open(survey []refine.Reading) bool {
	return slices.ContainsFunc(survey, func(r refine.Reading) bool { return r.Micros == 0 })
}

// measuredBy reports whether a head waits for the measurements of a candidate, or has them.
func measuredBy(n *refine.State, c refine.Candidate) bool {
	part := c.Status == refine.Accepted || c.Status == refine.Member
	return part && slices.ContainsFunc(n.Survey, func(r refine.Reading) bool { return r.Peer == c.ID })
}

// together returns the node and the chosen candidates, sorted.
func together(n *refine.State, which func(refine.Candidate) bool) []protocol.NodeID {
	all := []protocol.NodeID{n.ID}
	for _, c := range n.Candidates {
		if which(c) {
			all = append(all, c.ID)
		}
	}
	slices.SortFunc(all, protocol.NodeID.Compare)
	return all
}

// ignores reports whether the step announces that it ignores its input.
func (s *transition) ignores() bool {
	return slices.ContainsFunc(s.out.Events, func(e protocol.Event) bool { return e.Name == refine.EventIgnore })
}

// same reports whether the step changes nothing.
func (s *transition) same() bool {
	return bytes.Equal(refine.AppendState(nil, *s.before), refine.AppendState(nil, *s.after))
}
