package can

import "github.com/canvass-grid/canvass/model"

// rare are small scenarios in which rules matter that matter in no other.
func rare() []scenario {
	short := row3()
	short.name = "short" // it does not grow: the limit of hops would not suffice for a longer row
	return []scenario{
		{
			layout: row2(), name: "leave-stay", doc: "B leaves, and its process runs on; one message dropped",
			leavers: "B", stays: true, budget: model.Budget{Drop: 1},
		},
		{
			layout: row2(), name: "leave-stay-dup",
			doc:     "C joins at A, B leaves and its process runs on; one message duplicated",
			joiners: one(4, "A"), leavers: "B", stays: true, budget: model.Budget{Duplicate: 1}, conflict: true,
			safety: true,
		},
		{
			layout: row2(), name: "commanded-wrongly",
			doc:     "A must create and join, though it is a member; C must leave before it joins, and joins twice",
			joiners: one(4, "A"), senseless: true,
		},
		{
			layout: short, name: "join-far", doc: "D joins at A from too far away, until B between them has left",
			joiners: one(14, "A"), leavers: "B", hops: 1, safety: true,
		},
	}
}
