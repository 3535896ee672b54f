// Package reptask simulates the core of representative tasks (package protocol/reptask) by itself:
// nodes that know their clusters from the beginning, and applications that submit, move and cancel
// jobs. In a whole grid (package sim/peer) the map and the clusters take most of the time, and jobs
// seldom meet; here they do nothing else.
//
// # The worlds
//
//   - reptask/bursts: two to six nodes, in one cluster or in several that overlap, and two to four
//     things at once, again and again: jobs are submitted, moved and cancelled, nodes fail, come
//     back, leave or are told another cluster; a strike fails a node that has just granted,
//     decided, moved, given up or taken something. Under many faults of messages. Failure detection
//     is accurate.
//   - reptask/duels: three or four nodes and one to three jobs, once; a few moves, changes of mind,
//     leaves or failures, and up to three strikes, perhaps on whoever takes up what the one before
//     has left behind. Messages are up to twenty seconds late.
//   - reptask/heirs: three to five nodes and one or two jobs, whose owner fails when it has
//     accepted one, granted it, or parts with its representative. Who represents it fails as soon
//     as another owner has been found, and perhaps that one, too. Messages are late as there.
//   - reptask/leases: nodes and jobs as in reptask/bursts, but nobody fails, leaves or is told
//     another cluster. Failures are noticed by silence alone, and single nodes, or groups, are cut
//     off for half a lease to one and a half, so that live nodes are held for failed. Messages are
//     repeated and late, but never lost otherwise.
//   - reptask/limit-long-cuts: the same, with cuts that outlast two leases. Then an owner is
//     replaced that lives, which is declared to break CancelledStays, FullRun, OneEpochRuns and
//     OneResult; when the network is whole again all comes to rest nevertheless.
//   - reptask/walks: two to four nodes, their clusters, one to three jobs, at most two moves and a
//     cancellation, at most two failures and a few faults, without a clock: walks through the
//     actions of the checker (package sim/walks). What is demanded is what the models of package
//     model/reptask are held to, and no more. That nobody could take a job is an end.
//
// When a representative has lost its owner, the application names the live node that comes next by
// address.
//
// # What is demanded
//
// By the names of package model/reptask. After every step: OneRunPerNode, OneEpochRuns, VotesHeld,
// NeverMore, CancelledStays, BoundedOvertaking, MovesOnce, OneResult, FullRun; and Recalls, that
// who wants to leave wants back the vote that it gave, and LastResort, that a job fails only if
// none of those who may represent it could have taken it all the time. When faults have stopped and
// the world has come to rest: NeverFewer, AllDone, Survives, NoOrphan. Where nodes are cut off
// neither VotesHeld nor NeverFewer nor LastResort: who takes its representative for failed drops
// the task, counted or not, as package protocol/reptask says. A job that nobody can take ends with
// that.
//
// # Assumptions
//
// In reptask/leases those of package protocol/reptask: what arrives does so within half a second;
// nobody is cut off for so long that a representative asks its living owner in vain for a whole
// lease; and between two cuts all leases are renewed.
//
// # What a caller does
//
// Run the worlds of [Worlds] with a sim.Campaign.
package reptask
