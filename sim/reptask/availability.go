package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// availability records which candidates could have taken a job that none took.
type availability struct {
	// By node and size: since when its cluster has had that size without a break; 0: it does not.
	since      [][]int64
	candidates map[reptask.Job][]protocol.NodeID
	begun      map[reptask.Job]int64 // when its present owner took it
}

func newAvailability(nodes int) *availability {
	r := &availability{candidates: map[reptask.Job][]protocol.NodeID{}, begun: map[reptask.Job]int64{}}
	for range nodes {
		r.since = append(r.since, make([]int64, nodes+1))
	}
	return r
}

// step takes in the state of a node after a step; nil if the node is not live.
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

// couldHave returns a candidate, if there is one, that has been live with a large enough cluster
// ever since the owner took the job.
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
