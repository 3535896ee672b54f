package parallel

import "github.com/canvass-grid/canvass/scheduler"

// owner is a node in its role as the owner of jobs.
type owner struct{ *engine }

// grantNext begins the next attempt, with the next candidate. When all have refused in succession,
// the job has failed.
func (o owner) grantNext(job int32) {
	j := &o.jobs[job]
	if j.refusals >= len(j.candidates) {
		o.records[j.index].Leave(scheduler.Refused, "all candidates refused it")
		o.open--
		return
	}
	next := j.candidates[0]
	copy(j.candidates, j.candidates[1:])
	j.candidates[len(j.candidates)-1] = next
	o.grantTo(job, next)
}

func (o owner) grantTo(job, node int32) {
	j := &o.jobs[job]
	j.epoch++
	o.send(message{kind: grant, job: job, epoch: j.epoch, node: node, from: j.owner})
}

// refusedBy goes on with the next candidate. The refusal of the target of a move does not count,
// unless the target is the candidate that was asked last.
func (o owner) refusedBy(job, node int32) {
	j := &o.jobs[job]
	if j.candidates[len(j.candidates)-1] == node {
		j.refusals++
	}
	o.grantNext(job)
}

// givenUp makes the representative of a job that moves forget it.
func (o owner) givenUp(job, node int32) {
	j := &o.jobs[job]
	j.refusals = 0
	o.send(message{kind: settled, job: job, epoch: j.epoch, node: node, from: j.owner})
}
