package peer

import (
	"slices"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// decideTime limits the time to decide a history.
const decideTime = 10 * time.Second

// checkHistory checks the history of all jobs. It returns a function that draws a history that is
// violated, and reports false if the history was not decided.
func (o *oracle) checkHistory() (page func(path string) error, decided bool) {
	for _, job := range o.clients.jobs {
		if o.roomy && job.failed && len(job.able) > 0 {
			o.Violate("JobsEnd", "no node took job %s of size %d, although a cluster had room", job.name(), job.size)
			return nil, true
		}
	}
	history, spec := o.clients.history(o.stateOf), linear.Jobs()
	switch spec.Check(history, decideTime) {
	case checker.Violated:
		o.Violate("JobService", "%s", spec.Text(history, decideTime))
		return func(path string) error {
			_, err := spec.Draw(history, decideTime, path)
			return err
		}, true
	case checker.Inconclusive:
		return nil, false
	}
	return nil, true
}

// stateOf is the final state of a job: the last report of its owner, perhaps from before it left.
func (o *oracle) stateOf(job *job) linear.JobState {
	if !o.run.Running(job.owner) {
		if job.state == linear.Queued {
			return linear.Absent
		}
		return job.state
	}
	owned := o.run.State(int(job.owner.Address)).Tasks.Owned
	i := slices.IndexFunc(owned, func(x reptask.Owned) bool { return x.Job == job.Job })
	if i < 0 {
		return linear.Absent
	}
	switch owned[i].State {
	case reptask.JobAccepted:
		return linear.Done
	case reptask.JobCancelled, reptask.JobFailed:
		return linear.Cancelled
	}
	return linear.Queued
}
