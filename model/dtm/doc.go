// Package dtm builds the closed systems in which the prediction tree is model-checked (package
// protocol/dtm; sections 2.2.1 and 5.1.4 of Jackson, 2015).
//
// # Usage
//
// Pass [Models] (corrected) or [Published] to the checker, or run "canvass check 'dtm/*'". Package
// model/catalog joins all families.
//
// # Guarantees
//
// A member is a running host that is in the tree. A host whose leave is committed is out of it. In
// every state:
//
//   - Acyclic: the anchors of all members lead to one root, as far as they run.
//   - Held: a member is in the list of its anchor with its segment, or about to be: it claims the
//     place of a former child, or the anchor is its former sibling and yet to become the heir.
//   - Place: children are on the segment of their anchor.
//   - LeaveKeeps: no change of the tree changes a prediction among the first members. It is checked
//     in all states in which the hosts agree with their anchors about the segments.
//
// In every step, in any environment of the node (contract_rules.go):
//
//   - TimersKept: a node sets the timers that it waits for, each for its time.
//   - ListsKept: lists are sorted, and nothing is there twice.
//   - IgnoresTrue: an ignored input changes nothing, and nothing is sent.
//   - VersionsKept: each change of a position has its own version, and is sent to all children.
//   - Answers: each request is answered.
//   - ConsentsKept: a consent is given, counted and ended for the permitted reasons only.
//
// In every quiescent state (nothing in flight, no timer pending that would change anything):
//
//   - LabelsTrue: the label of each member is its path to the root.
//   - SiblingsKnown: each member has the children of its anchor.
//   - NobodyLocked: no search, leave, consent or claim is in progress.
//   - ExactOnTrees (where the latencies are of a tree): the prediction for each pair equals its
//     latency.
//   - Aggregated (where near hosts are reported): each member has the hosts nearest to it on the
//     side of each neighbour, and no others.
//
// In the end, under weak fairness of deliveries, measurements and due timers:
//
//   - Joins: every host that joins becomes a member, or finds that no host answers.
//   - Leaves: every host that leaves is out of the tree.
//
// The witnesses Joined, Departs, TwoLeave, Retries, Heals, Forgets and Knows must each happen in
// some run of a scenario that is meant to show them.
//
// # Assumptions
//
// Timers (due.go) fire as follows. Everything earlier is a premature timeout, a fault of the
// spurious budget.
//
//   - That of answers fires when nothing to or from the node is in flight and no running host is
//     being measured.
//   - Heartbeats are sent when nothing to or from the node is in flight and they would change
//     something.
//   - A MissedTimer fires when that incarnation of the peer no longer runs.
//   - The place of a failed child is given up when no running host would claim it, never earlier.
//   - A retry fires when nothing is in flight and no search, leave or healing is in progress: its
//     delay is long compared with them.
//
// A host crashes only while its children have its position. Models whose names begin with "limit-"
// are expected failures: each drops one of these assumptions. Latencies are those of a small tree,
// or in join-both of no tree. Hosts that join are given members by their application.
package dtm
