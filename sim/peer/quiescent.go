package peer

import (
	"fmt"

	peermodel "github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// Sketch implements [sim.Sketcher].
func (o *oracle) Sketch(p *traces.Picture) { o.canMap.Sketch(p) }

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	if property, where = o.canMap.Busy(); property != "" {
		return property, where
	}
	for s := range o.live() {
		if property = peermodel.Unsettled(s, o.stays); property != "" {
			return property, "at " + s.ID().String()
		}
	}
	if number, where := o.unmatched(); number > 0 {
		return "Matched", where
	}
	if property, where = o.clusters.Quiescent(); property != "" {
		return property, where
	}
	if ticket := o.clients.unowned(); o.roomy && o.lossless && ticket > 0 {
		return "JobsEnd", fmt.Sprintf("no node owns the job with ticket %d", ticket)
	}
	if o.run.cfg.Predicts {
		if property, where = o.foundByPrediction(); property != "" {
			return property, where
		}
	}
	return o.canMap.Whole()
}

// stays reports whether a node runs and has not left.
func (o *oracle) stays(id protocol.NodeID) bool {
	return o.run.Running(id) && !o.run.State(int(id.Address)).Leaving
}
