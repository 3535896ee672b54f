package placement

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// The timers, one of each for a job: the address of Peer is its number.
const (
	RestTimer     protocol.TimerKind = iota + 1 // its pause ends
	PatienceTimer                               // no owner is known of its submission
	AskTimer                                    // its owner is asked
)

// timers lists the timers for which a job waits.
func (j *Job) timers() []protocol.Timer {
	var kind protocol.TimerKind
	switch {
	case j.Phase == Resting:
		kind = RestTimer
	case j.Phase == Placed && j.Owner.IsNobody():
		kind = PatienceTimer
	case j.Phase == Placed:
		kind = AskTimer
	default:
		return nil
	}
	return []protocol.Timer{{Kind: kind, Peer: protocol.NodeID{Address: protocol.Address(j.Number)}}}
}

// Timers lists the timers for which the node waits.
func (s *State) Timers() (all []protocol.Timer) {
	for j := range s.Jobs.All() {
		all = append(all, j.timers()...)
	}
	return all
}

// timersOf lists those of some jobs, of which it may have forgotten any.
func (s *State) timersOf(numbers []uint32) (all []protocol.Timer) {
	for _, number := range numbers {
		if j := s.Job(number); j != nil {
			all = append(all, j.timers()...)
		}
	}
	return all
}

// setTimers outputs the difference between the timers before and after the step, which are those of
// the jobs that it has changed. A job changes when something new begins, so its timer begins again.
func (n *node) setTimers(before *State, in Input) {
	slices.Sort(n.changed)
	n.changed = slices.Compact(n.changed)
	pending, wanted := before.timersOf(n.changed), n.timersOf(n.changed)
	if in.Kind == protocol.Start || in.Kind == protocol.Restart {
		wanted = n.Timers()
	}
	anew := func(protocol.Timer) bool { return true }
	n.Out.Retime(in.Kind, pending, wanted, anew, func(t protocol.Timer) protocol.SetTimer {
		return n.cfg.duration(n.Job(uint32(t.Peer.Address)), t)
	})
}
