package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// resort knows who could have taken a job that nobody took.
type availability struct {
	since      [][]int64 // by node and number of nodes: since when its cluster has had so many, without a break; 0: it has not
	candidates map[reptask.Job][]protocol.NodeID
	begun      map[reptask.Job]int64 // when its owner, the first or the present one, took it
}

func newAvailability(nodes int) *availability {
	r := &availability{candidates: map[reptask.Job][]protocol.NodeID{}, begun: map[reptask.Job]int64{}}
	for range nodes {
		r.since = append(r.since, make([]int64, nodes+1))
	}
	return r
}

// step takes in the state of a node after a step; nil if it does not live.
func (a *availability) step(now int64, node int, s *reptask.State) {
	have := -1
	if s != nil && !s.Leaving {
		have = len(s.Cluster)
	}
	for n := range a.since[node] {
		switch {
		case n > have:
			a.since[node][n] = 0
		case a.since[node][n] == 0:
			a.since[node][n] = now + 1
		}
	}
	if s == nil {
		return
	}
	for _, o := range s.Owned {
		if o.State == reptask.JobOpen && !slices.Equal(sorted(a.candidates[o.Job]), sorted(o.Candidates)) {
			a.candidates[o.Job], a.begun[o.Job] = slices.Clone(o.Candidates), now
		}
	}
}

// could returns a candidate, if there is one, that has lived and had a cluster large enough ever
// since its owner took the job.
func (a *availability) couldHave(o *reptask.Owned, running func(protocol.NodeID) bool) (protocol.NodeID, bool) {
	for _, id := range a.candidates[o.Job] {
		since := a.since[id.Address][min(int(o.Spec.Size), len(a.since)-1)]
		enough := int(o.Spec.Size) < len(a.since)
		if enough && running(id) && since > 0 && since <= a.begun[o.Job] {
			return id, true
		}
	}
	return protocol.NodeID{}, false
}

func sorted(ids []protocol.NodeID) []protocol.NodeID {
	return slices.SortedFunc(slices.Values(ids), protocol.NodeID.Compare)
}
