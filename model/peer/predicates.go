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

// ofNodes are the properties of all states that look at one node alone. CapableOnly is about
// searches, and PredictedOnly about nodes in a tree; elsewhere they hold.
var ofNodes = []struct {
	name, doc string
	holds     func(*peer.Config, *peer.State) bool
}{
	{"MembersOnly", "a node that hosts, represents or owns anything is a member of the CAN", alone(MembersOnly)},
	{"OneLife", "a node has the same identity in all layers", alone(OneLife)},
	{"LeaveWhole", "the layers of a node know whether it leaves", alone(LeaveWhole)},
	{"ClusterFollows", "a node dispatches only within the cluster that it advertises", alone(ClusterFollows)},
	{"CapableOnly", "a node represents only jobs that its coordinate satisfies", CapableOnly},
	{"PredictedOnly", "candidates for a cluster are predicted to be near", Predicts},
}

// alone makes a property of a predicate without a configuration.
func alone(holds func(*peer.State) bool) func(*peer.Config, *peer.State) bool {
	return func(_ *peer.Config, s *peer.State) bool { return holds(s) }
}

// Broken returns the first property of ofNodes that a node breaks, or "".
func Broken(cfg *peer.Config, s *peer.State) string {
	for i := range ofNodes {
		if p := &ofNodes[i]; !p.holds(cfg, s) {
			return p.name
		}
	}
	return ""
}

// ofRest are the properties of each node in quiescent states. JobsEnd is stronger in models where
// capacity suffices.
var ofRest = []struct {
	name, doc string
	holds     func(s *peer.State, stays func(protocol.NodeID) bool) bool
}{
	{"ClustersAlive", "all members of a cluster run and do not leave", ClustersAlive},
	{"ClustersAgree", "the task layer knows the whole advertised cluster", atRest(ClustersAgree)},
	{"JobsEnd", "no job is open; where capacity suffices, each has a result", atRest(JobsEnd)},
	{"NobodyReserved", "no node hosts or represents a task", atRest(NobodyReserved)},
	{"LeftClean", "every node that wants to leave has left", atRest(LeftClean)},
}

// atRest makes a property of a predicate that looks at no other node.
func atRest(holds func(*peer.State) bool) func(*peer.State, func(protocol.NodeID) bool) bool {
	return func(s *peer.State, _ func(protocol.NodeID) bool) bool { return holds(s) }
}

// Unsettled returns the first property of quiescent states that a node breaks, or "". A node stays
// if it runs and does not want to leave.
func Unsettled(s *peer.State, stays func(protocol.NodeID) bool) string {
	for i := range ofRest {
		if p := &ofRest[i]; !p.holds(s, stays) {
			return p.name
		}
	}
	return ""
}

// MembersOnly reports whether a node that hosts, represents or owns anything is a member of the
// CAN. Other nodes reach it there, and notice its failure there.
func MembersOnly(s *peer.State) bool {
	t := &s.Tasks
	idle := len(t.Tasks)+len(t.Roles) == 0 && JobsEnd(s)
	return s.Can.Phase == can.Member || idle
}

// Open reports whether a job has not ended.
func Open(o reptask.Owned) bool { return o.State <= reptask.JobRevoking }

// JobsEnd reports whether a node owns no open job.
func JobsEnd(s *peer.State) bool { return !slices.ContainsFunc(s.Tasks.Owned, Open) }

// IsDropped reports whether an event says that an owner dropped a job, which breaks PassedOn: a
// member that cannot own a job forwards it.
func IsDropped(e protocol.Event) bool { return e.Name == peer.EventLost && e.Detail == peer.DetailFull }

// SeekEnds reports whether a search has visited each node at most once, and no more than it may.
func SeekEnds(cfg *peer.Config, search *match.Search) bool {
	if len(search.Steps) == 0 {
		return true
	}
	visited := map[protocol.NodeID]bool{}
	for _, step := range search.Steps {
		visited[step.Node] = true
	}
	return len(visited) == len(search.Steps) && len(visited) <= cfg.SeekLimit
}

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
