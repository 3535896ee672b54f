package parallel

import "slices"

// representative is a node in its role as the representative of jobs.
type representative struct{ *engine }

// granted begins a representative task, or refuses it because the cluster is too small.
func (r representative) granted(node, job int32) {
	j := &r.jobs[job]
	hosts := r.choose(node, j)
	if int32(len(hosts)) < j.size {
		r.send(message{kind: refused, job: job, epoch: j.epoch, node: j.owner, from: node})
		return
	}
	hosts = hosts[:min(len(hosts), j.hosts)]
	j.idle, j.rep = true, node
	r.trace(Represented, job, node)
	j.members = slices.Clone(hosts)
	slices.Sort(j.members)
	j.voted, j.votes = make([]bool, len(j.members)), 0
	if r.sums != nil {
		r.sums[job] = 0
	}
	if r.movable(j) {
		n := &r.nodes[node]
		if len(n.idle) == 0 {
			r.turns.add(node, r.now)
		} else {
			r.turns.resume(node, r.now)
		}
		n.idle = insert(n.idle, job)
	}
	r.sendAll(message{kind: dispatch, job: job, epoch: j.epoch, from: node}, hosts)
}

// represented reports whether a message of a host is about the present attempt, while it is idle.
func (r representative) represented(m *message) bool {
	j := &r.jobs[m.job]
	return j.idle && j.epoch == m.epoch && j.rep == m.node
}

// counted counts a vote. With the k-th the job is decided.
func (r representative) counted(m *message) {
	if !r.represented(m) {
		return
	}
	j := &r.jobs[m.job]
	j.voted[j.member(m.from)] = true
	if j.votes++; j.votes < j.size {
		return
	}
	j.idle = false
	r.records[j.index].Cluster = r.grid.Nodes[j.rep].Cluster
	r.retire(j.rep, m.job)
	r.sendAll(message{kind: decision, job: m.job, epoch: j.epoch, from: j.rep, voted: j.voted}, j.members)
	j.members, j.voted = nil, nil
}

// givenBack takes a vote back, unless the job is decided: then the host has been sent Start.
func (r representative) givenBack(m *message) {
	if !r.represented(m) {
		return
	}
	j := &r.jobs[m.job]
	if at := j.member(m.from); j.voted[at] {
		j.voted[at] = false
		j.votes--
	}
	r.send(message{kind: withdrawn, job: m.job, epoch: m.epoch, node: m.from, from: m.node})
}

// retire takes a job from a node's list of movable jobs.
func (r representative) retire(node, job int32) {
	n := &r.nodes[node]
	if i, ok := slices.BinarySearch(n.idle, job); ok {
		n.idle = slices.Delete(n.idle, i, i+1)
		if len(n.idle) == 0 {
			r.turns.remove(node)
		}
	}
}

// move gives an idle job away: its tasks are cancelled, and the owner grants it to the target when
// the representative has forgotten it.
func (r representative) move(node, job, target int32) {
	j := &r.jobs[job]
	j.idle, j.target = false, target
	r.retire(node, job)
	members := j.members
	j.members, j.voted = nil, nil
	r.sendAll(message{kind: cancel, job: job, epoch: j.epoch, from: node}, members)
	r.send(message{kind: moved, job: job, epoch: j.epoch, node: j.owner, from: node})
}

func insert(sorted []int32, x int32) []int32 {
	i, _ := slices.BinarySearch(sorted, x)
	return slices.Insert(sorted, i, x)
}
