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

// oracle holds what the properties need in addition to a global state.
type oracle struct {
	space   space.Space
	tight   bool
	hops    uint32
	tickets [][]uint32 // for each node the tickets of its commands; nil: some may remain unanswered
	loses   bool       // an answer may be that the job is lost
	config  peer.Config
	jobs    []job                      // by their tickets, from 1
	at      func(node int) space.Point // where a node lies
}

// live goes through the states of the live nodes. The view of a node is its state.
func live(g *globalState) iter.Seq[*peer.State] {
	return func(yield func(*peer.State) bool) {
		for _, s := range g.Slots {
			if n, ok := s.View.(*peer.State); ok && !yield(n) {
				return
			}
		}
	}
}

// running returns the state of a node, if that very incarnation runs.
func running(g *globalState, id protocol.NodeID) (*peer.State, bool) {
	if int(id.Address) >= len(g.Slots) {
		return nil, false
	}
	n, ok := g.Slots[id.Address].View.(*peer.State)
	return n, ok && n.ID() == id
}

func property(
	shape checker.Shape, name, doc string, holds func(*globalState) bool,
) model.Property[peer.State, peer.Message] {
	return model.Property[peer.State, peer.Message]{
		Property: checker.Property{Name: name, Doc: doc, Shape: shape}, Holds: holds,
	}
}

// always lists the properties of every state.
func (o oracle) always() []model.Property[peer.State, peer.Message] {
	always := func(name, doc string, holds func(*globalState) bool) model.Property[peer.State, peer.Message] {
		return property(checker.Always, name, doc, holds)
	}
	return []model.Property[peer.State, peer.Message]{
		o.ofNode("MembersOnly"),
		always("NoOverlap", "zones of live nodes never overlap", noOverlap),
		always("OneTask", "no node runs two tasks, and no job runs in two attempts", oneTask),
		always("ResultsEarned", "an accepted result comes from an attempt that ran on exactly k nodes", resultsEarned),
		always("PassedOn", "a member that cannot own a job forwards it", passedOn),
		o.ofNode("OneLife"),
		always("NextLife", "a node that restarts has the next identity, and its place", o.nextLife),
		always("AnswersTrue", "a node that is reported to own a job has taken it", answersTrue),
		always("TimersKept", "the pending timers of a node are those that its layers wait for", o.timersKept),
		o.ofNode("LeaveWhole"),
		o.ofNode("ClusterFollows"),
	}
}

// ofNode is a property of ofNodes, checked on all live nodes.
func (o oracle) ofNode(name string) model.Property[peer.State, peer.Message] {
	for _, p := range ofNodes {
		if p.name == name {
			return property(checker.Always, name, p.doc, each(func(s *peer.State) bool { return p.holds(&o.config, s) }))
		}
	}
	panic("no property of nodes is named " + name)
}

// quiescent lists the properties of the states in which nothing happens any more.
func (o oracle) quiescent() []model.Property[peer.State, peer.Message] {
	quiescent := func(name, doc string, holds func(*globalState) bool) model.Property[peer.State, peer.Message] {
		return property(checker.Quiescent, name, "when quiescent, "+doc, holds)
	}
	all := []model.Property[peer.State, peer.Message]{
		quiescent("MapWhole", "the zones of the live nodes cover the whole space", o.mapWhole),
	}
	for _, p := range ofRest {
		holds := func(g *globalState) bool {
			return each(func(s *peer.State) bool {
				return p.holds(s, func(id protocol.NodeID) bool { return stays(g, id) })
			})(g)
		}
		if p.name == "JobsEnd" && !o.tight {
			holds = each(jobsAccepted)
		}
		all = append(all, quiescent(p.name, p.doc, holds))
	}
	return slices.Insert(all, len(all)-1,
		quiescent("Answered", "the entry of a job knows its owner, or the job was lost with an event", o.answered))
}

// jobsSettle is the liveness property.
func jobsSettle() model.Property[peer.State, peer.Message] {
	p := property(checker.LeadsTo, "JobsSettle", "every owned job ends", func(g *globalState) bool { return !openJob(g) })
	p.Triggers = openJob
	return p
}

