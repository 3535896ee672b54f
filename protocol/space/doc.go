// Package space is the geometry of a content-addressable network as P2PGrid uses it: a bounded
// d-dimensional space of integer coordinates, zones that tile it, and the split lists that say who
// takes over for whom.
//
// Sources: Jackson (2015), section 2.1 and the definitions that open chapter 6; Kim, section 3.1.1
// (how zones split and merge when coordinates mean something).
//
// # Guarantees
//
//   - Exactness: coordinates are integers and every border is one, so two machines never disagree
//     about who owns a point, and no rounding can open a gap.
//   - OwnerInside: [Space.Split] puts each of the two coordinates into its own half; [Share] only
//     ever extends a taker's zone. So a zone always contains its owner's coordinate.
//   - Partition: the two halves of a split tile the zone; the shares of all takers tile the
//     departing zone.
//   - Progress: for a point outside a zone whose border is covered by neighbours, some neighbour is
//     strictly nearer to the point ([Zone.Distance]). Greedy routing therefore ends.
//
// # Decisions where the sources are silent
//
//   - A plane between two coordinates a < b stands at the middle, a + (b-a+1)/2: both halves are
//     then as even as the owners' coordinates allow, and each contains its coordinate.
//   - The dimensions are cycled from the one after the last entry of the owner's split list. The
//     virtual dimension, if the space has one, is the last dimension and is split only when all
//     others agree.
//   - The takeover face is the last entry of the split list that is still a face of the zone. The
//     source says "the most recent entry"; after a merge by several takers that entry may lie
//     inside or outside the zone, and then nobody is across it. TestPrintedTakeoverFace holds the
//     sequence that shows it.
//   - After a merge the taker's list is the departing node's list up to its takeover entry,
//     followed by the taker's own entries after the last occurrence of the opposing half-space. The
//     source says to delete the opposing face from the taker's list; both agree as long as nobody's
//     list is stale.
//
// # Assumptions
//
// All zones that meet in one computation belong to one space. Zones that a peer made up are
// harmless here (nothing panics) but meaningless; package can compares versions before it trusts a
// zone.
//
// # What a caller does
//
// Make a [Space] with [New], ask [Space.Whole] for the first owner's zone, and then only ever
// derive zones with [Space.Split] and [Share].
package space
