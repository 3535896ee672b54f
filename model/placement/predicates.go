package placement

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// predicate is a property of all states of a node, for the checker and the simulator.
type predicate struct {
	name, doc string
	holds     func(s *Site, pending []protocol.Timer) bool
}

// fairTurns is a property of runs, which the monitor checks.
var fairTurns = predicate{
	name: "TurnsFair", doc: "a job that comes back from a search in vain has its turn after those that waited then",
}

func predicates() []predicate {
	return []predicate{
		{
			"InHands", "a job that waits for an attempt is in line, in the grid or pausing, with the timer that ends that",
			(*Site).inHands,
		},
		{
			"OneSubmission", "of a job's submissions whose owners are known, all but the latest are revoked",
			func(s *Site, _ []protocol.Timer) bool { return s.oneSubmission() },
		},
		{
			"TurnsUsed", "no turn is free while a job waits for one, and a job that rests has none",
			func(s *Site, _ []protocol.Timer) bool { return s.turnsUsed() },
		},
	}
}

// Broken returns a property that a node breaks, or "". Pending are its timers.
func (s *Site) Broken(pending []protocol.Timer) string {
	for _, p := range predicates() {
		if !p.holds(s, pending) {
			return p.name
		}
	}
	return ""
}

func (s *Site) inHands(pending []protocol.Timer) bool {
	for i := range s.World.Wishes {
		x := &s.World.Wishes[i]
		if !x.Wanted() {
			continue
		}
		j := s.Core.Job(uint32(i + 1))
		if j == nil || j.Try != x.Tries+1 || j.Phase >= placement.Running {
			return false
		}
		if t, waits := timerOf(j); waits && !slices.Contains(pending, t) {
			return false
		}
	}
	return true
}

func (s *Site) oneSubmission() bool {
	return !slices.ContainsFunc(s.World.Submissions, func(sub Submission) bool {
		j := s.Core.Job(sub.Job)
		return sub.Known && !sub.Revoked && !sub.Former && s.World.Wishes[sub.Job-1].Led && j != nil && j.Ticket != sub.Ticket
	})
}

func (s *Site) turnsUsed() bool {
	placed, waiting := 0, 0
	for j := range s.Core.Jobs.All() {
		switch j.Phase {
		case placement.Placed:
			placed++
		case placement.Waiting:
			waiting++
		}
	}
	return placed <= int(s.Core.Turns) && (waiting == 0 || placed == int(s.Core.Turns))
}

// Waits reports whether a job that nodes can hold waits for an attempt.
func (a *Agent) Waits(s *Site, job int) bool {
	return a.Jobs[job].fits() && s.World.Wishes[job].Wanted()
}

// Over reports whether all jobs that nodes can hold have ended.
func (a *Agent) Over(s *Site) bool {
	for i := range a.Jobs {
		if a.Jobs[i].fits() && !s.World.Wishes[i].Over {
			return false
		}
	}
	return true
}

// phase is the phase of a job at a node, or 0.
func (s *Site) phase(job int) placement.Phase {
	if j := s.Core.Job(uint32(job + 1)); j != nil {
		return j.Phase
	}
	return 0
}

// orphan reports whether a node does not decide about the first job, which has not ended there.
func (s *Site) orphan() bool { return !s.World.Wishes[0].Led && !s.World.Wishes[0].Over }
