package dtm

import (
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

// rule is a property with its explanation.
type rule struct {
	name, doc string
	holds     func(Hosts, *dtm.State) bool // of a host; nil: not of one host alone
}

// The properties that the simulator checks, too.
var (
	oneRoot   = rule{"Acyclic", "the anchors of all members lead to one root", nil}
	place     = rule{"Place", "children are on the segment of their anchor", nil}
	keeps     = rule{"LeaveKeeps", "no change of the tree changes a prediction among the first members", nil}
	nearKnown = rule{
		"Aggregated", "when quiescent, each member knows the hosts nearest to it on the side of each neighbour", nil,
	}
	settled = [...]rule{
		{"NobodyLocked", "when quiescent, nothing is in progress at any node", func(_ Hosts, s *dtm.State) bool {
			return idle(s)
		}},
		{"LabelsTrue", "when quiescent, the label of each member is its path to the root", func(h Hosts, s *dtm.State) bool {
			return !inTree(s) || labelTrue(h, s)
		}},
		{"SiblingsKnown", "when quiescent, each member knows the children of its anchor", func(h Hosts, s *dtm.State) bool {
			return !inTree(s) || siblingsKnown(h, s)
		}},
	}
)

// each is a property of every host that runs.
func (r rule) each(shape checker.Shape, holds func(Hosts, *dtm.State) bool) property {
	return r.whole(shape, func(h Hosts) bool {
		for s := range live(h) {
			if !holds(h, s) {
				return false
			}
		}
		return true
	})
}

func (r rule) whole(shape checker.Shape, holds func(Hosts) bool) property {
	return property{
		Property: checker.Property{Name: r.name, Doc: r.doc, Shape: shape},
		Holds:    func(g *globalState) bool { return holds(checked{g}) },
	}
}

func (o *oracle) properties() []property {
	all := []property{
		oneRoot.whole(checker.Always, acyclic),
		rule{name: "Held", doc: "a member is in the list of its anchor, or about to be"}.each(checker.Always,
			func(h Hosts, s *dtm.State) bool { return !inTree(s) || held(h, s) }),
		place.each(checker.Always, func(_ Hosts, s *dtm.State) bool { return !inTree(s) || placed(s) }),
	}
	for _, r := range [...]rule{settled[1], settled[2], settled[0]} {
		all = append(all, r.each(checker.Quiescent, r.holds))
	}
	all = append(all, keeps.whole(checker.Always, func(h Hosts) bool {
		return o.predicts(h, func(s *dtm.State) bool { return int(s.ID.Address) < o.members })
	}))
	if o.near > 0 {
		all = append(all, nearKnown.each(checker.Quiescent, func(h Hosts, s *dtm.State) bool {
			return !inTree(s) || aggregated(h, s, o.near)
		}))
	}
	if o.longer == "" {
		exact := rule{name: "ExactOnTrees", doc: "when quiescent, the prediction for each pair is what it measures"}
		all = append(all, exact.whole(checker.Quiescent, func(h Hosts) bool {
			return o.predicts(h, func(*dtm.State) bool { return true })
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
