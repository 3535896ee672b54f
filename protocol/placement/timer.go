package placement

import "github.com/canvass-grid/canvass/protocol"

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
	for i := range s.Jobs {
		all = append(all, s.Jobs[i].timers()...)
	}
	return all
}

// setTimers outputs the difference between the timers before and after the step. Those of another
// submission or another try begin anew.
func (n *node) setTimers(before *State, in Input) {
	n.Out.Retime(in.Kind, before.Timers(), n.Timers(), func(t protocol.Timer) bool {
		number := uint32(t.Peer.Address)
		old, now := before.Job(number), n.Job(number)
		fired := in.Kind == protocol.Timeout && in.Timer == t
		return fired || old != nil && (old.Ticket != now.Ticket || old.Try != now.Try)
	}, func(t protocol.Timer) protocol.SetTimer {
		return n.cfg.duration(n.Job(uint32(t.Peer.Address)), t)
	})
}
