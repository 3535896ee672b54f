package parallel

import "slices"

// granted begins a representative task, or refuses it because the cluster is too small.
func (e *engine) granted(node, job int32) {
	j := &e.jobs[job]
	hosts := e.choose(node, j)
	if int32(len(hosts)) < j.size {
		e.send(message{kind: refused, job: job, epoch: j.epoch, node: j.owner, from: node})
		return
	}
	hosts = hosts[:min(len(hosts), j.hosts)]
	j.idle, j.rep = true, node
	e.trace(Represented, job, node)
	j.members = slices.Clone(hosts)
	slices.Sort(j.members)
	j.voted, j.votes = make([]bool, len(j.members)), 0
	if e.sums != nil {
		e.sums[job] = 0
	}
	if e.movable(j) {
		n := &e.nodes[node]
		if len(n.idle) == 0 {
			e.turns.add(node, e.now)
		} else {
			e.turns.resume(node, e.now)
		}
		n.idle = insert(n.idle, job)
	}
	e.sendAll(message{kind: dispatch, job: job, epoch: j.epoch, from: node}, hosts)
}

// represented reports whether a message of a host is about the present attempt, while it is idle.
func (e *engine) represented(m *message) bool {
	j := &e.jobs[m.job]
	return j.idle && j.epoch == m.epoch && j.rep == m.node
}

// counted counts a vote. With the k-th the job is decided.
func (e *engine) counted(m *message) {
	if !e.represented(m) {
		return
	}
	j := &e.jobs[m.job]
	j.voted[j.member(m.from)] = true
	if j.votes++; j.votes < j.size {
		return
	}
	j.idle = false
	e.records[j.index].Cluster = e.grid.Nodes[j.rep].Cluster
	e.retire(j.rep, m.job)
	e.sendAll(message{kind: decision, job: m.job, epoch: j.epoch, from: j.rep, voted: j.voted}, j.members)
	j.members, j.voted = nil, nil
}

// givenBack takes a vote back, unless the job is decided: then the host has been sent Start.
func (e *engine) givenBack(m *message) {
	if !e.represented(m) {
		return
	}
	j := &e.jobs[m.job]
	if at := j.member(m.from); j.voted[at] {
		j.voted[at] = false
		j.votes--
	}
	e.send(message{kind: withdrawn, job: m.job, epoch: m.epoch, node: m.from, from: m.node})
}

// retire takes a job from a node's list of movable jobs.
func (e *engine) retire(node, job int32) {
	n := &e.nodes[node]
	if i, ok := slices.BinarySearch(n.idle, job); ok {
		n.idle = slices.Delete(n.idle, i, i+1)
		if len(n.idle) == 0 {
			e.turns.remove(node)
		}
	}
}

// move gives an idle job away: its tasks are cancelled, and the owner grants it to the target when
// the representative has forgotten it.
func (e *engine) move(node, job, target int32) {
	j := &e.jobs[job]
	j.idle, j.target = false, target
	e.retire(node, job)
	members := j.members
	j.members, j.voted = nil, nil
	e.sendAll(message{kind: cancel, job: job, epoch: j.epoch, from: node}, members)
	e.send(message{kind: moved, job: job, epoch: j.epoch, node: j.owner, from: node})
}

func insert(sorted []int32, x int32) []int32 {
	i, _ := slices.BinarySearch(sorted, x)
	return slices.Insert(sorted, i, x)
}
