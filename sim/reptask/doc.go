// Package reptask simulates the core of representative tasks (package protocol/reptask) by itself:
// nodes that know their clusters from the beginning, and applications that submit, move and cancel
// jobs. In a whole grid (package sim/peer) the map and the clusters take most of the time and jobs
// seldom compete; here they do nothing else.
//
// # Usage
//
// Run the scenarios of [Scenarios] with a sim.Campaign:
//
//   - reptask/bursts: two to six nodes, in one cluster or in several that overlap, and two to four
//     operations at once, again and again: jobs are submitted, moved and cancelled; nodes crash,
//     restart, leave or get another cluster. A strike crashes a node that has just granted,
//     decided, moved, given up or taken something. Message faults are heavy, and failure detection
//     is accurate.
//   - reptask/duels: three or four nodes and one to three jobs, a few moves, cancellations, leaves
//     or crashes, and up to three strikes. A strike may hit the node that takes over from the
//     victim of the one before. Messages are delayed by up to twenty seconds.
//   - reptask/heirs: three to five nodes and one or two jobs. The owner crashes when it has
//     accepted a job, granted it, or parts with its representative. The representative crashes as
//     soon as another owner has been found, and perhaps that owner, too. Messages are delayed as in
//     reptask/duels.
//   - reptask/leases: nodes and jobs as in reptask/bursts, but no node crashes, leaves or gets
//     another cluster. Failures are detected by silence alone. Single nodes, or groups, are cut off
//     by partitions that last from half a lease to one and a half, so that live nodes are falsely
//     suspected. Messages are duplicated and delayed, but dropped only by partitions.
//   - reptask/limit-long-cuts: the same, with partitions that outlast two leases. Then a live owner
//     is replaced, and CancelledStays, FullRun, OneEpochRuns and OneResult are expected to be
//     violated. After the partition all becomes quiescent nevertheless.
//   - reptask/walks: walks without a clock (package sim/random) through two to four nodes with
//     their clusters, one to three jobs, at most two moves and a cancellation, at most two crashes
//     and a few message faults. The properties are those of the models, no more.
//
// When a representative has lost its owner, the application names the next live node by address.
//
// # Guarantees
//
// Checked after every step:
//
//   - OneRunPerNode, OneEpochRuns, VotesHeld, NeverMore, CancelledStays, BoundedOvertaking,
//     MovesOnce, OneResult, FullRun: as in package model/reptask.
//   - Recalls: a node that wants to leave holds no vote that it does not want back. In the models
//     this is a part of ListsKept.
//   - LastResort: a job fails only if no candidate could have taken it all the time. This is the
//     simulator's own, because it depends on a candidate's whole history.
//
// Checked in the quiescent state at the end:
//
//   - NeverFewer, AllDone, Survives, NoOrphan: as in package model/reptask. A job that no node can
//     take ends as failed.
//
// # Assumptions
//
//   - Failure detection is accurate, except in reptask/leases and reptask/limit-long-cuts. There
//     VotesHeld, NeverFewer and LastResort are not checked: a node that falsely suspects its
//     representative drops the task, counted or not, as package protocol/reptask says.
//   - In reptask/leases, as package protocol/reptask requires, messages arrive within half a
//     second, no partition is so long that a representative asks its live owner in vain for a whole
//     lease, and all leases are renewed between two partitions. reptask/limit-long-cuts shows the
//     failure otherwise.
package reptask
