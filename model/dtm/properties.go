package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// oracle holds what the properties need in addition to a global state.
type oracle struct {
	*scenario
	tree layout
}

// latency lists the possible results of a measurement: half the length of the way.
func (o *oracle) latency(from, to protocol.NodeID) []uint32 {
	d := o.tree.far(int(from.Address), int(to.Address))
	if pair(o.longer, from, to) {
		d += 2
	}
	return []uint32{uint32(d / 2)}
}

// each is a property of every member.
func each(shape checker.Shape, name, doc string, holds func(*globalState, *dtm.State) bool) property {
	return whole(shape, name, doc, func(g *globalState) bool {
		for s := range members(g) {
			if !holds(g, s) {
				return false
			}
		}
		return true
	})
}

func whole(shape checker.Shape, name, doc string, holds func(*globalState) bool) property {
	return property{Property: checker.Property{Name: name, Doc: doc, Shape: shape}, Holds: holds}
}

func (o *oracle) properties() []property {
	all := []property{
		whole(checker.Always, "Acyclic", "the anchors of all members lead to one root", acyclic),
		each(checker.Always, "Held", "a member is in the list of its anchor, or about to be", held),
		each(checker.Always, "Place", "children are on the segment of their anchor",
			func(_ *globalState, s *dtm.State) bool { return placed(s) }),
		each(checker.Quiescent, "LabelsTrue", "when quiescent, the label of each member is its path to the root",
			func(g *globalState, s *dtm.State) bool {
				label, agreed := truth(g, s)
				return agreed && slices.Equal(label, s.Label())
			}),
		each(checker.Quiescent, "SiblingsKnown", "when quiescent, each member knows the children of its anchor",
			siblingsKnown),
		whole(checker.Quiescent, "NobodyLocked", "when quiescent, nothing is in progress at any node",
			func(g *globalState) bool { return allLive(g, idle) }),
		whole(checker.Always, "LeaveKeeps", "no change of the tree changes a prediction among the first members",
			func(g *globalState) bool {
				return o.predicts(g, func(s *dtm.State) bool { return int(s.ID.Address) < o.members })
			}),
	}
	if o.near > 0 {
		all = append(all, each(checker.Quiescent, "Aggregated",
			"when quiescent, each member knows the hosts nearest to it on the side of each neighbour", o.aggregated))
	}
	if o.longer == "" {
		all = append(all, whole(checker.Quiescent, "ExactOnTrees",
			"when quiescent, the prediction for each pair is what it measures", func(g *globalState) bool {
				return o.predicts(g, func(*dtm.State) bool { return true })
			}))
	}
	if !o.safety && o.joins != "" {
		all = append(all, leadsTo("Joins", "every host that joins becomes a member",
			func(s *dtm.State) bool { return s.Phase != dtm.Joining }))
	}
	if !o.safety && o.leaves != "" {
		all = append(all, leadsTo("Leaves", "every host that leaves is out of the tree",
			func(s *dtm.State) bool { return s.Departure.Stage == dtm.Staying }))
	}
	return all
}

// allLive reports whether something holds of all nodes that run.
func allLive(g *globalState, holds func(*dtm.State) bool) bool {
	for i := range g.Slots {
		if g.Live(i) && !holds(&g.Slots[i].State) {
			return false
		}
	}
	return true
}

// leadsTo is the property that something holds of all nodes again, after each time that it does
// not.
func leadsTo(name, doc string, done func(*dtm.State) bool) property {
	all := func(g *globalState) bool { return allLive(g, done) }
	return property{
		Property: checker.Property{Name: name, Doc: doc, Shape: checker.LeadsTo},
		Triggers: func(g *globalState) bool { return !all(g) }, Holds: all,
	}
}
