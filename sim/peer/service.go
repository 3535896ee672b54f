package peer

import (
	"slices"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// decideTime is how long a history may take to be decided.
const decideTime = 10 * time.Second

// clientsView judges the history of all jobs, and returns what draws it if it is none of a job
// service. It reports false if it could not decide.
func (j *oracle) checkHistory() (page func(path string) error, decided bool) {
	for _, o := range j.clients.jobs {
		if j.roomy && o.fits && o.failed {
			j.Violate("JobsEnd", "nobody took job %s of size %d, though a cluster had room", o.name(), o.size)
			return nil, true
		}
	}
	history, spec := j.clients.whole(j.stands), linear.Jobs()
	switch spec.Check(history, decideTime) {
	case checker.Violated:
		j.Violate("JobService", "%s", spec.Text(history, decideTime))
		return func(path string) error {
			_, err := spec.Draw(history, decideTime, path)
			return err
		}, true
	case checker.Inconclusive:
		return nil, false
	}
	return nil, true
}

// stands is where a job stands in the end: what its owner says, or the last that it said before it
// left.
func (j *oracle) stands(o *job) linear.JobState {
	if !j.run.Running(o.owner) {
		if o.state == linear.Queued {
			return linear.Absent
		}
		return o.state
	}
	owned := j.run.State(int(o.owner.Address)).Tasks.Owned
	i := slices.IndexFunc(owned, func(x reptask.Owned) bool { return x.Job == o.Job })
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
