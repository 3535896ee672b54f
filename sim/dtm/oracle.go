package dtm

import (
	dtmmodel "github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run  *run
	kept map[[2]protocol.NodeID]int64 // predictions among members so far
	seen map[string]int
}

func newOracle(r *run) *oracle {
	return &oracle{run: r, kept: map[[2]protocol.NodeID]int64{}, seen: map[string]int{}}
}

// live goes through the hosts that run.
func (o *oracle) live(yield func(*dtm.State) bool) {
	for i := range o.run.Len() {
		if o.run.Live(i) && !yield(o.run.State(i)) {
			return
		}
	}
}

// isIdle reports whether no leave, healing or change of a position is in progress at any host.
func (o *oracle) isIdle() bool {
	for s := range o.live {
		if !dtmmodel.Still(s, o.run.Running) {
			return false
		}
	}
	return true
}

// step is called after each step that changed a host or had events.
func (o *oracle) step(node int, events []protocol.Event) {
	changed := false
	for _, e := range events {
		o.seen[e.Name]++
		changed = changed || e.Name != dtm.EventIgnore
	}
	if !o.run.Live(node) {
		return
	}
	s := o.run.State(node)
	if property := dtmmodel.Broken(s); property != "" {
		o.Violate(property, "%s", sim.InStep(s.ID, events))
	}
	if changed {
		o.checkPredictions(sim.InStep(s.ID, events))
	}
}

// checkPredictions compares the predictions among members with those before, if all agree.
func (o *oracle) checkPredictions(where string) {
	all := func(*dtm.State) bool { return true }
	dtmmodel.Predictions(o.run, all, func(a, b protocol.NodeID, now int64, one bool) bool {
		pair := [2]protocol.NodeID{a, b}
		before, known := o.kept[pair]
		if known && (!one || now != before) {
			o.Violate("LeaveKeeps", "%v and %v: %d, before %d; %s", a, b, now, before, where)
		}
		o.kept[pair] = now
		return true
	})
}

// Quiescent implements [sim.Oracle]. In a run of this package every host that runs joins, and every
// failure is noticed.
func (o *oracle) Quiescent() (property, where string) {
	for s := range o.live {
		if s.Phase != dtm.Member || !dtmmodel.Still(s, o.run.Running) {
			return "NobodyLocked", "at " + s.ID.String()
		}
	}
	property, at := dtmmodel.Unsettled(o.run, o.run.cfg.AggregateLimit)
	if property != "" && !at.IsNobody() {
		where = "at " + at.String()
	}
	return property, where
}
