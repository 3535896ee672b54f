package peer

import (
	"iter"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// judge holds what the properties need besides a world.
type judge struct {
	space space.Space
	tight bool
}

// live goes through the states of the live nodes.
func live(w *world) iter.Seq[*peer.State] {
	return func(yield func(*peer.State) bool) {
		for i, s := range w.Slots {
			if w.Live(i) && !yield(&s.State) {
				return
			}
		}
	}
}

func property(shape checker.Shape, name, doc string, holds func(*world) bool) model.Property[peer.State, peer.Message] {
	return model.Property[peer.State, peer.Message]{Property: checker.Property{Name: name, Doc: doc, Shape: shape}, Holds: holds}
}

// always lists what is to hold in every state.
func (j judge) always() []model.Property[peer.State, peer.Message] {
	return []model.Property[peer.State, peer.Message]{
		property(checker.Always, "MembersOnly", "who hosts, represents or answers for anything has a place in the CAN", membersOnly),
		property(checker.Always, "NoOverlap", "zones of live nodes never overlap", noOverlap),
		property(checker.Always, "OneTask", "no node runs two tasks, and no job runs in two attempts", oneTask),
		property(checker.Always, "ResultsEarned", "a result is accepted only of an attempt in which exactly k nodes ran", resultsEarned),
		property(checker.Always, "PassedOn", "a member that cannot own a job passes it on", passedOn),
		property(checker.Always, "OneLife", "a node is the same in all layers", oneLife),
		property(checker.Always, "ClusterFollows", "a node runs jobs only in the cluster that it advertises", clusterFollows),
	}
}

// atRest lists what is to hold when nothing happens any more.
func (j judge) atRest() []model.Property[peer.State, peer.Message] {
	return []model.Property[peer.State, peer.Message]{
		property(checker.Quiescent, "MapWhole", "at rest the zones of the live nodes make up the whole space", j.mapWhole),
		property(checker.Quiescent, "ClustersAlive", "at rest all members of a cluster run and have not left it", clustersAlive),
		property(checker.Quiescent, "ClustersAgree", "at rest the tasks know the whole cluster that a node advertises", clustersAgree),
		property(checker.Quiescent, "JobsEnd", "at rest no job is open, and where capacity suffices each was accepted", j.jobsEnd),
		property(checker.Quiescent, "NobodyReserved", "at rest nobody holds or represents a task", nobodyReserved),
		property(checker.Quiescent, "LeftClean", "at rest who wanted to leave has left", leftClean),
	}
}

// membersOnly: others reach a node by its place in the CAN, and watch it there.
func membersOnly(w *world) bool {
	for s := range live(w) {
		t := &s.Tasks
		idle := len(t.Tasks)+len(t.Roles) == 0 && !slices.ContainsFunc(t.Owned, open)
		if s.Can.Phase != can.Member && !idle {
			return false
		}
	}
	return true
}

func open(o reptask.Owned) bool { return o.State <= reptask.JobRevoking }

func openJob(w *world) bool {
	for s := range live(w) {
		if slices.ContainsFunc(s.Tasks.Owned, open) {
			return true
		}
	}
	return false
}

func noOverlap(w *world) bool {
	zones := zonesOf(w)
	for i, a := range zones {
		for _, b := range zones[i+1:] {
			if a.Overlaps(b) {
				return false
			}
		}
	}
	return true
}

func zonesOf(w *world) []space.Zone {
	var zones []space.Zone
	for s := range live(w) {
		if s.Can.Phase == can.Member {
			zones = append(zones, s.Can.Self.Zone)
		}
	}
	return zones
}

func (j judge) mapWhole(w *world) bool { return space.Covered(j.space.Whole(), zonesOf(w)) }

func oneTask(w *world) bool {
	running := map[reptask.Job]uint32{}
	for s := range live(w) {
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

func oneLife(w *world) bool {
	for s := range live(w) {
		if s.Refine.ID != s.ID() || s.Tasks.Self != s.ID() {
			return false
		}
	}
	return true
}

// clusterFollows: the tasks may know sooner that a member has failed.
func clusterFollows(w *world) bool {
	for s := range live(w) {
		members := advertised(s)
		for _, n := range s.Tasks.Cluster {
			if !slices.Contains(members, n.ID) {
				return false
			}
		}
	}
	return true
}

// advertised lists the cluster that a node advertises: itself if it has found none.
func advertised(s *peer.State) []protocol.NodeID {
	if c, ok := s.Refine.Advertised(); ok {
		return c.Members
	}
	return []protocol.NodeID{s.ID()}
}

// clustersAgree: what the tasks know is all there is.
func clustersAgree(w *world) bool {
	for s := range live(w) {
		same := func(n reptask.Neighbour, id protocol.NodeID) bool { return n.ID == id }
		if !slices.EqualFunc(s.Tasks.Cluster, advertised(s), same) {
			return false
		}
	}
	return true
}

func clustersAlive(w *world) bool {
	for s := range live(w) {
		c, _ := s.Refine.Advertised()
		for _, id := range c.Members {
			if !w.Running(id) || w.Slots[id.Address].State.Leaving {
				return false
			}
		}
	}
	return true
}

func (j judge) jobsEnd(w *world) bool {
	for s := range live(w) {
		for _, o := range s.Tasks.Owned {
			if open(o) || !j.tight && o.State != reptask.JobAccepted {
				return false
			}
		}
	}
	return true
}

func nobodyReserved(w *world) bool {
	for s := range live(w) {
		if len(s.Tasks.Tasks)+len(s.Tasks.Roles) > 0 {
			return false
		}
	}
	return true
}

func leftClean(w *world) bool {
	for s := range live(w) {
		if s.Leaving {
			return false
		}
	}
	return true
}

func resultsEarned(w *world) bool { return !past(w).unearned }

func passedOn(w *world) bool { return !past(w).dropped }
