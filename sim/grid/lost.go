package grid

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// loss says why no node owns or represents a job that has not ended.
type loss uint8

const (
	_ loss = iota // not lost
	// The owner and the representative of the job are one node that has failed, or have failed one
	// after the other, before the first failure was overcome.
	together
	// The owner failed while no node represented the job: between two attempts, or before the first.
	between
	adopted // all candidates refused a job that its present owner had adopted; it lacks the client's address
)

// gone is the number of looks after which a client decides that no node has its job: longer than it
// takes to overcome a failure.
const gone = 6

// loseWith notes what the failure of a node does to the jobs that it owns and represents.
func (r *run) loseWith(node int) {
	s := &r.State(node).Tasks
	for i := range s.Owned {
		o := &s.Owned[i]
		if o.State > reptask.JobRevoking || r.had(o.Job, node) {
			continue
		}
		why := between
		// A representative that has failed before is still the owner's.
		if o.Rep == s.Self && represents(s, o.Job) || o.Rep != s.Self && !r.Running(o.Rep) {
			why = together
		}
		r.fates[r.jobOf(o.Job)].lost = why
	}
	for i := range s.Roles {
		if job := s.Roles[i].Job; !r.had(job, node) && !owns(s, job) {
			r.fates[r.jobOf(job)].lost = together
		}
	}
}

// had reports whether a live node other than one owns or represents a job.
func (r *run) had(job reptask.Job, without int) bool {
	for i := range r.grid.Nodes {
		if i != without && r.Live(i) && has(r.State(i), job) {
			return true
		}
	}
	return false
}

func has(s *peer.State, job reptask.Job) bool {
	return owns(&s.Tasks, job) || represents(&s.Tasks, job)
}

func owns(s *reptask.State, job reptask.Job) bool {
	return slices.ContainsFunc(s.Owned, func(o reptask.Owned) bool {
		return o.Job == job && o.State <= reptask.JobRevoking
	})
}

func represents(s *reptask.State, job reptask.Job) bool {
	return slices.ContainsFunc(s.Roles, func(x reptask.Role) bool { return x.Job == job })
}

// look looks for jobs that are lost. Their clients submit them again, as they would when no owner
// answers for their jobs any more.
func (r *run) look() {
	there := make([]bool, len(r.jobs))
	for i := range r.grid.Nodes {
		if !r.Live(i) {
			continue
		}
		s := &r.State(i).Tasks
		for k := range s.Owned {
			if s.Owned[k].State <= reptask.JobRevoking {
				there[r.jobOf(s.Owned[k].Job)] = true
			}
		}
		for k := range s.Roles {
			there[r.jobOf(s.Roles[k].Job)] = true
		}
	}
	for job := range r.fates {
		f := &r.fates[job]
		switch {
		case there[job]:
			*f = fate{}
		case r.clients.HasEnded(job) || r.clients.Tries(job) == 0 || !r.clients.IsAnswered(job):
		default:
			if f.missing++; f.missing >= gone {
				r.lost(f)
				r.clients.Send(job)
			}
		}
	}
}

// lost counts a job that is lost.
func (r *run) lost(f *fate) {
	switch {
	case f.lost == together:
		r.cores.LostTogether++
	case f.lost == between:
		r.cores.LostBetween++
	case f.lost == adopted:
		r.cores.LostAdopted++
	case f.traveled:
		r.cores.LostUnderWay++
	default:
		r.cores.LostOther++
	}
}
