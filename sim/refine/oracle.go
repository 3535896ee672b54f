package refine

import (
	"slices"

	model "github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim"
)

// Watch is the part of a world that is about clusters: it holds what nodes know of them to the
// properties of this core. Worlds of cores that stand on clusters have one, too.
type Oracle struct {
	sim.Violation
	cfg       *refine.Config
	bounds    model.Bounds
	chronicle *model.Chronicle
	views     []*model.View // of live nodes that have not said farewell, by place

	// Near, if set, reports whether two nodes are as near now as members of a cluster must be. It is
	// asked at rest.
	Near func(a, b protocol.NodeID) bool
	// Suspects says that live nodes may be held for failed: who is counts on the other until it hears
	// of it.
	Suspects bool
	// Lasting says that nobody fails, leaves, is struck off a list or comes to lie elsewhere, and that
	// measurements do not waver. Then an answer that was right stays so, until a node comes out of a
	// cluster since its head has found a larger one.
	Lasting bool
}

// NewWatch returns the clusters of a world of so many places, where nobody is yet.
func NewOracle(cfg *refine.Config, nodes int) *Oracle {
	return &Oracle{
		cfg: cfg, bounds: model.Bounds{Membership: cfg.MembershipBound, Size: cfg.SizeBound},
		chronicle: model.NewChronicle(cfg.DiameterMicros), views: make([]*model.View, nodes),
	}
}

// Step is called after each step that changed what a node knows of clusters, or that had events of
// this core. Of a node that does not live the state means nothing; after a crash the event "crash"
// is the only one.
func (w *Oracle) Step(node int, live bool, s *refine.State, events []protocol.Event) {
	before := w.views[node]
	w.views[node] = nil
	var v *model.View
	if live {
		v = model.ViewOf(*s)
	}
	if live && !s.Departed {
		w.views[node] = v
	}
	w.chronicle.Observe(node, v, events)
	w.Lasting = w.Lasting &&
		!slices.ContainsFunc(events, func(e protocol.Event) bool { return e.Name == refine.EventReleased })
	for _, other := range w.views {
		if other != nil && !w.Suspects && !model.HeadKnows(other, w.viewOf) {
			w.Violate("HeadKnows", "a head of %v does not know it", other.ID)
		}
	}
	if v = w.views[node]; v != nil {
		w.check(s, v)
		w.checkTurnedDown(s, before, v, events)
	}
}

// judge looks at a node after its step.
func (w *Oracle) check(s *refine.State, v *model.View) {
	if property := w.chronicle.Broken(v); property != "" && (property != "RemovedIsGone" || !w.Suspects) {
		w.Violate(property, "at %v: %s", v.ID, refine.StateText(*s))
	}
	for _, each := range []struct {
		name  string
		holds func(*model.View) bool
	}{
		{"MembershipBound", w.bounds.MembershipBound}, {"SizeBound", w.bounds.SizeBound}, {"Advertises", model.Advertises},
		{"AwarenessBound", w.bounds.AwarenessBound},
	} {
		if !each.holds(v) {
			w.Violate(each.name, "at %v: %s", v.ID, refine.StateText(*s))
		}
	}
}

// turned looks at what steps do with those that are turned down. Prefers: in the global order,
// whoever turns a head down keeps no suitor that comes after it. SecondChance: a head that loses a
// member when it is in no round has nobody left that it was turned down by, or turned down.
func (w *Oracle) checkTurnedDown(s *refine.State, before, v *model.View, events []protocol.Event) {
	for _, e := range events {
		switch e.Name {
		case refine.EventDeny, refine.EventDefer:
			later := func(t refine.Slot) bool { return t.Stage == refine.Suitor && t.Head.Hash() > e.Peer.Hash() }
			if w.cfg.Criterion == refine.GlobalOrder && slices.ContainsFunc(s.Slots, later) {
				w.Violate("Prefers", "%v turned %v down, and not who comes after it", v.ID, e.Peer)
			}
		case refine.EventRemoved:
			round := before == nil || before.Head == model.HeadSolicit || before.Head == model.HeadFilter
			if !round && len(v.Denied)+len(v.Filtered) > 0 {
				w.Violate("SecondChance", "%v lost %v, and asks nobody in its place", v.ID, e.Peer)
			}
		}
	}
}

// AtRest implements [sim.Judge].
func (w *Oracle) Quiescent() (property, who string) {
	for v := range w.all {
		for _, each := range []struct {
			name  string
			holds bool
		}{
			{"NobodyStuck", model.NobodyStuck(v)}, {"AskedAgain", w.bounds.AskedAgain(v)}, {"Agree", model.Agree(v, w.viewOf)},
			{"Largest", model.Largest(v)}, {"AdoptionBound", w.bounds.AdoptionBound(v, w.all)},
			{"Near", w.Near == nil || model.Near(v, w.Near)}, {"Taken", !w.Lasting || w.bounds.Taken(v, w.viewOf)},
		} {
			if !each.holds {
				return each.name, "at " + v.ID.String()
			}
		}
	}
	return "", ""
}

func (w *Oracle) all(yield func(*model.View) bool) {
	for _, v := range w.views {
		if v != nil && !yield(v) {
			return
		}
	}
}

func (w *Oracle) viewOf(id protocol.NodeID) (*model.View, bool) {
	v := w.views[id.Address]
	return v, v != nil && v.ID == id
}
