package parallel

import "github.com/canvass-grid/canvass/protocol/reptask"

// choose returns the nodes that may get a dependent task of a job, the best first, as package
// reptask ranks them. A serial job runs where it is represented.
func (r representative) choose(node int32, j *job) []int32 {
	if j.size == 1 {
		return []int32{node}
	}
	all := r.neighbours[:0]
	for _, k := range r.grid.Advertised(int(node)) {
		q := reptask.Neighbour{ID: r.id(k), Length: uint32(r.known(k))}
		if k == node {
			q.Length = uint32(r.hosts[k].length())
		}
		all = append(all, q)
	}
	r.neighbours = all
	ranked := reptask.Rank(&r.config, j.name, j.requirement, all)
	hosts := make([]int32, len(ranked))
	for i := range ranked {
		hosts[i] = int32(ranked[i].Address)
	}
	return hosts
}
