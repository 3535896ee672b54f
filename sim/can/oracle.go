package can

import (
	"slices"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	cfg     *can.Config
	views   []*canmodel.View // of live nodes, by index
	known   [][]can.Record   // the full records, which views abridge
	monitor *canmodel.RunMonitor
	counts  map[string]int // of events and decisions
}

func newOracle(cfg *can.Config, nodes int) *oracle {
	return &oracle{
		cfg:     cfg,
		views:   make([]*canmodel.View, nodes),
		known:   make([][]can.Record, nodes),
		monitor: canmodel.NewRunMonitor(),
		counts:  map[string]int{},
	}
}

// step is called after each step that changed a node or had events. It checks only properties that
// the step can have changed: it looks for overlaps where a zone has changed.
func (o *oracle) step(node int, live bool, s *can.State, events []protocol.Event) {
	before, knew := o.views[node], o.known[node]
	o.views[node], o.known[node] = nil, nil
	if live {
		o.views[node], o.known[node] = canmodel.ViewOf(*s), s.Known
	}
	o.count(events)
	o.monitor.Observe(s, events)
	if property := o.monitor.Broken(); property != "" {
		o.Violate(property, "%s", sim.InStep(s.Self.ID, events))
	}
	if slices.ContainsFunc(events, func(e protocol.Event) bool { return e.Name == can.EventFenced }) {
		o.Violate("Unfenced", "%s", sim.InStep(s.Self.ID, events))
	}
	v := o.views[node]
	if v == nil {
		return
	}
	if text := o.monitor.Untrue(v); text != "" {
		o.Violate("Truthful", "%s", text)
	}
	if v.Member && (before == nil || !before.Member || before.Self.Zone != v.Self.Zone) {
		o.checkZone(node, v)
	}
	o.checkPromises(v)
	if before != nil && before.Self.ID == v.Self.ID {
		o.checkPromised(before, v)
		o.checkNews(s, knew)
	}
}

// count counts events, and decisions by their change.
func (o *oracle) count(events []protocol.Event) {
	for _, e := range events {
		if o.counts[e.Name]++; e.Name == can.EventDecide {
			o.counts[e.Detail]++
		}
	}
}

// checkPromised compares what a node promised before and after a step. A newer round of the same
// proposer ends the promise to its older one.
func (o *oracle) checkPromised(before, after *canmodel.View) {
	own := after.Proposing || after.Handing
	if p := after.Promised; !p.IsNobody() && (own || !before.Promised.IsNobody() && before.Promised != p) {
		o.Violate("OneRound", "%v promised to %v and takes part in another round", after.Self.ID, p)
	}
}

// checkNews compares a node's records before and after a step.
func (o *oracle) checkNews(s *can.State, knew []can.Record) {
	if id, older := canmodel.OlderNews(knew, s.Known); older {
		o.Violate("NoOldNews", "%v replaced a record of %v by an older one", s.Self.ID, id)
	}
}

// checkZone checks a new zone.
func (o *oracle) checkZone(node int, v *canmodel.View) {
	if !v.Inside() {
		o.Violate("OwnerInside", "the coordinate of %v is outside its zone %s", v.Self.ID, o.cfg.Space.ZoneText(v.Self.Zone))
	}
	for i, other := range o.views {
		if i != node && other != nil && other.Member && !canmodel.Apart(other, v) {
			o.Violate(
				"NoOverlap",
				"the zones %s of %v and %s of %v overlap",
				o.cfg.Space.ZoneText(v.Self.Zone),
				v.Self.ID,
				o.cfg.Space.ZoneText(other.Self.Zone),
				other.Self.ID,
			)
		}
	}
}

// checkPromises checks the promise of a node, and the promises that were made to it.
func (o *oracle) checkPromises(v *canmodel.View) {
	if l := o.running(v.Promised); l != nil {
		o.checkPromise(v, l)
	}
	if !v.Busy {
		return
	}
	for _, r := range o.views {
		if r != nil && r.Promised == v.Self.ID {
			o.checkPromise(r, v)
		}
	}
}

// checkPromise checks the promise of a node to a running proposer.
func (o *oracle) checkPromise(v, proposer *canmodel.View) {
	if text := v.Misfit(proposer); text != "" {
		o.Violate("ViewsFit", "%s", text)
	}
}

func (o *oracle) running(id protocol.NodeID) *canmodel.View {
	if id.IsNobody() || int(id.Address) >= len(o.views) {
		return nil
	}
	if v := o.views[id.Address]; v != nil && v.Self.ID == id {
		return v
	}
	return nil
}

// owners returns the live nodes that own a zone.
func (o *oracle) owners() []*canmodel.View {
	var owners []*canmodel.View
	for _, v := range o.views {
		if v != nil && v.Member {
			owners = append(owners, v)
		}
	}
	return owners
}

// busy returns the node that keeps the map from becoming quiescent, if one does.
func (o *oracle) busy() (property, where string) {
	for _, v := range o.views {
		switch {
		case v == nil:
		case !canmodel.NobodyBusy(v):
			return "NobodyBusy", v.Self.ID.String() + " is busy"
		case v.Joining:
			return "Converges", v.Self.ID.String() + " is still waiting to join"
		case v.WantsLeave:
			return "Converges", v.Self.ID.String() + " is still waiting to leave"
		}
	}
	return "", ""
}
