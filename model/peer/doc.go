// Package peer builds the closed systems in which the whole node of the grid is model-checked
// (package protocol/peer). In most models three nodes lie in a row of the CAN, in a cluster that
// they have found themselves, with jobs, leaves and crashes at any time. Defects of one layer show
// in the models of that layer; these models show defects that need two layers.
//
// # Usage
//
// Pass [Models] to the checker, or run "canvass check 'peer/*'".
//
// # Guarantees
//
// In every state:
//
//   - MembersOnly: a node that hosts, represents or owns anything is a member of the CAN.
//   - NoOverlap: zones of live nodes never overlap.
//   - OneTask: no node runs two tasks, and no job runs in two attempts.
//   - ResultsEarned: an accepted result comes from an attempt in which exactly k nodes finished.
//   - PassedOn: a member that cannot own a job forwards it.
//   - OneLife: a node has the same identity in all layers.
//   - ClusterFollows: a node dispatches only within the cluster that it advertises.
//
// In the models peer/search…, in which nodes differ in the jobs that they can run:
//
//   - CapableOnly: a node represents only jobs that its coordinate satisfies.
//   - HonestRefusal: a client is notified that no node can run its job only if no node that stays
//     and was on the map at the beginning of the search can.
//   - SeekEnds: a search visits a node at most once, and at most as many as it may.
//   - Matched, when quiescent: a job that such a node can run was represented, or its client was
//     notified that the search ended undecided. It is not checked where a message of the job may be
//     lost.
//
// In the models peer/predict…, in which nodes predict what is near:
//
//   - PredictedOnly: candidates for a cluster are predicted to be near.
//   - PredictedAll, when quiescent: nodes of the tree within the diameter are candidates. The
//     latencies are those of a tree.
//   - Placed, when quiescent: no node looks for its place in the tree.
//
// In every quiescent state (nothing in flight, no timer pending that would change anything):
//
//   - MapWhole: the zones of the live nodes cover the space.
//   - ClustersAlive: all members of every cluster run and do not leave.
//   - ClustersAgree: the task layer has the whole advertised cluster.
//   - JobsEnd: no job is open. In models that are not tight, each job has a result.
//   - NobodyReserved: no node hosts or represents a task.
//   - LeftClean: every node that wants to leave has left.
//
// In the end: JobsSettle, every owned job ends.
//
// A second owner may accept the same result of the same attempt if the first owner failed or left
// before the representative was notified of the acceptance.
//
// The witnesses (Accepted, SecondAttempt, Adopted, Recalled and others) show that each model
// exercises what its name says.
//
// # Assumptions
//
// The core makes the map and the clusters itself before the run begins, without faults. All nodes
// are near each other; packages model/refine and model/reptask vary that. Timers fire as in the
// models of the layers: resending and updates when nothing of their layer is in flight that they
// could wait for, the suspicion of a peer only when it has failed. Heartbeats of the tasks are not
// sent: the end of a lease is modelled, not its renewal.
package peer
