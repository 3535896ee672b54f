// Package peer simulates grids of whole nodes (package protocol/peer): a CAN, clusters that are
// found in it by measured latencies, and parallel jobs that run in the clusters. It checks all
// three layers against the properties of their models, with the predicates of the models, and the
// results that clients see against the specification of a job service (package model/linear).
//
// # Usage
//
// Run the scenarios of [Scenarios] with a sim.Campaign:
//
//   - peer/jobs: two to 16 nodes on a square, without faults. They learn early which members may be
//     near. Jobs of one to four dependents come in bursts, with any degree of over-provisioning,
//     and clients cancel some.
//   - peer/churn: the same with up to 16 nodes, some of which join, leave, crash and restart.
//   - peer/faults: the same, while messages are dropped, duplicated and delayed by up to a second,
//     nodes are slow and clocks drift.
//   - peer/slow: peer/churn, while up to three messages in ten take up to 20 seconds. That is
//     longer than the time-outs of all layers but those of collecting candidates, and than the
//     links of a daemon allow.
//   - peer/bursts: two to eight nodes, and two to four submissions, cancellations, joins, leaves,
//     crashes, measurements and moves at once, again and again, under heavy message faults.
//   - peer/duels: one to three members, as many nodes that join at the same time, and two to nine
//     jobs that may be for them already; perhaps a leave, a crash or a cancellation. Messages are
//     delayed by up to a second.
//   - peer/drift: nodes move from time to time, next to another node, far from all, or back,
//     without any notification. Some heads are commanded to measure again, in time or too late; all
//     are once latencies are stable.
//   - peer/search: jobs that few nodes or none can run, so that most of them are searched for. In
//     half of the runs nodes join and leave.
//   - peer/moves: many jobs with much the same requirements queue, and nodes give away the idle
//     jobs that reptask.Balance (DLB, then QB) proposes by the load of their neighbours in the CAN.
//     The command comes at once or up to two seconds later, when the job may have started, moved or
//     returned.
//   - peer/predicted: two to 14 nodes at one to five sites, which learn only by the tree of package
//     dtm which nodes are near. Half of the runs have joins, leaves and crashes. In half nodes join
//     the tree one after the other.
//
// In the last four scenarios half of the runs have message faults, too, and some have a crash.
//
// A plan draws the space (one to three dimensions), the bounds M and N, diameter and sorting
// criterion of the refinement, where jobs are submitted, their requirements, and their run times.
// Nodes are introduced to the members whose distance is at most a quarter more than the diameter.
// Rounds of the refinement come sooner than in practice.
//
// # Guarantees
//
// Checked after every step that changed something:
//
//   - The properties of the map as in package sim/can, and those of clusters as in package
//     sim/refine.
//   - VotesHeld, NeverMore, CancelledStays, BoundedOvertaking, MovesOnce, OneResult, FullRun: as in
//     package model/reptask.
//   - MembersOnly, OneLife, LeaveWhole, ClusterFollows, OneTask, CapableOnly, PredictedOnly: as in
//     package model/peer.
//   - SeekEnds, of searches that have found a node, and PassedOn, of nodes that leave: the models
//     check all searches in flight, and all nodes.
//   - HonestRefusal: a client is notified that no node can run its job only if no node could run it
//     all the time from the first search on. The models ask for the present state alone.
//
// Checked in the quiescent state at the end:
//
//   - The map is whole, and clusters are as in package sim/refine.
//   - ClustersAlive, ClustersAgree, LeftClean, NobodyReserved: as in package model/peer.
//   - JobsEnd: all jobs have ended. If no node comes or goes, each job finds an owner unless a
//     message is dropped, or its client is notified that its search has ended. If its owner or a
//     neighbour on the map could run a job all the time since the owner took it, the job is
//     accepted or its client cancels it. This is not checked if latencies change.
//   - Matched: where no node comes or goes and no message is dropped, a node has represented each
//     job that a node could run all the time from the first search on.
//   - Placed, PredictedAll: where nodes predict, all are in the tree, and the candidates of each
//     are the nodes that it predicts to be near. The models compare them with the true latencies.
//   - NearFound: these are the nodes of its site, up to the size of a cluster, if nodes join the
//     tree one after the other, measurements are not delayed, and there are at most three sites,
//     which are far apart.
//   - Near: as in package sim/refine, by the present latencies, if latencies have changed.
//   - JobService: the history of each job is one of linear.Jobs. A job that was taken is not lost
//     while its owner or its representative lives. One owner answers it at most once, and the next
//     owner with the same result, which is that of an attempt that ran. It runs again only after a
//     crash.
//
// # Assumptions
//
//   - Those of package sim/can: failure detection is accurate, crashes are apart, and two other
//     members stay. An owner grants a job of a failed representative again only when no host holds
//     a task of it any more.
//   - A job is lost with owner and representative, or with an owner between two attempts, as
//     package protocol/reptask says, or with the message to its owner. In half of the grids owners
//     and representatives are on different nodes.
//   - A duplicated submission makes two jobs: owners identify jobs, not clients.
//   - A job that no node could take ends as failed; the specification does not distinguish that
//     from a cancellation.
//   - A node of peer/predicted fails only while no leave, healing or change of a position is in
//     progress in the tree: see package dtm. Two hosts of a new site that join the tree at the same
//     time may attach far from each other. Then they are not in one cluster, which is counted, not
//     checked.
//   - Latencies change from one message to the next, not during a message. Nodes detect a move by
//     measuring, or by a new prediction, which names all nodes that are near and withdraws none.
//   - A node's free capability (the residue of DLB) is all or nothing: all while a node of its
//     cluster is idle.
//   - The chronicle of tasks distinguishes 32 incarnations. After that no node joins any more.
package peer
