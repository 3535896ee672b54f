package reptask

import (
	"iter"
	"slices"

	reptaskmodel "github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run       *run
	views     []*reptaskmodel.View // of live nodes, by index
	chronicle *reptaskmodel.RunMonitor
	lives     reptaskmodel.Lives
	available *availability
	sizes     map[reptask.Job]int
	seen      map[string]int
}

func newOracle(r *run, nodes int) *oracle {
	j := &oracle{
		run:       r,
		views:     make([]*reptaskmodel.View, nodes),
		lives:     reptaskmodel.Lives{},
		available: newAvailability(nodes),
		sizes:     map[reptask.Job]int{},
		seen:      map[string]int{},
	}
	j.chronicle = reptaskmodel.NewRunMonitor(func(job reptask.Job) int { return j.sizes[job] })
	return j
}

// step is called after each step that changed a node or had events.
func (o *oracle) step(node int, events []protocol.Event) {
	for _, e := range events {
		o.seen[e.Name]++
	}
	if o.views[node] = nil; !o.run.Live(node) {
		o.chronicle.Observe(o.lives.Number(events[0].Peer), nil, events)
		o.available.step(o.run.Now(), node, nil)
		return
	}
	for _, owned := range o.run.State(node).Owned {
		o.sizes[owned.Job] = int(owned.Spec.Size)
	}
	v := reptaskmodel.ViewOf(*o.run.State(node))
	o.views[node] = v
	o.chronicle.Observe(o.lives.Number(v.ID), v, events)
	if property := o.chronicle.Broken(); property != "" {
		o.Violate(property, "%s", sim.InStep(v.ID, events))
	}
	if !reptaskmodel.OneRunPerNode(v) {
		o.Violate("OneRunPerNode", "%v runs two tasks", v.ID)
	}
	if !reptaskmodel.OneEpochRuns(o.live()) {
		o.Violate("OneEpochRuns", "a job of %v runs elsewhere in another attempt", v.ID)
	}
	o.checkPromises(node, events)
	if o.run.leases {
		return
	}
	for other := range o.live() {
		if !reptaskmodel.VotesHeld(other, o.viewOf) {
			o.Violate("VotesHeld", "%v counts a vote that its host does not hold", other.ID)
		}
	}
}

// checkPromises checks the promises to applications. Recalls: a node that wants to leave holds no
// vote that it does not want back. LastResort: a job fails only if no candidate could have taken it
// all the time. The latter is not checked where live nodes may be falsely suspected: a cluster may
// then be too small for a while without any node knowing.
func (o *oracle) checkPromises(node int, events []protocol.Event) {
	s := o.run.State(node)
	if !reptaskmodel.Recalls(s) {
		o.Violate("Recalls", "%v leaves but keeps its vote", s.Self)
	}
	o.available.step(o.run.Now(), node, s)
	adopts := slices.ContainsFunc(
		events,
		func(e protocol.Event) bool { return e.Name == reptask.EventAdopt },
	) // with other candidates
	for _, e := range events {
		if e.Name != reptask.EventFailed || adopts || o.run.leases {
			continue
		}
		for i := range s.Owned {
			owned := &s.Owned[i]
			if owned.Job.Owner != e.Peer || owned.Job.Number != e.Number {
				continue
			}
			if id, could := o.available.couldHave(owned, o.run.Running); could {
				o.Violate("LastResort", "no node took a job of %v, although %v could have", e.Peer, id)
			}
		}
	}
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	if property, where = o.chronicle.Unsettled(o.live()); property != "" {
		return property, where
	}
	if !o.run.leases && !o.chronicle.NeverFewer() {
		return "NeverFewer", "an attempt started on fewer nodes than its job needs, although no node has crashed"
	}
	return "", ""
}

// isLeased reports whether a live node still holds a task of a representative.
func (o *oracle) isLeased(representative protocol.NodeID) bool {
	for v := range o.live() {
		if slices.ContainsFunc(v.Tasks, func(t reptaskmodel.Task) bool { return t.Representative == representative }) {
			return true
		}
	}
	return false
}

func (o *oracle) live() iter.Seq[*reptaskmodel.View] {
	return func(yield func(*reptaskmodel.View) bool) {
		for _, v := range o.views {
			if v != nil && !yield(v) {
				return
			}
		}
	}
}

func (o *oracle) viewOf(id protocol.NodeID) (*reptaskmodel.View, bool) {
	v := o.views[id.Address]
	return v, v != nil && v.ID == id
}
