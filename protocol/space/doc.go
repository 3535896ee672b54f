// Package space implements the geometry of a content-addressable network: Jackson (2015), section
// 2.1 and the definitions that open chapter 6 (zones, splits, split lists, takeover faces), and
// Kim, section 3.1.1 (splits where coordinates have a meaning).
//
//	zones, faces, distances      zone.go     a split, a takeover, split lists  split.go
//	is a border covered?         cover.go    encodings and texts for cores     encode.go, text.go
//
// docs/protocols/space.md explains split lists and takeovers with examples.
//
// # Usage
//
//  1. Make a [Space] with [New]. [Space.Whole] is the first owner's zone.
//  2. When a node joins, [Space.Split] gives the half-space that the owner keeps. [HalfSpace.Cut]
//     cuts the zone; the joiner gets the [HalfSpace.Opposite]. Each side appends its half-space to
//     its split list.
//  3. When a node departs, each node across its takeover face gets its [Share], [Join] adds it to
//     the taker's zone, and [MergeSplits] makes the taker's new split list.
//
// The example splits a space for a joiner, and lets it take over.
//
// # Guarantees
//
// The first four hold for all zones: proofs/zones proves them in Coq, except statements that it
// lists as not proved. Tests compare the functions with their definitions on drawn histories.
//
//   - Exactness: coordinates and borders are integers. No rounding opens a gap, and all machines
//     agree about the owner of a point.
//   - OwnerInside: a split puts each of the two coordinates into its own half, and a takeover only
//     extends a zone. So a zone always contains its owner's coordinate.
//   - Partition: the halves of a split tile the zone; the shares of all takers tile the departing
//     zone.
//   - Progress: if neighbours cover a zone's border, one of them is strictly nearer to any point
//     outside ([Zone.Distance]). So greedy routing ends at the owner.
//
// # Assumptions
//
//   - All zones that meet in one computation belong to one space. Otherwise the result has no
//     meaning; nothing panics. Package can compares versions before it uses a peer's zone.
//   - Zones and split lists come from [Space.Split], [Share] and [MergeSplits] only. For others
//     [Share] may find no taker, and a gap stays.
//
// # Differences from the paper
//
// Evidence is a test of this package, or a mutant (internal/mutants).
//
//	   rule                                        | what breaks without it, and evidence
//	-----------------------------------------------+-------------------------------------------------
//	 1 The takeover face is the last entry of the  | After two merges the most recent entry is no
//	   split list that is still a face of the      | face; no node is across it, none takes over.
//	   zone. The paper: the most recent entry.     | TestPublishedTakeoverFace; space-entry-first
//	 2 A merged split list is the departing one    | Without the departing part a later takeover has
//	   before its takeover entry, then the taker's | no face. Deleting the opposing face, as in the
//	   own after the last opposing half-space. The | paper, keeps the partition if rule 1 holds.
//	   paper: delete the opposing face.            | TestDeletingTheOpposingFace; space-merge-taker
//	 3 A plane between coordinates a < b stands at | (The paper is silent.) Both halves are as even
//	   a + (b-a+1)/2.                              | as they can be. space-between-low
//	 4 Dimensions take turns, from the one after   | (The paper is silent.) Zones become long and
//	   the last split. Virtual dimensions are      | thin, with many neighbours. TestSplitOrder
//	   split only if all others agree, in turns of |
//	   their own.                                  |
package space
