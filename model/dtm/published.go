package dtm

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/reading"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Published lists the systems of the published core: those in which a property breaks, with the
// reason, and for comparison some in which all properties hold.
func Published() []model.Checkable {
	var all []model.Checkable
	for _, s := range publishedScenarios() {
		s.published, s.manner = true, dtm.Walk
		c, err := compile(s)
		if err != nil {
			panic(fmt.Sprintf("the catalogue is broken: %v", err))
		}
		all = append(all, c)
	}
	return all
}

// Interpreted returns a scenario of [Published] on links that keep the order of messages or do not.
// It returns nil if there is no such scenario. Nothing is expected of the model.
func Interpreted(name string, _ reading.Only, fifo bool) (model.Checkable, error) {
	for _, s := range publishedScenarios() {
		if s.name == name {
			s.published, s.manner, s.fifo, s.expect = true, dtm.Walk, fifo, nil
			return compile(s)
		}
	}
	return nil, nil
}

// publishedProperties lists the properties that the published core is checked against. The others
// are about versions, consents and claims, which it does not have.
func publishedProperties() []string {
	return []string{
		"Acyclic", "LabelsTrue", "NobodyLocked", "ExactOnTrees", "Joins", "Joined", "Departs",
	}
}

func publishedScenarios() []scenario {
	return []scenario{
		{
			name: "join", doc: "C joins a tree of two hosts",
			tree: "A B:A@0/8 C:B@4/2", members: 2, joins: "C:A", sees: seesJoin,
		},
		{
			name: "two-join", doc: "C and D join at the same place, and share a part of the way",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/2", members: 2, joins: "C:A D:A", sees: seesJoin,
			expect: slices.Concat(
				violated("the anchor takes D although it has not measured C", "ExactOnTrees"),
				violated("D waits for C, which is not in the tree yet", "NobodyLocked", "Joins"),
			),
		},
		{
			name: "join-leave", doc: "C joins a host that leaves",
			tree: "A B:A@0/8 C:B@4/6", members: 2, joins: "C:A", leaves: "B", sees: seesJoin | seesLeave,
			expect: slices.Concat(
				violated("C waits for a host that has left", "NobodyLocked", "Joins"),
				violated("C attaches to a host that has handed over its children", "LabelsTrue"),
			),
		},
		{
			name: "leave-middle", doc: "a host with two children and an anchor leaves",
			tree: "A B:A@0/8 C:B@6/2 D:B@2/4", members: 4, leaves: "B", sees: seesLeave,
		},
		{
			name: "leave-chain", doc: "two adjacent hosts in a chain leave at once",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/4", members: 4, leaves: "BC", sees: seesLeave,
			expect: violated("B hands its place to C, which has left", "LabelsTrue"),
		},
		{
			name: "leave-apart", doc: "two hosts leave at once, with one between them",
			tree: "A B:A@0/8 C:B@4/6 D:C@2/4 E:D@2/2", members: 5, leaves: "BD", sees: seesLeave,
			expect: violated("C sends its new label to D, which has left; E keeps the old one", "LabelsTrue"),
		},
	}
}
