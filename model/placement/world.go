package placement

import (
	"slices"
	"strconv"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// timers returns the timers of everything that the world may do now.
func (a *Agent) timers(s *Site) (all []protocol.Timer) {
	w := &s.World
	want := func(wanted bool, kind protocol.TimerKind, number uint32) {
		if wanted {
			all = append(all, protocol.Timer{Kind: kind, Peer: protocol.NodeID{Address: protocol.Address(number)}})
		}
	}
	for i := range w.Wishes {
		x, number := &w.Wishes[i], uint32(i+1)
		runs := x.Led && x.Runs != 0 && !x.Over
		want(!x.Led && !x.Over, LeadTimer, number)
		want(x.Led && !x.Over && w.Yields < a.Yields, YieldTimer, number)
		want(x.Wanted() && w.Holds < a.Holds, HoldTimer, number)
		want(x.Led && x.Held, ReleaseTimer, number)
		want(runs && x.Tries+1 < a.Jobs[i].Tries, CloseTimer, number)
		want(runs, EndTimer, number)
	}
	for i := range w.Submissions {
		sub := &w.Submissions[i]
		x, of := &w.Wishes[sub.Job-1], &a.Jobs[sub.Job-1]
		current := x.Wanted() && sub.Try == x.Tries+1
		permitted := x.Runs == sub.Ticket
		want(!sub.Found && of.fits(), FoundTimer, sub.Ticket)
		want(!sub.Found && (of.Impossible || w.Vain < a.Vain), VainTimer, sub.Ticket)
		want(sub.Found && !sub.Known, OwnedTimer, sub.Ticket)
		want(!permitted && w.Silent < a.Silent, SilentTimer, sub.Ticket)
		want(sub.Found && !permitted && !current, LapseTimer, sub.Ticket)
		want(sub.Revoked && !permitted, CancelTimer, sub.Ticket)
		want(sub.Found && current, PermitTimer, sub.Ticket)
	}
	for _, ticket := range w.Asked {
		want(true, AnswerTimer, ticket)
	}
	want(w.Stale.Kind != 0 && w.Repeats < a.Repeats, RepeatTimer, w.Stale.Ticket)
	want(slices.ContainsFunc(w.Submissions, w.ownedOnly) && w.Deaths < a.Deaths, DieTimer, 0)
	return all
}

// fits reports whether nodes can hold a job.
func (j *Job) fits() bool { return !j.Impossible && !j.Endless }

// ownedOnly reports whether an owner has a submission of which no attempt has the permit.
func (w *World) ownedOnly(s Submission) bool { return s.Found && w.Wishes[s.Job-1].Runs != s.Ticket }

// happens changes the world as a timer says, and returns the driver's command, if it gives one.
func (a *Agent) happens(s *Site, t protocol.Timer) (c placement.Command, given bool) {
	number := uint32(t.Peer.Address)
	switch {
	case t.Kind == DieTimer:
		return s.World.die(), true
	case t.Kind == RepeatTimer:
		c.Kind, c.Ticket = s.World.Stale.Kind, s.World.Stale.Ticket
		s.World.Repeats++
		s.World.Stale = Report{}
		return c, true
	case t.Kind == AnswerTimer:
		s.World.Asked = slices.DeleteFunc(s.World.Asked, func(n uint32) bool { return n == number })
		return placement.Command{Kind: placement.CommandLost, Ticket: number}, true
	case t.Kind >= FoundTimer:
		return a.ofSubmission(&s.World, t.Kind, number)
	}
	return a.ofJob(&s.World, t.Kind, number), true
}

// ofJob acts on a job, as custodians or a user do.
func (a *Agent) ofJob(w *World, kind protocol.TimerKind, number uint32) placement.Command {
	x := &w.Wishes[number-1]
	switch kind {
	case YieldTimer:
		w.Yields++
		x.Led, x.Runs = false, 0
		for i := range w.Submissions {
			w.Submissions[i].Former = w.Submissions[i].Former || w.Submissions[i].Job == number
		}
		return placement.Command{Kind: placement.CommandDrop, Job: number}
	case HoldTimer:
		w.Holds++
		x.Held = true
		return placement.Command{Kind: placement.CommandStop, Job: number}
	case EndTimer:
		w.remove(x.Runs)
		x.Over, x.Runs = true, 0
		return placement.Command{Kind: placement.CommandStop, Job: number}
	case CloseTimer:
		w.remove(x.Runs)
		x.Tries, x.Runs = x.Tries+1, 0
	case LeadTimer:
		x.Led = true
	case ReleaseTimer:
		x.Held = false
	}
	c := placement.Command{Kind: placement.CommandWants, Job: number, Try: x.Tries + 1, Stamp: uint64(number)}
	if kind == CloseTimer {
		c.Rest = a.Jobs[number-1].Rest
	}
	return c
}

// ofSubmission acts on a submission, as the grid does.
func (a *Agent) ofSubmission(w *World, kind protocol.TimerKind, ticket uint32) (c placement.Command, given bool) {
	sub := w.submission(ticket)
	report := Report{Ticket: ticket}
	switch kind {
	case FoundTimer:
		sub.Found = true
		return c, false
	case SilentTimer:
		w.Silent++
		w.remove(ticket)
		return c, false
	case OwnedTimer:
		sub.Known = true
		return placement.Command{Kind: placement.CommandOwned, Ticket: ticket, Node: owner(w)}, true
	case PermitTimer:
		w.Wishes[sub.Job-1].Runs = ticket
		return placement.Command{Kind: placement.CommandPermitted, Job: sub.Job, Ticket: ticket}, true
	case VainTimer:
		if !a.Jobs[sub.Job-1].Impossible {
			w.Vain++
		}
		report.Kind = placement.CommandLost
	default:
		report.Kind = placement.CommandEnded
	}
	w.remove(ticket)
	if w.Repeats < a.Repeats {
		w.Stale = report
	}
	return placement.Command{Kind: report.Kind, Ticket: ticket}, true
}

// die ends the life of the owner, with all that it owns but the attempts that have a permit.
func (w *World) die() placement.Command {
	id := owner(w)
	w.Submissions = slices.DeleteFunc(w.Submissions, w.ownedOnly)
	w.Asked = nil
	w.Deaths++
	return placement.Command{Kind: placement.CommandDead, Node: id}
}

func timerText(t protocol.Timer) string {
	names := [...]string{
		"decide about job", "yield job", "hold job", "release job", "attempt closes of job", "outcome of job",
		"owner found for ticket", "no owner found for ticket", "owner reports ticket", "nothing more of ticket",
		"permit refused to ticket", "owner cancels ticket", "permit granted to ticket", "owner lacks ticket",
		"report again of ticket", "owner dies",
	}
	text := names[t.Kind-LeadTimer]
	if t.Kind == DieTimer {
		return text
	}
	return text + " " + strconv.Itoa(int(t.Peer.Address))
}
