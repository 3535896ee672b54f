package placement

import (
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// rules are demands on every step of the core.
var rules = []contract.Rule[transition]{
	{Name: "TimersKept", Broken: (*transition).timersBroken,
		Doc: "each job that rests or is in the grid has one timer, set for its time; rests double up to their limit"},
	{Name: "ListsKept", Broken: (*transition).listsBroken,
		Doc: "jobs are sorted, and no field outlives its phase or comes before it"},
	{Name: "TicketsOnce", Broken: (*transition).ticketsBroken,
		Doc: "each submission has a new ticket, and a job has at most the one of its latest submission"},
}

// transition is one step of the core. The rules draw their own conclusions from the states.
type transition struct {
	cfg           *placement.Config
	in            *Input
	before, after *placement.State
	out           *Output
}

// timerOf is the timer that a job demands.
func timerOf(j *placement.Job) (t protocol.Timer, wanted bool) {
	kind := map[placement.Phase]protocol.TimerKind{
		placement.Resting: placement.RestTimer, placement.Placed: placement.PatienceTimer,
	}[j.Phase]
	if kind == placement.PatienceTimer && !j.Owner.IsNobody() {
		kind = placement.AskTimer
	}
	return protocol.Timer{Kind: kind, Peer: protocol.NodeID{Address: protocol.Address(j.Number)}}, kind != 0
}

func pendingIn(s *placement.State) (all []protocol.Timer) {
	for j := range s.Jobs.All() {
		if t, wanted := timerOf(j); wanted {
			all = append(all, t)
		}
	}
	return all
}

// lasts returns the time of a timer. The pause after a search in vain doubles with each one.
func (t *transition) lasts(timer protocol.Timer) (least, most uint32) {
	j := t.after.Job(uint32(timer.Peer.Address))
	ticks := t.cfg.AskTicks
	switch {
	case timer.Kind == placement.PatienceTimer:
		ticks = t.cfg.PatienceTicks
	case timer.Kind == placement.RestTimer && j.Searches == 0:
		ticks = t.in.Command.Rest
	case timer.Kind == placement.RestTimer:
		ticks = min(t.cfg.BackOffMax, t.cfg.BackOffMin<<min(16, j.Searches-1))
	}
	return ticks, ticks
}

func (t *transition) timersBroken() string {
	steps := contract.Timers{
		Before: pendingIn(t.before), Wanted: pendingIn(t.after), Cancel: t.out.Cancel, Set: t.out.Set, Lasts: t.lasts,
		Anew: func(timer protocol.Timer) bool {
			old, now := t.before.Job(uint32(timer.Peer.Address)), t.after.Job(uint32(timer.Peer.Address))
			return old != nil && (old.Ticket != now.Ticket || old.Try != now.Try)
		},
		Text: placement.TimerText,
	}
	if t.in.Kind == protocol.Restart {
		steps.Before = nil
	}
	if t.in.Kind == protocol.Timeout {
		steps.Fired = &t.in.Timer
	}
	return contract.TimersBroken(&steps)
}

func (t *transition) listsBroken() string {
	last := -1
	for j := range t.after.Jobs.All() {
		inGrid := j.Phase == placement.Placed || j.Phase == placement.Running
		switch {
		case int(j.Number) <= last:
			return "the jobs are not sorted"
		case j.Try == 0:
			return "a job without a try"
		case !inGrid && (j.Ticket != 0 || !j.Owner.IsNobody()), j.Phase == placement.Placed && j.Ticket == 0:
			return "a submission outlives its phase, or is missing"
		case (j.Phase == placement.Resting) != (j.Rest != 0), j.Phase != placement.Waiting && j.Round != 0:
			return "a pause or a round outlives its phase, or is missing"
		case j.Phase >= placement.Running && j.Searches != 0:
			return "searches in vain are counted for a job that needs none"
		}
		last = int(j.Number)
	}
	return ""
}

func (t *transition) ticketsBroken() string {
	last := t.before.Ticket
	if t.in.Kind == protocol.Restart {
		last = 0
	}
	for _, e := range t.out.Events {
		if e.Name != placement.EventSubmit {
			continue
		}
		if last++; e.Number != last {
			return "a submission has no new ticket"
		}
		if t.after.Of(e.Number) == nil {
			return "a submission is of no job"
		}
	}
	if t.after.Ticket != last {
		return "a ticket was given to no submission"
	}
	return ""
}
