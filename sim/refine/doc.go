// Package refine simulates the core of the refinement (package protocol/refine) by itself: nodes on
// a square, and applications that predict which nodes are near. In a whole grid (package sim/peer)
// the map takes most of the time and heads seldom compete; here they do nothing else.
//
// # Usage
//
// Run the scenarios of [Scenarios] with a sim.Campaign:
//
//   - refine/bursts: two to seven nodes, and two to four operations at once, again and again: nodes
//     are notified of nodes that may be near or no longer are, move, measure again, crash, restart
//     or leave. A strike crashes a node that has just started a round, accepted, found its cluster,
//     or been confirmed or released. In a third of the runs each node is introduced to others once,
//     and nothing else happens. Message faults are heavy, and failure detection is accurate.
//   - refine/suspicion: the same nodes, but none crashes, leaves or is struck off. Failures are
//     detected by silence alone, and groups of nodes are partitioned, so that live nodes are
//     falsely suspected. At most a tenth of the messages is dropped.
//   - refine/walks: walks without a clock (package sim/random) through two to four nodes with their
//     first candidates, pairs that are too far or measured either way, at most three later
//     commands, at most two crashes and a few message faults. The properties are those of the
//     models, no more.
//
// Oracles of cores that build on the refinement contain an [Oracle].
//
// # Guarantees
//
// Checked after every step:
//
//   - MembershipBound, SizeBound, Measured, HeadKnows, RemovedIsGone, Advertises, AwarenessBound:
//     as in package model/refine.
//   - Prefers: in the global order, a client that turns a suitor down turns down all later ones.
//     The models check this of one head only, since they know one favourite.
//   - SecondChance: a head that loses a member while it is in no round asks its denied and filtered
//     candidates again. This is the simulator's own, because it compares two consecutive states.
//   - AskedOnce: no head asks a client to measure again in a round in which it has reported. This
//     is the simulator's own, because it looks at the messages of a step.
//
// Checked in the quiescent state, after all nodes have been introduced to near nodes and have
// measured again:
//
//   - NobodyStuck, AskedAgain, Agree, Largest, AdoptionBound: as in package model/refine.
//   - Near: all members of a cluster are near each other. The predicate is the model's, but only
//     here are the present latencies known.
//   - Taken: as in package model/refine, if nodes are introduced to others only once, no node is
//     released from a cluster, and no distance is close to the diameter.
//
// # Assumptions
//
//   - Failure detection is accurate in refine/bursts. In refine/suspicion it is not, and HeadKnows
//     and RemovedIsGone are not checked, as package protocol/refine says.
package refine
