// Package dtm implements the decisions of DTM, decentralised trees that predict latencies (Song,
// Keleher, Bhattacharjee and Sussman, INFOCOM 2011), as Jackson (2015), sections 2.2.1 and 5.1.4,
// uses them.
//
// Each host owns a segment of a tree: a stretch from its own leaf to a point of another host's
// segment. That other host is its anchor. The predicted latency of two hosts is the length of the
// way between their leaves. A [Label] is all of a host's position that a prediction needs.
//
// # Usage
//
// A new host makes a [Join]. Until [Join.Next] wants nothing more, the driver answers it: with
// random members, with the [View] of a host, or with measured latencies and the labels that came
// with them. Then [Join.Place] is the host's place. When a host leaves, [Leave] gives the segments
// that its children have afterwards. Any host predicts with [Predict].
//
// Lengths are in half-nanoseconds, so that a Gromov product of measured nanoseconds is whole.
// Deviations are in parts of [Unit].
//
// # Guarantees
//
//   - Exact on trees: if the latencies are path lengths in a tree whose edges are whole numbers of
//     half-nanoseconds, a join in the manner [Walk] predicts each of them exactly.
//   - LeaveKeeps: a leave changes no prediction among the hosts that remain.
//   - Canonical: a point has one form, so that hosts in a star are siblings.
//   - Deterministic: equal answers lead to equal places. There is no floating point.
//   - Bounded: a simulated join by fit measures at most 87 hosts, and a join makes at most five. A
//     walk is given up where it would measure too many, unless it is the only manner.
//
// # Assumptions
//
//   - Latencies are symmetric and below 2^42 ns, about 73 minutes.
//   - Labels that are passed to one join are of one tree. A reading with a label of another tree is
//     refused.
//   - A label is current. A prediction from an outdated one is that of an outdated tree.
//
// # Differences from the paper
//
// How a join deals with latencies that are no tree is named in the paper, not defined. This is our
// interpretation, and results with it are to be marked as such.
//
//	rule                                          | what breaks without it
//	  evidence
//	----------------------------------------------+--------------------------------------------------
//	a step of a join is decided by how well a     | violations of the tree metric across sites drown
//	place explains all readings                   | the latencies inside a cluster
//	  TestFitOnClusters
//	the walk leaves a base with an empty segment  | a host beside another one ends the walk at once
//	  TestWalkIsExactOnTrees
//	a point where a segment ends is one of the    | hosts in a star form a chain; the walk stops at
//	anchor's segment                              | each of them
//	  TestLocateIsNormal
package dtm
