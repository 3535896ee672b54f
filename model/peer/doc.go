// Package peer closes the whole node of the grid (package protocol/peer) into systems that can be
// checked: three nodes in a row of the CAN, in a cluster that they have found themselves, with
// jobs, leaves and crashes at any time. Mistakes of one layer show in that layer's models; here
// those have a place to show that two layers make together.
//
// # Guarantees
//
// In every state: MembersOnly, who hosts, represents or answers for anything has a place in the
// CAN; NoOverlap, zones of live nodes never overlap; OneTask, no node runs two tasks and no job
// runs in two attempts; ResultsEarned, a result is accepted only of an attempt in which exactly k
// nodes ran to the end; PassedOn, a member that cannot own a job passes it on; OneLife, a node is
// the same in all layers; ClusterFollows, a node dispatches only within the cluster that it
// advertises.
//
// At rest: MapWhole, the zones of the live nodes make up the space; ClustersAlive, all members of
// every cluster run and have not said farewell; ClustersAgree, the tasks know the whole cluster;
// JobsEnd, no job is open, and in models that are not tight each was accepted; NobodyReserved,
// nobody holds or represents a task; LeftClean, who wanted to leave has left. Liveness: JobsSettle,
// a job that is owned ends.
//
// Another owner may accept a result again, the same of the same attempt, if its representative has
// not heard that it was accepted: the owner before it has failed, or left.
//
// The witnesses (Accepted, SecondAttempt, Adopted, Recalled and others) show that what a model is
// about does happen in it.
//
// # Assumptions, and what is not modelled
//
// The map and the clusters are made by the core itself before the run begins, without faults. All
// nodes are near each other: packages model/refine and model/reptask vary that. Timers fire as in
// the models of the layers: a repetition or an update when nothing of its layer is on its way that
// it could wait for, the failure of a peer only when it has failed. Signs of life of the tasks are
// not sent; that a lease ends is modelled, not what renews it.
//
// # What a caller does
//
// Pass [Models] to the checker, or run "canvass check 'peer/*'".
package peer