func openJob(g *globalState) bool {
	for s := range live(g) {
		if !JobsEnd(s) {
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

// each checks a property of single nodes on all live ones.
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

// stays reports whether a node runs and does not leave.
func stays(g *globalState, id protocol.NodeID) bool {
	member, runs := running(g, id)
	return runs && !member.Leaving
}

// jobsAccepted is JobsEnd where capacity suffices.
func jobsAccepted(s *peer.State) bool {
	return !slices.ContainsFunc(s.Tasks.Owned, func(o reptask.Owned) bool { return o.State != reptask.JobAccepted })
}

// nextLife checks what a node persists: its identity and its coordinates.
func (o oracle) nextLife(g *globalState) bool {
	for i, s := range g.Slots {
		n, ok := s.View.(*peer.State)
		if ok && (int(n.ID().Incarnation) != s.Life+1 || n.Can.Self.Coord[0] != o.at(i)[0]) {
			return false
		}
	}
	return true
}

// hopBound is the property of the jobs in flight.
func (o oracle) hopBound() model.Property[peer.State, peer.Message] {
	doc := "no job in flight has made more hops than HopLimit"
	return property(checker.Always, "HopBound", doc, func(g *globalState) bool {
		within := true
		g.InFlight(func(e protocol.Envelope[peer.Message]) {
			j, ok := e.Message.(peer.Job)
			within = within && (!ok || j.Hops <= o.hops)
		})
		return within
	})
}

// keptUp is a property of models in which every job can find an owner.
func keptUp() model.Property[peer.State, peer.Message] {
	doc := "a job is lost only at a node that is not in the grid"
	return property(checker.Always, "KeptUp", doc, func(g *globalState) bool { return !past(g).gaveUp })
}

// onward is a property of the jobs in flight: each hop counts, and a node that leaves returns a job
// to its sender only if it has no other neighbour. Jobs come from an end of the row.
func onward() model.Property[peer.State, peer.Message] {
	doc := "a job counts its hops, and a node that leaves hands it to another neighbour than its sender"
	return property(checker.Always, "Onward", doc, func(g *globalState) bool {
		on := true
		g.InFlight(func(e protocol.Envelope[peer.Message]) {
			j, ok := e.Message.(peer.Job)
			passed := e.From != j.Entry
			on = on && (!ok || j.Hops > 0 && (!passed || j.Hops > 1) && (e.To != j.Entry || len(g.Slots) == 2))
		})
		return on
	})
}

// handedOver is the witness of a node that leaves and should own a job.
func handedOver() model.Property[peer.State, peer.Message] {
	doc := "a node that leaves hands a job to a neighbour"
	return property(checker.Sometimes, "HandedOver", doc, func(g *globalState) bool {
		handed := false
		g.InFlight(func(e protocol.Envelope[peer.Message]) {
			j, ok := e.Message.(peer.Job)
			handed = handed || ok && j.Adopt
		})
		return handed
	})
}

// oneHeir is a property of models in which no timer fires early and nothing is duplicated.
func oneHeir() model.Property[peer.State, peer.Message] {
	doc := "a representative has at most one answer on its way when it looks for an owner"
	return property(checker.Always, "OneHeir", doc, func(g *globalState) bool {
		heirs := 0
		g.InFlight(func(e protocol.Envelope[peer.Message]) {
			if _, heir := e.Message.(peer.Heir); heir {
				heirs++
			}
		})
		return heirs <= 1
	})
}

// drawn is the witness of a virtual dimension.
func drawn() model.Property[peer.State, peer.Message] {
	doc := "a node lies at the other place that it may draw"
	return property(checker.Sometimes, "Drawn", doc, func(g *globalState) bool {
		return !each(func(s *peer.State) bool { return s.Can.Self.Coord[1] == 0 })(g)
	})
}

// timersKept compares the timers that the driver holds with those of the state.
func (o oracle) timersKept(g *globalState) bool {
	for _, s := range g.Slots {
		n, ok := s.View.(*peer.State)
		if !ok || n.Gone() {
			continue
		}
		wanted := peer.Timers(&o.config, *n)
		if len(wanted) != len(s.Timers) ||
			slices.ContainsFunc(wanted, func(t protocol.Timer) bool { return !slices.Contains(s.Timers, t) }) {
			return false
		}
	}
	return true
}

// ownerInside is a property of models in which no zone shrinks and no node hands a job over.
func ownerInside() model.Property[peer.State, peer.Message] {
	doc := "the zone of a node that takes or adopts a job contains the requirement, unless a search found the node"
	return property(checker.Always, "OwnerInside", doc, func(g *globalState) bool { return !past(g).outside })
}

// ownedNames is a property of the answers in flight.
func ownedNames() model.Property[peer.State, peer.Message] {
	doc := "an answer in flight has the number that its sender gave the job"
	return property(checker.Always, "OwnedNames", doc, func(g *globalState) bool {
		right := true
		g.InFlight(func(e protocol.Envelope[peer.Message]) {
			m, answer := e.Message.(peer.Owned)
			owner, runs := running(g, e.From)
			right = right && (!answer || !runs || slices.ContainsFunc(owner.Tasks.Owned, func(o reptask.Owned) bool {
				return o.Job.Owner == e.From && o.Job.Number == m.Number && o.Job.Submitted == uint64(m.Ticket)
			}))
		})
		return right
	})
}

func answersTrue(g *globalState) bool { return !past(g).untrue }

// answered checks each job that was submitted: commands are given in their order.
func (o oracle) answered(g *globalState) bool {
	for i, tickets := range o.tickets {
		for _, t := range tickets[:min(g.Slots[i].Issued, len(tickets))] {
			if t > 0 && !past(g).answered(i, t, o.loses) {
				return false
			}
		}
	}
	return true
}

func resultsEarned(g *globalState) bool { return !past(g).unearned }

func passedOn(g *globalState) bool { return !past(g).dropped }
