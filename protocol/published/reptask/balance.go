package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// move is the decision of Algorithms 1 and 2: at most one job, and its target.
type move struct {
	job Job
	to  protocol.NodeID
}

// dlb is Algorithm 1. "Idle representative tasks" are those whose dependents have not begun, and
// "only allowing the job to get moved once" is a sentence of the text, not a line.
func (n *node) dlb(neighbours []Neighbour) (move, bool) {
	for _, j := range n.idle() { // 1: for all j in idle representative tasks and serial jobs do
		var s []Neighbour
		for _, m := range neighbours { // 2: for all m in neighbors of n do
			c0 := j.Nodes <= m.Residue // 3: let c0 := j.requirement <= m.residue
			if c0 {                    // 4: if c0 then
				s = append(s, m) // 5: add m to candidate set S
			}
		}
		if len(s) > 0 { // 8: if S is not empty then
			return move{j, minimum(s).Node}, true // 9-11: let m in S be minimum; send j to m; break
		}
	}
	return move{}, false
}

// qb is Algorithm 2.
func (n *node) qb(neighbours []Neighbour, positions []Position) (move, bool) {
	for _, j := range n.idle() { // 1: for all j in idle representative tasks and serial jobs do
		var s []Neighbour
		for _, m := range neighbours { // 2: for all m in neighbors of n do
			c0 := j.Nodes <= m.Coordinate            // 3: let c0 := j.requirement <= m.coordinate
			c1 := m.Longest < j.average(positions)-1 // 4: let c1 := m.maxQL < j.averageQP - 1
			if c0 && c1 {                            // 5: if c0 and c1 then
				s = append(s, m) // 6: add m to candidate set S
			}
		}
		if len(s) > 0 { // 9: if S is not empty then
			return move{j, minimum(s).Node}, true // 10-12: let m in S be minimum; send j to m; break
		}
	}
	return move{}, false
}

// average returns the averageQP of the job; 0 if its positions were not collected.
func (j Job) average(positions []Position) int {
	i := slices.IndexFunc(positions, func(p Position) bool { return p.Job.same(j) })
	if i < 0 {
		return 0
	}
	return positions[i].Average
}

// idle lists the jobs of the idle representative tasks that may still be moved.
func (n *node) idle() []Job {
	var jobs []Job
	for _, r := range n.Roles {
		if !r.Began && !r.Job.Moved && r.Target.IsNobody() {
			jobs = append(jobs, r.Job)
		}
	}
	return jobs
}

// minimum is the minimal coordinate. The resources other than the number of nodes are taken to be
// equal; of equals the first is taken.
func minimum(s []Neighbour) Neighbour {
	least := s[0]
	for _, m := range s[1:] {
		if m.Coordinate < least.Coordinate {
			least = m
		}
	}
	return least
}

// balance begins to send the job away: "moving a parallel job from one cluster to another involves
// coordinating the move between the representative task and all dependent tasks". The dependents
// here are recalled, and the job moves when all of them have reported that they are gone.
func (n *node) balance(m move, ok bool) {
	if !ok {
		n.Ignore(n.Self, "no job can be moved to a better place")
		return
	}
	r, _ := n.role(m.job)
	r.Target, r.Ready = m.to, nil
	for _, host := range r.Dependents {
		n.send(host, Recall, m.job)
	}
	n.depart(r)
}

// recalled counts the dependents that are gone.
func (n *node) recalled(from protocol.NodeID, j Job) {
	r, ok := n.role(j)
	if !ok || r.Target.IsNobody() || slices.Contains(r.Recalled, from) {
		n.Ignore(from, "the job does not move")
		return
	}
	r.Recalled = append(r.Recalled, from)
	slices.SortFunc(r.Recalled, protocol.NodeID.Compare)
	n.depart(r)
}

// depart sends the job away once no dependent is left.
func (n *node) depart(r *Role) {
	if len(r.Recalled) < len(r.Dependents) {
		return
	}
	job, to := r.Job, r.Target
	n.drop(job)
	n.event(EventMove, job)
	job.Moved = true
	n.send(to, Route, job)
}
