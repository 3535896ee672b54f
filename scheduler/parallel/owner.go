package parallel

// grantNext begins the next attempt, with the next candidate. When all have refused in succession,
// the job has failed.
func (e *engine) grantNext(job int32) {
	j := &e.jobs[job]
	if j.refusals >= len(j.candidates) {
		e.records[j.index].Excluded = "all candidates refused it"
		e.open--
		return
	}
	next := j.candidates[0]
	copy(j.candidates, j.candidates[1:])
	j.candidates[len(j.candidates)-1] = next
	e.grantTo(job, next)
}

func (e *engine) grantTo(job, node int32) {
	j := &e.jobs[job]
	j.epoch++
	e.send(message{kind: grant, job: job, epoch: j.epoch, node: node, from: j.owner})
}

// refusedBy goes on with the next candidate. The refusal of the target of a move does not count,
// unless the target is the candidate that was asked last.
func (e *engine) refusedBy(job, node int32) {
	j := &e.jobs[job]
	if j.candidates[len(j.candidates)-1] == node {
		j.refusals++
	}
	e.grantNext(job)
}

// givenUp makes the representative of a job that moves forget it.
func (e *engine) givenUp(job, node int32) {
	j := &e.jobs[job]
	j.refusals = 0
	e.send(message{kind: settled, job: job, epoch: j.epoch, node: node, from: j.owner})
}
