package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// watchedBy lists the nodes that a node would suspect if they were silent.
func watchedBy(s *reptask.State) (all []protocol.NodeID) {
	watch := func(id protocol.NodeID) {
		if id != s.Self && !slices.Contains(s.Silent, id) && !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	for i := range s.Owned {
		if unended(&s.Owned[i]) {
			watch(s.Owned[i].Rep)
		}
	}
	for i := range s.Tasks {
		watch(s.Tasks[i].Rep)
	}
	for i := range s.Roles {
		r := &s.Roles[i]
		if r.Bond == reptask.Bound || r.Bond == reptask.Asking {
			watch(r.Owner)
		}
		for _, m := range r.Members {
			if m.State == reptask.MemberDispatched || m.State == reptask.MemberStarting {
				watch(m.Host)
			}
		}
	}
	return all
}

// awaited lists the timers of a node in a state, from the events that it waits for.
func awaited(s *reptask.State) (timers []protocol.Timer) {
	want := func(wanted bool, t protocol.Timer) {
		if wanted {
			timers = append(timers, t)
		}
	}
	runs, seeks := false, false
	for _, t := range s.Tasks {
		runs = runs || t.State == reptask.TaskRunning
	}
	for _, r := range s.Roles {
		seeks = seeks || r.Bond == reptask.Seeking
	}
	watched := watchedBy(s)
	want(runs, protocol.Timer{Kind: reptask.RunTimer})
	want(seeks || len(repeated(s)) > 0, protocol.Timer{Kind: reptask.ResendTimer})
	want(len(watched) > 0, protocol.Timer{Kind: reptask.BeatTimer})
	for _, id := range watched {
		want(true, protocol.Timer{Kind: reptask.LeaseTimer, Peer: id})
	}
	for _, id := range s.Silent {
		want(true, protocol.Timer{Kind: reptask.RegrantTimer, Peer: id})
	}
	return timers
}

// process names the task that runs, if one does.
func process(s *reptask.State) (a reptask.Attempt) {
	for _, t := range s.Tasks {
		if t.State == reptask.TaskRunning {
			a = reptask.Attempt{Job: t.Job, By: t.By, Epoch: t.Epoch}
		}
	}
	return a
}

// timersBroken follows the timers through the step: the earlier timers, without fired and cancelled
// ones, and with newly set ones, must be the timers that the node waits for. A pending lease
// restarts if and only if a message of its peer arrives; another process is another timer.
func (s *transition) timersBroken() string {
	var pending []protocol.Timer
	if !s.begins() {
		pending = awaited(s.before)
	}
	remove := func(t protocol.Timer) {
		pending = slices.DeleteFunc(pending, func(p protocol.Timer) bool { return p == t })
	}
	other := process(s.before) != process(s.after)
	for _, t := range s.out.Cancel {
		if !slices.Contains(pending, t) {
			return "it cancels a timer that was not pending"
		}
		remove(t)
	}
	if s.in.Kind == protocol.Timeout {
		remove(s.in.Timer)
	}
	renewed := protocol.Timer{Kind: reptask.LeaseTimer, Peer: s.in.From}
	heard := s.in.Kind == protocol.Deliver && slices.Contains(pending, renewed)
	for _, set := range s.out.Set {
		if slices.Contains(pending, set.Timer) && (!heard || set.Timer != renewed) {
			return "it restarts a timer that is pending"
		}
		if least := lasts(s.cfg, set.Timer.Kind); set.MinTicks != least || set.MaxTicks != least {
			return "it sets a timer for another time"
		}
		if set.Timer == renewed {
			heard = false
		}
		remove(set.Timer)
		pending = append(pending, set.Timer)
	}
	wanted := awaited(s.after)
	started := slices.ContainsFunc(s.out.Set, func(t protocol.SetTimer) bool { return t.Timer.Kind == reptask.RunTimer })
	switch {
	case heard && slices.Contains(wanted, renewed):
		return "it does not renew the lease of a sender"
	case started != (other && process(s.after) != (reptask.Attempt{})):
		return "a process begins without a task, or none with one"
	case len(wanted) != len(pending):
		return "it waits for other timers than it sets"
	}
	for _, t := range wanted {
		if !slices.Contains(pending, t) {
			return "it waits for a timer that it does not set"
		}
	}
	return ""
}

// lasts returns the time of a timer.
func lasts(c *reptask.Config, kind protocol.TimerKind) uint32 {
	switch kind {
	case reptask.ResendTimer:
		return c.ResendTicks
	case reptask.BeatTimer:
		return c.BeatTicks
	case reptask.LeaseTimer:
		return c.LeaseTicks
	case reptask.RegrantTimer:
		return c.RegrantTicks
	}
	return 0
}
