// Package can holds the closed systems in which the CAN cores are checked: the corrected one
// (package protocol/can) and the printed one (package protocol/published/can), on the same maps,
// under the same faults and against the same properties.
//
// # Guarantees
//
// What the properties mean, for either core. In every state:
//
//   - NoConflict: two rounds in conflict, that is, with one proposer in the other's neighbourhood,
//     never both take effect if the one was requested before the other was decided.
//
//   - NoOverlap: the zones of live nodes never overlap.
//
//   - OwnerInside: a node's coordinate lies in its zone.
//
//   - CancelledStays: a round that anybody took to be cancelled is executed by nobody, and
//     conversely.
//
//   - OneCommand: all who execute a round execute the same command.
//
//   - Truthful: who was told "joined" owns a zone until it wants to leave; who was told "left" owns
//     none.
//
//   - ViewsFit (corrected core only): while a node keeps its promise to a round, the record of it
//     that the round was worked out from is its present one.
//
// At rest, that is, when nothing is in flight and no timer would change anything:
//
//   - NoGap: the zones of the live nodes make up the whole space.
//   - NeighboursKnow: nodes with adjacent zones know each other, with the right zone.
//   - ViewsAgree: each node knows exactly the nodes within two steps of it, as they are, and of no
//     dead node does it believe that a part of its zone is free.
//   - Routable: greedy routing leads from every node to the owner of every point that was tried:
//     the coordinate and two opposite corners of every zone.
//   - NobodyBusy: nobody has a round of its own or holds a promise.
//
// In the end, under weak fairness of deliveries, due timers and choices, when requests stop and no
// fault is left:
//
//   - Answered: every round ends; its requester gets what it asked for or is told to retry.
//   - Granted: with retries, every join and leave is committed; where it takes luck (a coordinate
//     is drawn that may be taken, or two retry at once), with probability 1.
//
// Witnesses, so that no model passes because nothing happens in it: Joins, Leaves, Cancels,
// TakesOver, Rejoins, each where the scenario is to bring it about.
//
// # Assumptions, and what is not modelled
//
// When timers fire (due.go): a MissedTimer if the very incarnation is no longer running; a time-out
// if no message to or from the node is in flight; a retry when nothing is in flight and nobody is
// busy, since its delay is drawn from a range that is long against a round; an update when nothing
// is in flight and it would tell somebody something new. Everything earlier is a fault and costs
// the spurious budget; a MissedTimer for a live node costs the suspect budget, which only the
// limits spend. Commands are given at any time, each node's in turn.
//
// Where several nodes may fail, more than two members are left each time, and the next one fails
// when all takeovers are complete (every zone has an owner that runs and knows its neighbours, and
// nobody is in a round) or nobody has anything to do with a failed node any more: believes in it,
// knows its hole, is in a round of it or about it, or waits for it.
//
// Systems that are in no catalogue are described by a [Setting] and made by its Compile.
//
// The initial map of the corrected core is made by the core itself, join after join. That of the
// printed core is given to it.
//
// # Reduction
//
// confluent.go names the deliveries that may be taken first, and argues why. A test compares the
// reduced systems of small maps with the whole ones by branching bisimulation with regard to all
// predicates.
//
// The maps (layout.go): row2 to row6 are zones in a row; outward is the row C A B D, first split
// between A and B, whose zones in the middle fall to C and D at the ends; tee has a zone with two
// takers (figure 6.2), square is two by two, long has one zone beside two, far has two takers of
// which a bystander sees one, cube has three dimensions; clones and slim have a drawn coordinate.
// Models that are "deep" are too large for the default run.
//
// # What a caller does
//
// [Models] and [Printed] list the systems; package model/catalog joins them for the command line.
package can
