// Package dtm implements DTM, decentralised trees that predict latencies (Song, Keleher,
// Bhattacharjee and Sussman, INFOCOM 2011), as Jackson (2015), sections 2.2.1 and 5.1.4, uses them.
//
// Each host owns a segment of a tree: a stretch from its own leaf to a point of another host's
// segment. That other host is its anchor. The predicted latency of two hosts is the length of the
// way between their leaves. A [Label] is all of a host's position that a prediction needs. Lengths
// are in halves of the unit of measurements, so that Gromov products are whole.
//
//	place, predict, heir       label.go, place.go: pure functions
//	look for a place           join.go, known.go; driven by search.go (joiner)
//	attach, position           attach.go
//	leave without loss         depart.go (leaver)
//	signs of life, failures    heal.go
//	near hosts                 near.go, aggregate.go
//
// docs/protocols/dtm.md explains the protocol with an example for each rule.
//
// # Usage
//
// Any host predicts with [Predict]. A driver of the protocol has these duties.
//
//  1. Make one [Config] for all nodes ([DefaultConfig]) and check it with [Config.Validate].
//  2. Make a state with [New] and step it with Start. After a crash, step a new state with Restart.
//  3. Obey each Output in the order that package protocol prescribes. Answer each node in Measure
//     with an input Measured, or not at all if it cannot be measured.
//  4. Give CommandJoin with random members of the tree, about 40 if the tree has that many, in the
//     order in which they were drawn. The first host of a tree is given none. On [EventGivenUp]
//     give it again. On [EventOrphan] restart the node. Give CommandLeave to leave.
//  5. [State.Label] is the node's label, and [State.Near] lists near hosts, to find a cluster in.
//
// The functions [NewJoin], [Leave] and [Nearest] also serve programs that build a whole tree
// without messages.
//
// # Guarantees
//
// Of the functions:
//
//   - Exact on trees: if the latencies are path lengths in a tree whose edges are whole numbers of
//     half units, a join in the manner [Walk] predicts each of them exactly.
//   - Canonical: a point has one form, so that hosts in a star are siblings.
//   - Deterministic: equal answers lead to equal places. There is no floating point.
//   - Bounded: a simulated join by fit measures at most 87 hosts, and a join makes at most five. A
//     walk is given up where it would measure too many, unless it is the only manner.
//
// Of the protocol, checked in package model/dtm within the bounds that each verdict states. Always:
//
//   - Acyclic: the anchors of all members lead to one root.
//   - Held: a member is in the list of its anchor, or about to be.
//   - Place: children are on the segment of their anchor.
//   - LeaveKeeps: no leave, and no failure that is healed, changes a prediction among the others.
//
// When nothing is in progress:
//
//   - LabelsTrue: the label of each member is its path to the root.
//   - SiblingsKnown: each member has the children of its anchor.
//   - ExactOnTrees: on a tree, the prediction for each pair equals its latency.
//   - Aggregated: each member has the hosts nearest to it on the side of each neighbour.
//   - NobodyLocked: nothing is left in progress.
//
// In the end: Joins, every host that joins is a member or was given no host that answers; Leaves,
// every host that leaves is out of the tree.
//
// # Assumptions
//
//   - Latencies are symmetric and below 2^42, in the unit of measurements.
//   - Failure detection is accurate: a MissedTimer fires only for an incarnation that has stopped.
//     A host that is falsely suspected stays attached to an anchor that has dropped it.
//   - A host does not crash before its children have its position, and not together with its heir.
//     Otherwise its other children are orphans: models dtm/limit-crash-early and
//     dtm/limit-crash-two. An orphan announces that, and must be restarted.
//   - An heir claims its place before the HealTimer of its new anchor fires. Otherwise it is an
//     orphan: model dtm/limit-heal-early.
//   - Labels that a search compares are of one time. The search notices most that are not, and
//     begins again. Others lead to a place that predicts wrongly; no model shows one.
//   - A RetryTimer is long compared with a search or a leave. Otherwise attempts disturb each other
//     more often; they do no harm.
//
// Latencies that drift are the application's matter: it measures, compares with [Predict], and lets
// the node leave and join again.
//
// # Differences from the paper
//
// How a join deals with latencies that are no tree is named in the paper, not defined, and so is
// how hosts leave and fail. This is our interpretation, and results with it must be marked as such.
// The evidence is a mutant, a trace of the join as published, or a test.
//
//	rule                                          | what breaks without it
//	  evidence
//	----------------------------------------------+--------------------------------------------------
//	a step of a join is decided by how well a     | violations of the tree metric across sites drown
//	place explains all readings                   | the latencies inside a cluster
//	  TestFitOnClusters
//	the walk leaves a base with an empty segment  | a host beside another one ends the walk at once
//	  dtm-walk-stops-on-plateau
//	a point where a segment ends is one of the    | hosts in a star form a chain; of two that attach
//	anchor's segment                              | at the same point, neither sees the other
//	  dtm-normalise-missing
//	an Attach names the version of the view, and  | two hosts attach at the same point although they
//	the anchor refuses others                     | share a part of the way
//	  published-dtm-two-join.ExactOnTrees, dtm-attach-unversioned
//	a search does not go on without a host that   | a host that has just attached is not measured,
//	does not answer                               | and the same happens
//	  dtm-lost-ignored
//	labels of one search must agree about the     | labels from before and after a leave are compared
//	hosts that are in both                        |
//	  dtm-labels-mixed
//	an anchor that leaves, or that has a failed   | a host attaches to one that is gone, or cannot
//	child, takes no children                      | see the heir
//	  published-dtm-join-leave.Joins, dtm-attach-leaving, dtm-attach-asking, dtm-attach-healing
//	anchor and children consent before a host     | two neighbours leave at once, and each hands its
//	leaves                                        | children to the other
//	  published-dtm-leave-chain.LabelsTrue, dtm-consent-forgotten, dtm-consent-of-any-round
//	a consent of a round that has ended is        | the sender never leaves
//	released                                      |
//	  dtm-relock-deadlock
//	the child nearest the leaf becomes the heir   | children are not on its segment
//	  dtm-heir-largest-p, dtm-children-keep-p
//	positions have versions and are resent until  | a label stays that of an earlier tree
//	acknowledged                                  |
//	  published-dtm-leave-apart.LabelsTrue, dtm-label-once, dtm-position-old
//	a host leaves when its children know its last | they find different heirs if it crashes meanwhile
//	position                                      |
//	  dtm-leave-unacknowledged
//	the heir claims its place until it has the    | it is a child that its anchor does not know
//	position of the new anchor                    |
//	  dtm-claim-once, dtm-place-given-up
//	a report of near hosts replaces the former    | hosts that have left stay in it
//	  dtm-aggregate-merges, dtm-aggregate-echo, dtm-aggregate-old
package dtm
