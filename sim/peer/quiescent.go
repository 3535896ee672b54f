package peer

import (
	"fmt"
	"slices"

	model "github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/traces"
)

// Sketch implements [sim.Sketcher].
func (j *oracle) Sketch(p *traces.Picture) { j.canMap.Sketch(p) }

// AtRest implements [sim.Judge].
func (j *oracle) Quiescent() (property, who string) {
	if property, who = j.canMap.Busy(); property != "" {
		return property, who
	}
	for s := range j.live() {
		for _, each := range []struct {
			name  string
			holds func(*peer.State) bool
		}{
			{"LeftClean", model.LeftClean}, {"JobsEnd", jobsEnd}, {"NobodyReserved", model.NobodyReserved},
			{"ClustersAgree", model.ClustersAgree},
			{"ClustersAlive", func(s *peer.State) bool { return model.ClustersAlive(s, j.stays) }},
		} {
			if !each.holds(s) {
				return each.name, "at " + s.ID().String()
			}
		}
	}
	if property, who = j.clusters.Quiescent(); property != "" {
		return property, who
	}
	if ticket := j.clients.unowned(); j.roomy && j.lossless && ticket > 0 {
		return "JobsEnd", fmt.Sprintf("nobody owns the job of ticket %d", ticket)
	}
	return j.canMap.Whole()
}

func jobsEnd(s *peer.State) bool { return !slices.ContainsFunc(s.Tasks.Owned, model.Open) }

// stays reports whether a node runs and has not said farewell.
func (j *oracle) stays(id protocol.NodeID) bool {
	return j.run.Running(id) && !j.run.State(int(id.Address)).Leaving
}
