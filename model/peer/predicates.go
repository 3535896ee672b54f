package peer

import (
	"iter"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The predicates behind the properties of single states. They see only the states of live nodes, so
// that the checker and the simulator check the same.

// MembersOnly reports whether a node that hosts, represents or owns anything is a member of the
// CAN. Other nodes reach it there, and notice its failure there.
func MembersOnly(s *peer.State) bool {
	t := &s.Tasks
	idle := len(t.Tasks)+len(t.Roles) == 0 && !slices.ContainsFunc(t.Owned, Open)
	return s.Can.Phase == can.Member || idle
}

// Open reports whether a job has not ended.
func Open(o reptask.Owned) bool { return o.State <= reptask.JobRevoking }

// OneTask reports whether no node runs two tasks, and no job runs in two attempts.
func OneTask(live iter.Seq[*peer.State]) bool {
	running := map[reptask.Job]uint32{}
	for s := range live {
		here := 0
		for _, t := range s.Tasks.Tasks {
			if t.State != reptask.TaskRunning {
				continue
			}
			here++
			if epoch, known := running[t.Job]; known && epoch != t.Epoch {
				return false
			}
			running[t.Job] = t.Epoch
		}
		if here > 1 {
			return false
		}
	}
	return true
}

// OneLife reports whether a node has the same identity in all layers.
func OneLife(s *peer.State) bool {
	return s.Refine.ID == s.ID() && s.Tasks.Self == s.ID() && (s.Tree == nil || s.Tree.ID == s.ID())
}

// LeaveWhole reports whether the layers of a node agree that it leaves, or that it stays. It leaves
// the map last.
func LeaveWhole(s *peer.State) bool {
	if t := s.Tree; t != nil {
		left := t.Phase == dtm.Departed
		if s.Leaving != (left || t.Departure.Stage != dtm.Staying) || s.Can.Leave && !left {
			return false
		}
	}
	return s.Tasks.Leaving == s.Leaving && s.Refine.Departed == s.Leaving && (s.Leaving || !s.Can.Leave)
}

// ClusterFollows reports whether a node dispatches only within the cluster that it advertises. The
// task layer may drop a failed member before the cluster layer does.
func ClusterFollows(s *peer.State) bool {
	members := advertised(s)
	for _, n := range s.Tasks.Cluster {
		if !slices.Contains(members, n.ID) {
			return false
		}
	}
	return true
}

// advertised returns the members of the cluster that a node advertises: only itself if it has found
// none.
func advertised(s *peer.State) []protocol.NodeID {
	if c, ok := s.Refine.Advertised(); ok {
		return c.Members
	}
	return []protocol.NodeID{s.ID()}
}

// ClustersAgree reports whether the task layer of a node has the whole cluster that the node
// advertises.
func ClustersAgree(s *peer.State) bool {
	same := func(n reptask.Neighbour, id protocol.NodeID) bool { return n.ID == id }
	return slices.EqualFunc(s.Tasks.Cluster, advertised(s), same)
}

// ClustersAlive reports whether all members of the cluster that a node advertises stay: they run
// and do not leave.
func ClustersAlive(s *peer.State, stays func(protocol.NodeID) bool) bool {
	c, _ := s.Refine.Advertised()
	return !slices.ContainsFunc(c.Members, func(id protocol.NodeID) bool { return !stays(id) })
}

// NobodyReserved reports whether a node hosts and represents no task.
func NobodyReserved(s *peer.State) bool { return len(s.Tasks.Tasks)+len(s.Tasks.Roles) == 0 }

// LeftClean reports whether a node does not want to leave.
func LeftClean(s *peer.State) bool { return !s.Leaving }

// CapableOnly reports whether the coordinate of a node satisfies the jobs that it represents.
func CapableOnly(cfg *peer.Config, s *peer.State) bool {
	return !slices.ContainsFunc(s.Tasks.Roles, func(r reptask.Role) bool { return !satisfies(cfg, s, &r.Spec) })
}

// satisfies compares a node with a job, dimension by dimension.
func satisfies(cfg *peer.Config, s *peer.State, spec *reptask.Spec) bool {
	for k := range cfg.Can.Space.Dims {
		has, needs := s.Can.Self.Coord[k], spec.Requirement[k]
		switch cfg.Tasks.Classes[k] {
		case match.AtLeast:
			if has < needs {
				return false
			}
		case match.Equal:
			if has != needs {
				return false
			}
		}
	}
	return true
}

// Able reports whether a node that stays in the grid can run a job: its coordinate satisfies it,
// and its cluster is large enough.
func Able(cfg *peer.Config, s *peer.State, spec *reptask.Spec) bool {
	large := spec.Size == 1 || len(s.Tasks.Cluster) >= int(spec.Size)
	return large && satisfies(cfg, s, spec) && s.Can.Phase == can.Member && !s.Leaving
}
