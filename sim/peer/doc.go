// Package peer simulates grids of whole nodes (package protocol/peer): a CAN, clusters that are
// found in it by measured latencies, and parallel jobs that run in the clusters. It holds all three
// layers to the properties of their models, by the very predicates that the models use, and what
// clients are told to the specification of a job service (package model/linear).
//
// # The worlds
//
//   - peer/jobs: two to 16 nodes, no faults. Nodes lie on a square and learn early who may be near;
//     jobs of one to four dependents come in bursts, with any degree of over-provisioning; clients
//     change their minds.
//   - peer/churn: the same with up to 16 nodes of which some join, leave, fail and come back.
//   - peer/faults: the same while messages are lost, repeated and late by up to a second, nodes
//     slow and clocks wrong.
//   - peer/bursts: two to eight places, and two to four jobs, changes of mind, joins, leaves,
//     failures, measurements and moves at once, again and again, under many faults of messages.
//   - peer/duels: one to three members, as many nodes that join at the same time, and two to nine
//     jobs that may be for them already; perhaps somebody leaves, fails or does not want its job.
//     Messages are up to a second late.
//   - peer/drift: nodes lie elsewhere from time to time, beside another node, far from all or back
//     home, without being told. Some heads are told to measure again, in time or too late; all are
//     when latencies rest.
//   - peer/moves: many jobs that require much the same queue, and nodes give away the idle ones
//     that reptask.Balance (DLB, then QB) proposes by what their neighbours in the CAN have to do.
//     The order comes at once or up to two seconds later, when the job may have begun, moved or
//     come back.
//
// In both of the latter half of the runs have faults of messages, too, and some a failure.
//
// Drawn are the space (one to three dimensions), M, N, diameter and sorting criterion of the
// refinement, which members are told to be near (those whose way is at most a quarter longer than
// the diameter), where jobs come in and where their requirements lie, and how long the process of
// each job runs. Rounds of the refinement come sooner than in practice.
//
// # What is demanded
//
// After every step that changed something: of the map what package sim/can demands; of the clusters
// what package sim/refine demands; of the tasks VotesHeld, NeverMore, CancelledStays,
// BoundedOvertaking, MovesOnce, OneResult, FullRun (package model/reptask); of the layers together
// MembersOnly, OneLife, ClusterFollows, OneTask, PassedOn (package model/peer). When faults have
// stopped: the map is whole, and clusters are as package sim/refine demands; ClustersAlive,
// ClustersAgree, LeftClean, NobodyReserved; JobsEnd, and where nobody comes or goes, each job finds
// an owner if no message is lost, and a job that fits its owner's cluster, or that of a neighbour
// on the map, when it is taken is accepted, unless its client cancels it.
//
// Of the whole run JobService: the history of each job is one of linear.Jobs. A job that was taken
// is never lost while its owner or its representative lives, is answered at most once by one owner,
// and by the next with the same result, which is that of an attempt that ran, and runs again only
// after a crash.
//
// Where latencies have drifted, Near (package model/refine) is demanded at rest, by the latencies
// of that time. That a job fitted a cluster which has changed since says nothing then.
//
// # Assumptions
//
//   - Those of package sim/can: failure detection is accurate, failures are apart as described
//     there, and two members that do not want to leave remain. An owner grants a job of a failed
//     representative anew only when no host holds a task of it any more.
//   - A job is lost with owner and representative, or with an owner that is between two attempts,
//     as package protocol/reptask says, and one on its way to its owner with the message. In half
//     of the grids owners and representatives are apart. A message that is repeated makes two jobs
//     of one: jobs are told apart by their owners, not by their clients.
//   - That nobody could take a job ends it; the specification does not tell that from a
//     cancellation.
//   - Latencies change from one message to the next, not while one is under way. Of a node that has
//     drifted the others learn by measuring, or by a new prediction, which names all that are near
//     and withdraws nobody.
//   - What is free at a node (the residue of DLB) is all or nothing: all while a node of its
//     cluster has nothing to do.
//   - The chronicle of the tasks tells 32 lives of nodes apart: when so many have been, nobody
//     joins any more.
//
// # What a caller does
//
// Run the worlds of [Worlds] with a sim.Campaign.
package peer
