package can

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
)

// adequacy are small scenarios. Each catches defects of the core that no other small one does. The
// comments name the defects; package internal/mutants holds the mutants.
func adequacy() []scenario {
	crash := model.Budget{Crash: 1}
	early := model.Budget{Crash: 1, Spurious: 1}
	slim := layout{"slim", 1, []int32{1, 4}, []space.Point{at(0)}} // the virtual dimension is the longer one
	return []scenario{
		// The last node wants to leave forever.
		{
			layout: row2(), name: "leave-last", doc: "A and B leave; the last node is notified that it cannot",
			leavers: "AB", conflict: true,
		},
		// A Commit or a Release of an old round counts for the next round of the same proposer.
		{
			layout: row2(), name: "join-late", doc: "C joins at A; one message duplicated, two premature timeouts",
			joiners: one(4, "A"), budget: model.Budget{Duplicate: 1, Spurious: 2}, conflict: true,
		},
		// An update of a node that is forgotten by now, from before it admitted a joiner, makes it a
		// direct neighbour again.
		{
			layout: row2(), name: "join-join-stale",
			doc:     "C joins at B, then D joins at C; an old update of B reaches A, which has forgotten B",
			joiners: two(8, "B", 7, "A"), budget: model.Budget{Spurious: 1}, chancy: true, safety: true,
		},
		// A node that begins a round drops the round that it is in.
		{
			layout: row2(), name: "join-join-drop", doc: "C and D join at A; one message dropped",
			joiners: two(5, "A", 1, "A"), budget: model.Budget{Drop: 1}, conflict: true,
		},
		// A node that waits for the answer of a joiner takes over too early. An owner that has decided
		// announces a split that never happens.
		{
			layout: row2(), name: "join-owner-crash-early", doc: "C joins at B, which may crash; one premature timeout",
			joiners: one(12, "A"), budget: early, crashers: "B", chancy: true,
		},
		// A dropped Query is never resent.
		{
			layout: row2(), name: "join-owner-crash-drop", doc: "C joins at B, which may crash; one message dropped",
			joiners: one(12, "A"), budget: model.Budget{Crash: 1, Drop: 1}, crashers: "B", chancy: true,
		},
		// A joiner that was asked about a failed owner still lists that owner as live.
		{
			layout: row2(), name: "join-owner-crash-dup", doc: "C joins at B, which may crash; one message duplicated",
			joiners: one(12, "A"), budget: model.Budget{Crash: 1, Duplicate: 1}, crashers: "B", chancy: true,
		},
		// A node splits its zone beside a hole.
		{
			layout: row2(), name: "join-sibling-crash", doc: "C joins at A; B, the only neighbour of A, may crash",
			joiners: one(4, "A"), budget: crash, crashers: "B", chancy: true,
		},
		// A proposer waits forever for the acknowledgement of a failed node. The list of a taker lacks
		// the splits of the leaving node.
		{
			layout: row3(), name: "leave-taker-crash", doc: "B leaves; A or C may crash",
			leavers: "B", budget: crash, crashers: "AC",
		},
		// The drawn coordinate lands in a real dimension, or a taken coordinate is not drawn again.
		{
			layout: slim, name: "join", doc: "B joins at A and draws a coordinate, since both machines are equal",
			joiners: []joiner{{at(0), "A"}}, chancy: true,
		},
		// An update that is older than the round of its sender's neighbour removes what that round
		// brought.
		{
			layout: outward(), name: "leave-crash-early",
			doc:     "B leaves; A may crash; one premature timeout delays A's update",
			leavers: "B", budget: early, crashers: "A",
		},
		// A node that waits for the answer of a joiner waits forever when the joiner fails too.
		{
			layout: row2(), name: "limit-owner-joiner-crash", doc: "C joins at B; both may crash",
			joiners: one(12, "A"), budget: model.Budget{Crash: 2}, crashers: "BC",
			expect: violated(
				"one level of indirect neighbours does not reach across two failed zones",
				"NoGap",
				"ViewsAgree",
			),
			safety: true,
		},
	}
}

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
