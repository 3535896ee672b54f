// Package refine simulates the core of the refinement (package protocol/refine) by itself: nodes on
// a square, and applications that predict who is near. In a whole grid (package sim/peer) the map
// takes most of the time, and heads seldom meet; here they do nothing else.
//
// # The worlds
//
//   - refine/bursts: two to seven nodes, and two to four things at once, again and again: nodes are
//     told of others that may be near, or are so no more, come to lie elsewhere, measure again,
//     fail, come back or leave; a strike fails a node that has just begun a round, accepted, found
//     its cluster, or been confirmed or released. In a third of the runs each is told of others,
//     once, and nothing else happens. Under many faults of messages. Failure detection is accurate.
//   - refine/suspicion: nodes as there, but nobody fails, leaves or is struck off. Failures are
//     noticed by silence alone, and groups of nodes are cut off from each other, so that live nodes
//     are held for failed. At most a tenth of the messages is lost.
//   - refine/walks: two to four nodes, whom each head learns of first, pairs that are far from each
//     other or measured now so and now so, at most three things that nodes are told later, at most
//     two failures and a few faults, without a clock: walks through the actions of the checker
//     (package sim/walks). What is demanded is what the models of package model/refine are held to,
//     and no more.
//
// # What is demanded
//
// By the names of package model/refine. After every step: MembershipBound, SizeBound, Measured,
// HeadKnows, RemovedIsGone, Advertises, AwarenessBound. Besides, three of our own: Prefers, where
// suitors are taken in the global order (in the models it is asked of one head only); SecondChance:
// a head that loses a member when it is in no round asks those again that it has turned down or was
// turned down by; and AskedOnce, of messages, and so in the worlds of this package only: as package
// protocol/refine says of repetitions, a head asks nobody to measure who has reported to it in that
// round. When faults have stopped, all have learnt who is near and have measured again, and the
// world has come to rest: NobodyStuck, AskedAgain, Agree, Largest, AdoptionBound, and Near, that
// all members of a cluster lie near each other; where nodes are told of others once and nothing
// else happens, nobody comes out of a cluster and no two nodes lie just about the diameter apart,
// Taken. In refine/suspicion neither HeadKnows nor RemovedIsGone, as package protocol/refine says.
//
// # What a caller does
//
// Run the worlds of [Worlds] with a sim.Campaign. A world of a core that stands on this one holds
// its clusters to the same properties with a [Watch].
package refine
