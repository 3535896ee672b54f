package refine

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

type publishedProperty = model.Property[published.State, published.Message]

// pairing is the requirement of the text: "a measurement between every pair of nodes in a given
// cluster", from one end. Where a head waits until both ends have measured each pair, both count.
func (s *publishedScenario) pairing() pairing {
	return pairing{diameter: publishedDiameter, oneEnd: !s.readings.WaitsForPairs}
}

// properties lists those of the scenario.
func (s *publishedScenario) properties() []publishedProperty {
	if s.circle {
		return []publishedProperty{noCircle()}
	}
	o := oracle[published.State, published.Message]{membership: s.memberships, size: s.size}
	all := append(s.common(o), o.witnesses(seesCluster)...)
	if s.denies {
		all = append(all, o.witnesses(seesDenial)...)
	}
	if s.prefers != 0 {
		all = append(all, s.sorts())
	}
	if s.live {
		converges := o.converges()
		converges.Shape = checker.AlmostSurely // endless deferrals do not count as starving the others
		all = append(all, converges)
	}
	if s.whole != "" {
		all = append(all, s.found())
	}
	return all
}

// common lists the properties that the corrected core has, too. Two of them are weaker here.
func (s *publishedScenario) common(o oracle[published.State, published.Message]) []publishedProperty {
	all := o.properties()
	for i := range all {
		switch p := &all[i]; {
		case p.Name == "MembershipBound":
			p.Doc = "no node is in more than M clusters that were found, its own included"
			p.Holds = func(g *globalState[published.State, published.Message]) bool {
				for v := range views(g) {
					if v.memberships() > s.memberships {
						return false
					}
				}
				return true
			}
		case p.Name == "Measured" && s.pairing().oneEnd:
			p.Doc = "each pair in a cluster was measured near, from at least one end, in the round of the cluster"
		}
	}
	return all
}

// sorts is the property Prefers for Algorithm 3, in which a deferral is no denial.
func (s *publishedScenario) sorts() publishedProperty {
	return publishedProperty{
		Property: checker.Property{
			Name:  "Prefers",
			Doc:   "a client that denied the preferred head keeps no other suitor waiting",
			Shape: checker.Always,
		},
		Holds: func(g *globalState[published.State, published.Message]) bool {
			head, _ := viewOf(g, id(s.prefers))
			return head == nil || !slices.ContainsFunc(head.Denied, func(id protocol.NodeID) bool {
				client, runs := viewOf(g, id)
				return runs && slices.ContainsFunc(client.Slots, func(s Slot) bool { return s.Stage == Suitor })
			})
		},
	}
}

// noCircle: a head waits for a client that defers it, and the client waits for a head that it has
// accepted.
func noCircle() publishedProperty {
	return publishedProperty{
		Property: checker.Property{
			Name:  "NoCircle",
			Doc:   "heads and clients do not wait for each other in a circle, which would never end",
			Shape: checker.Always,
		},
		Holds: func(g *globalState[published.State, published.Message]) bool {
			for v := range views(g) {
				if v.waitsFor(g, v.ID, nil) {
					return false
				}
			}
			return true
		},
	}
}

// waitsFor reports whether the node, as a head, waits for that head: for a client that defers it
// since the client waits for the confirmation of that head, or of a head that waits for that one.
func (v *View) waitsFor(
	g *globalState[published.State, published.Message], head protocol.NodeID, passed []protocol.NodeID,
) bool {
	if v.Head != HeadSolicit || slices.Contains(passed, v.ID) {
		return false
	}
	for _, id := range v.Deferred {
		client, runs := viewOf(g, id)
		if !runs || client.Client != ClientMeasure {
			continue
		}
		for _, s := range client.Slots {
			next, runs := viewOf(g, s.Head)
			if s.Stage == Accepted && runs &&
				(s.Head == head && next.Head == HeadSolicit || next.waitsFor(g, head, append(passed, v.ID))) {
				return true
			}
		}
	}
	return false
}

// memberships counts the clusters that a node is in. A node that has found no other node does not
// count as a cluster: "singleton nodes that are part of no cluster".
func (v *View) memberships() int {
	n := 0
	if len(v.Own.Members) > 1 {
		n++
	}
	for _, s := range v.Slots {
		if s.Stage == Committed {
			n++
		}
	}
	return n
}

// found is the property Whole for the heads that have had all their commands. A head that has had
// no command is quiescent too.
func (s *publishedScenario) found() publishedProperty {
	return publishedProperty{
		Property: checker.Property{
			Name:  "Whole",
			Doc:   "when quiescent, the cluster of each head has all its candidates that are near",
			Shape: checker.Quiescent,
		},
		Holds: func(g *globalState[published.State, published.Message]) bool {
			for _, word := range strings.Fields(s.whole) {
				head, others, _ := strings.Cut(word, ":")
				slot := g.Slots[head[0]-'A']
				v, live := slot.View.(*View)
				if live && slot.Issued == len(s.commands(head)) && mask(v.Own.Members) != mask(lettered(head+others)) {
					return false
				}
			}
			return true
		},
	}
}
