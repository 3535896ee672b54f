// Package can builds the closed systems in which CAN cores are model-checked: the corrected core
// (package protocol/can; chapter 6 of Jackson, 2015) and the published algorithms (package
// protocol/published/can). Both run on the same maps, under the same faults, against the same
// properties.
//
// # Usage
//
// Pass [Models] (corrected) or [Published] to the checker, or run "canvass check 'can/*'". Package
// model/catalog joins all families. A system that is not in the catalogue is described by a
// [Setting] and built by its Compile.
//
// # Guarantees
//
// The properties, for either core. In every state:
//
//   - NoConflict: of two rounds in conflict that overlap in time, at most one takes effect. Two
//     rounds are in conflict if one proposer is in the other's neighbourhood. They overlap if each
//     was requested before the other was decided.
//   - NoOverlap: the zones of live nodes never overlap.
//   - OwnerInside: a node's coordinate lies in its zone.
//   - CancelledStays: a round that one node knows as cancelled is executed by no node.
//   - OneCommand: all nodes that execute a round execute the same change.
//   - Truthful: a node that reported "joined" owns a zone until it wants to leave. A node that
//     reported "left" owns none.
//   - ViewsFit (corrected core only): while a node keeps its promise to a round, the proposer has
//     the node's present record.
//
// In every step of the corrected core, in any environment of the node (contract.go):
//
//   - TimersKept: a node sets the timers that it waits for, each for its time.
//   - ListsKept: lists are sorted, nothing is there twice, and no field outlives its phase.
//   - EventsTrue: a step announces what it changes. An ignored input changes nothing.
//   - MessagesFit: a step sends what its input and its changes demand, and no more.
//   - AnswersCount: each answer, timeout and failure counts in the round or promise that it is for.
//   - NoOldNews: a node takes over newer data, and replaces nothing by something older.
//   - Refines: each step is one of the abstract machine's (package model/abstract), or changes
//     nothing there.
//
// In every quiescent state (nothing in flight, no timer pending that would change anything):
//
//   - NoGap: the zones of the live nodes cover the whole space.
//   - NeighboursKnow: nodes with adjacent zones know each other's zones.
//   - ViewsAgree: the view of each node has exactly the nodes within two steps of it, with their
//     present records, and no zone that still awaits takeover.
//   - Routable: greedy routing leads from every node to the owner of every tested point: the
//     coordinate and two opposite corners of every zone.
//   - NobodyBusy: no node is in a round or holds a promise.
//
// In the end, when requests stop and no fault is left, under weak fairness of deliveries, due
// timers and choices:
//
//   - Answered: every round ends. Its requester gets what it asked for or is notified to retry.
//   - Granted: with retries, every join and leave is committed. Where chance decides (a drawn
//     coordinate may be taken, two nodes may retry together), this holds with probability 1.
//
// Without section 6.2 the published core is held to one property instead, since its updates never
// end:
//
//   - NeighboursMeet: once all nodes have joined, nodes with adjacent zones may still come to know
//     each other.
//
// The witnesses Joins, Leaves, Cancels, TakesOver and Rejoins must each happen in some run of a
// scenario that is meant to show them. So no model passes because nothing happens in it.
//
// # Assumptions
//
// Timers (due.go) fire as follows. Everything earlier is a premature timeout, a fault of the
// spurious budget.
//
//   - A MissedTimer fires when that incarnation of the peer no longer runs. For a live peer it is a
//     false suspicion, which costs the suspect budget. Only the expected failures spend that.
//   - A timeout fires when no message to or from the node is in flight.
//   - A retry fires when nothing is in flight and no node is busy: its delay is drawn from a range
//     that is long compared with a round.
//   - An update fires when nothing is in flight and it would bring news to some node.
//
// Commands come at any time, those of one node in their order.
//
// Where several nodes may crash, more than two members are left each time. The next crash comes
// when the system has recovered: all takeovers are complete (every zone has a running owner with
// its neighbours in view, and no node is in a round), or no node is concerned with a failed node
// any more. A node is concerned if it lists the failed node as live, lists its zone as a hole,
// takes part in its round or in a round about it, or waits for it.
//
// The corrected core makes the initial map itself, join after join. The published core gets the map
// ready-made. Models whose names begin with "limit-" are expected failures: each drops one of these
// assumptions and shows the failure.
//
// # Reduction
//
// confluent.go names the deliveries that may be taken first, and argues why. A test compares the
// reduced systems of small maps with the full ones by branching bisimulation, with respect to all
// predicates.
//
// # Maps
//
// row2 to row6 are zones in a row. outward is the row C A B D, first split between A and B, so that
// the zones in the middle fall to C and D at the ends. tee has a zone with two takers (figure 6.2),
// square is two by two, long has one zone beside two, and in far a bystander sees only one of two
// takers. short is row3 with join requests that go one hop. cube has three dimensions; clones and
// slim have a drawn coordinate. Models marked "deep" are too large for the default run.
package can
