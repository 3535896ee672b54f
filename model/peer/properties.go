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

// oracle holds what the properties need besides a world.
type oracle struct {
	space space.Space
	tight bool
}

// live goes through the states of the live nodes.
func live(g *globalState) iter.Seq[*peer.State] {
	return func(yield func(*peer.State) bool) {
		for i, s := range g.Slots {
			if g.Live(i) && !yield(&s.State) {
				return
			}
		}
	}
}

func property(
	shape checker.Shape,
	name, doc string,
	holds func(*globalState) bool,
) model.Property[peer.State, peer.Message] {
	return model.Property[peer.State, peer.Message]{
		Property: checker.Property{Name: name, Doc: doc, Shape: shape},
		Holds:    holds,
	}
}

// always lists what is to hold in every state.
func (o oracle) always() []model.Property[peer.State, peer.Message] {
	return []model.Property[peer.State, peer.Message]{
		property(
			checker.Always,
			"MembersOnly",
			"a node that hosts, represents or owns anything is a member of the CAN",
			each(MembersOnly),
		),
		property(checker.Always, "NoOverlap", "zones of live nodes never overlap", noOverlap),
		property(checker.Always, "OneTask", "no node runs two tasks, and no job runs in two attempts", oneTask),
		property(
			checker.Always,
			"ResultsEarned",
			"an accepted result comes from an attempt that ran on exactly k nodes",
			resultsEarned,
		),
		property(checker.Always, "PassedOn", "a member that cannot own a job forwards it", passedOn),
		property(checker.Always, "OneLife", "a node has the same identity in all layers", each(OneLife)),
		property(
			checker.Always,
			"ClusterFollows",
			"a node dispatches only within the cluster that it advertises",
			each(ClusterFollows),
		),
	}
}

// quiescent lists what is to hold when nothing happens any more.
func (o oracle) quiescent() []model.Property[peer.State, peer.Message] {
	return []model.Property[peer.State, peer.Message]{
		property(checker.Quiescent, "MapWhole", "when quiescent, the zones of the live nodes cover the whole space", o.mapWhole),
		property(
			checker.Quiescent,
			"ClustersAlive",
			"when quiescent, all members of a cluster run and do not leave",
			clustersAlive,
		),
		property(
			checker.Quiescent,
			"ClustersAgree",
			"when quiescent, the task layer knows the whole advertised cluster",
			each(ClustersAgree),
		),
		property(
			checker.Quiescent,
			"JobsEnd",
			"when quiescent, no job is open; where capacity suffices, each has a result",
			o.jobsEnd,
		),
		property(checker.Quiescent, "NobodyReserved", "when quiescent, no node hosts or represents a task", each(NobodyReserved)),
		property(checker.Quiescent, "LeftClean", "when quiescent, every node that wants to leave has left", each(LeftClean)),
	}
}

func openJob(g *globalState) bool {
	for s := range live(g) {
		if slices.ContainsFunc(s.Tasks.Owned, Open) {
			return true
		}
	}
	return false
}

func noOverlap(g *globalState) bool {
	zones := zonesOf(g)
	for i, a := range zones {
		for _, b := range zones[i+1:] {
			if a.Overlaps(b) {
				return false
			}
		}
	}
	return true
}

func zonesOf(g *globalState) []space.Zone {
	var zones []space.Zone
	for s := range live(g) {
		if s.Can.Phase == can.Member {
			zones = append(zones, s.Can.Self.Zone)
		}
	}
	return zones
}

func (o oracle) mapWhole(g *globalState) bool { return space.Covered(o.space.Whole(), zonesOf(g)) }

func oneTask(g *globalState) bool { return OneTask(live(g)) }

// each holds a property of single nodes against all live ones.
func each(holds func(*peer.State) bool) func(*globalState) bool {
	return func(g *globalState) bool {
		for s := range live(g) {
			if !holds(s) {
				return false
			}
		}
		return true
	}
}

func clustersAlive(g *globalState) bool {
	return each(func(s *peer.State) bool {
		return ClustersAlive(s, func(id protocol.NodeID) bool { return g.Running(id) && !g.Slots[id.Address].State.Leaving })
	})(g)
}

func (j oracle) jobsEnd(g *globalState) bool {
	for s := range live(g) {
		for _, o := range s.Tasks.Owned {
			if Open(o) || !j.tight && o.State != reptask.JobAccepted {
				return false
			}
		}
	}
	return true
}

func resultsEarned(g *globalState) bool { return !past(g).unearned }

func passedOn(g *globalState) bool { return !past(g).dropped }
