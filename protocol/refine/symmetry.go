package refine

import (
	"cmp"

	"github.com/canvass-grid/canvass/protocol"
)

// Cluster is a job-ready cluster. Head and Round identify it. Within a round a cluster can only
// lose members.
type Cluster struct {
	Head    protocol.NodeID
	Round   uint32
	Members []protocol.NodeID // sorted, the head among them
}

// Own returns the cluster that the node found as a head. It stays valid while the node looks for
// the next.
func (s *State) Own() (Cluster, bool) {
	if s.ClusterRound == 0 {
		return Cluster{}, false
	}
	return Cluster{Head: s.ID, Round: s.ClusterRound, Members: s.among((*Candidate).isInCluster)}, true
}

// Joined returns the confirmed clusters of other heads that the node is in, in the order of their
// heads.
func (s *State) Joined() []Cluster {
	var all []Cluster
	for _, t := range s.Slots {
		if t.Stage == Committed {
			all = append(all, Cluster{Head: t.Head, Round: t.ClusterRound, Members: t.Members})
		}
	}
	return all
}

// Advertised returns the cluster that the node advertises and schedules on (section 5.1.3): the
// largest that it is in. Its own is preferred to others of the same size, and of those the one
// whose head comes first in the global order, so nodes with the same choice choose alike.
func (s *State) Advertised() (Cluster, bool) {
	best, ok := s.Own()
	for _, c := range s.Joined() {
		if better(c, best, s.ID) {
			best, ok = c, true
		}
	}
	return best, ok
}

func better(c, than Cluster, self protocol.NodeID) bool {
	if len(c.Members) != len(than.Members) || than.Head == self {
		return len(c.Members) > len(than.Members)
	}
	return byHash(c.Head, than.Head) < 0
}

// byHash is the global order of nodes: by consistent hash.
func byHash(a, b protocol.NodeID) int {
	if c := cmp.Compare(a.Hash(), b.Hash()); c != 0 {
		return c
	}
	return a.Compare(b)
}
