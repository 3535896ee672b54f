package can

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
)

var (
	row2 = layout{"row2", []int32{16}, []space.Point{{2}, {10}}}
	row3 = layout{"row3", []int32{16}, []space.Point{{2}, {6}, {12}}}
	row4 = layout{"row4", []int32{16}, []space.Point{{2}, {6}, {10}, {14}}}
)

// Models lists the systems of the corrected core.
func Models() []model.Checkable {
	var all []model.Checkable
	for i := range scenarios {
		c, err := scenarios[i].system().Compile()
		if err != nil {
			panic(err)
		}
		all = append(all, c)
	}
	return all
}

var scenarios = []scenario{
	{layout: row2, name: "join", doc: "a node joins", joiners: []joiner{{space.Point{4}, "A"}}, lively: true},
	{layout: row2, name: "leave", doc: "a node leaves", leavers: "B", lively: true},
	{layout: row3, name: "join-leave", doc: "", joiners: []joiner{{space.Point{4}, "A"}}, leavers: "C", lively: true},
	{layout: row4, name: "leave-leave", doc: "", leavers: "BC", lively: true},
	{layout: row4, name: "join-leave", doc: "", joiners: []joiner{{space.Point{4}, "A"}}, leavers: "C", lively: true},
	{layout: row3, name: "crash", doc: "", budget: model.Budget{Crash: 1}, lively: true},
	{layout: row3, name: "join-crash", doc: "", joiners: []joiner{{space.Point{4}, "A"}}, budget: model.Budget{Crash: 1}},
	{layout: row3, name: "leave-crash", doc: "", leavers: "B", budget: model.Budget{Crash: 1}},
	{layout: row3, name: "join-drop", doc: "", joiners: []joiner{{space.Point{4}, "A"}}, budget: model.Budget{Drop: 1}, lively: true},
}
