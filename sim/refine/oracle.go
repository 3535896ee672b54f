package refine

import (
	"iter"
	"slices"

	refinemodel "github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim"
)

// Oracle checks the nodes' views of clusters against the properties of this core. The oracles of
// cores that build on clusters contain one.
type Oracle struct {
	sim.Violation
	cfg       *refine.Config
	bounds    refinemodel.Bounds
	chronicle *refinemodel.RunMonitor
	views     []*refinemodel.View // by index, of live nodes that have not left

	// Near, if set, reports whether two nodes are as near now as members of a cluster must be. It is
	// called in quiescent states.
	Near func(a, b protocol.NodeID) bool
	// Suspects says that live nodes may be falsely suspected. A suspected node counts on the other
	// until it is notified of the suspicion.
	Suspects bool
	// Lasting says that no node fails, leaves, moves or is struck off a list, and that measurements
	// are stable. Then a correct answer stays correct, until a node is released from a cluster because
	// its head has found a larger one.
	Lasting bool
}

// NewOracle returns the oracle for the given number of nodes, none of them up.
func NewOracle(cfg *refine.Config, nodes int) *Oracle {
	return &Oracle{
		cfg: cfg, bounds: refinemodel.Bounds{Membership: cfg.MembershipBound, Size: cfg.SizeBound},
		chronicle: refinemodel.NewRunMonitor(cfg.DiameterMicros), views: make([]*refinemodel.View, nodes),
	}
}

// Step must be called after each step that changed a node's view of clusters, or that had events of
// this core. The state of a node that is not live is ignored. After a crash the only event is
// "crash".
func (o *Oracle) Step(node int, live bool, s *refine.State, events []protocol.Event) {
	before := o.views[node]
	o.views[node] = nil
	var v *refinemodel.View
	if live {
		v = refinemodel.ViewOf(*s)
	}
	if live && !s.Departed {
		o.views[node] = v
	}
	o.chronicle.Observe(node, v, events)
	o.Lasting = o.Lasting &&
		!slices.ContainsFunc(events, func(e protocol.Event) bool { return e.Name == refine.EventReleased })
	for _, other := range o.views {
		if other != nil && !o.Suspects && !refinemodel.HeadKnows(other, o) {
			o.Violate("HeadKnows", "a head of %v does not list it as a member", other.ID)
		}
	}
	if v = o.views[node]; v != nil {
		o.check(s, v)
		o.checkTurnedDown(s, before, v, events)
	}
}

// check checks a node after its step.
func (o *Oracle) check(s *refine.State, v *refinemodel.View) {
	if property := o.chronicle.Broken(v); property != "" && (property != "RemovedIsGone" || !o.Suspects) {
		o.Violate(property, "at %v: %s", v.ID, refine.StateText(*s))
	}
	if property := o.bounds.Broken(v); property != "" {
		o.Violate(property, "at %v: %s", v.ID, refine.StateText(*s))
	}
}

// checkTurnedDown checks steps that turn a node down or lose one. Prefers: in the global order, a
// client that turns a head down keeps no suitor that comes later. SecondChance: a head that loses a
// member outside of a round has no denied or filtered candidate left.
func (o *Oracle) checkTurnedDown(s *refine.State, before, v *refinemodel.View, events []protocol.Event) {
	for _, e := range events {
		switch e.Name {
		case refine.EventDeny, refine.EventDefer:
			later := func(t refine.Slot) bool { return t.Stage == refine.Suitor && t.Head.Hash() > e.Peer.Hash() }
			if o.cfg.Criterion == refine.GlobalOrder && slices.ContainsFunc(s.Slots, later) {
				o.Violate("Prefers", "%v turned %v down, but kept a suitor that comes later", v.ID, e.Peer)
			}
		case refine.EventRemoved:
			round := before == nil || before.Head == refinemodel.HeadSolicit || before.Head == refinemodel.HeadFilter
			if !round && len(v.Denied)+len(v.Filtered) > 0 {
				o.Violate("SecondChance", "%v lost %v, and asks no other candidate", v.ID, e.Peer)
			}
		}
	}
}

// Quiescent implements [sim.Oracle].
func (o *Oracle) Quiescent() (property, where string) {
	for v := range o.All() {
		property = o.bounds.Unsettled(v, o)
		switch {
		case property != "":
		case o.Near != nil && !refinemodel.Near(v, o.Near):
			property = "Near"
		case o.Lasting && !o.bounds.Taken(v, o):
			property = "Taken"
		}
		if property != "" {
			return property, "at " + v.ID.String()
		}
	}
	return "", ""
}

// All implements [refinemodel.Views].
func (o *Oracle) All() iter.Seq[*refinemodel.View] {
	return func(yield func(*refinemodel.View) bool) {
		for _, v := range o.views {
			if v != nil && !yield(v) {
				return
			}
		}
	}
}

// Of implements [refinemodel.Views].
func (o *Oracle) Of(id protocol.NodeID) (*refinemodel.View, bool) {
	v := o.views[id.Address]
	return v, v != nil && v.ID == id
}
