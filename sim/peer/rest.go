package peer

import (
	"fmt"
	"slices"

	model "github.com/canvass-grid/canvass/model/peer"
	clusters "github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// atRest returns the first property of a grid at rest that does not hold, and who breaks it.
func (j *judge) atRest() (property, who string) {
	if property, who = j.land.Busy(); property != "" {
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
	if property, who = j.clustersAtRest(); property != "" {
		return property, who
	}
	if ticket := j.clients.unowned(); j.roomy && j.lossless && ticket > 0 {
		return "JobsEnd", fmt.Sprintf("nobody owns the job of ticket %d", ticket)
	}
	if property = j.land.AtRest(); property != "" {
		return property, "all is quiet, and it does not hold"
	}
	return "", ""
}

func jobsEnd(s *peer.State) bool { return !slices.ContainsFunc(s.Tasks.Owned, model.Open) }

// stays reports whether a node runs and has not said farewell.
func (j *judge) stays(id protocol.NodeID) bool {
	return j.run.Running(id) && !j.run.State(int(id.Address)).Leaving
}

func (j *judge) clustersAtRest() (property, who string) {
	all := func(yield func(*clusters.View) bool) {
		for _, v := range j.clusters {
			if v != nil && !yield(v) {
				return
			}
		}
	}
	for v := range all {
		for _, each := range []struct {
			name  string
			holds bool
		}{
			{"NobodyStuck", clusters.NobodyStuck(v)}, {"AskedAgain", j.bounds.AskedAgain(v)}, {"Agree", clusters.Agree(v, j.clusterOf)},
			{"Largest", clusters.Largest(v)}, {"AdoptionBound", j.bounds.AdoptionBound(v, all)},
			{"Near", !j.drifts || clusters.Near(v, j.within)},
		} {
			if !each.holds {
				return each.name, "at " + v.ID.String()
			}
		}
	}
	return "", ""
}
