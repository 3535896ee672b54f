// Package grid drives whole peers, package protocol/peer, with a workload on a platform (Jackson
// 2015, section 4.2): the decentralised scheduler as its clients see it.
//
// It is the slow way to run the scheduler: each message is a step of a core. The fast engine,
// package scheduler/parallel, keeps only the state behind decisions, and a test of this package
// compares it with the cores, event by event. Only here can nodes leave, fail and come back while
// jobs run, and can messages be lost.
//
//	found.go    the grid at its beginning: a complete map, clusters that are ready
//	clients.go  jobs at their entry nodes, for the clients of package load
//	news.go     what nodes report of their queues
//	balance.go  when DLB and QB are asked, and what they are shown
//	churn.go    nodes that leave, fail and come back, as package load decides
//	lost.go     jobs that a failure has taken from the grid
//	core.go     messages by kind
//	system.go   the policies as a scheduler.System
//
// # Usage
//
//  1. Make a grid with parallel.NewGrid.
//  2. Fill in [Options]: those of parallel.Run, and settings that only cores support.
//  3. Call [Run] with the workload.
//
// # Guarantees
//
//   - Same: with Options.Placed, representatives, hosts, moves and starts are those of
//     parallel.Run, at the same times, and so are the common counts: messages that decide
//     something, withdrawn votes, moves, and the time in which nodes are held.
//   - Conserved: every job ends, or its record says why it was excluded.
//   - Exact: k tasks of a job start on k nodes of one advertised cluster; no node runs two.
//   - Repeatable: equal arguments give equal results.
//
// # Assumptions
//
//   - Detectors of failures are accurate: no live node is suspected. Otherwise an attempt may be
//     lost in vain, as the models of package reptask show.
//   - One node fails at a time: the next failure waits until the zones of the last are taken over.
//     The map of package can survives no more where the nodes are neighbours.
//   - A job starts when its first task does that is not delayed: with it begins the time that its
//     tasks run. Where the message to start is lost, others begin later, and end later
//     (CoreCounts.LateMicros).
//   - Clients outlive their entry nodes. They look after their jobs and submit them again.
//   - Nodes know queue lengths from reports, which are not messages here. A representative has the
//     exact queue positions of its tasks.
//
// # How the grid begins
//
// Package founders computes the map. The heads of clusters have all their members confirmed, as the
// refinement of package refine leaves them when all nodes of a cluster know each other. With churn
// each node is the head of the cluster that it advertises, so that clusters survive the failure of
// any node; otherwise nodes share heads. A node that comes back is introduced to near nodes, and
// refines its cluster by messages.
//
// Without faults no timer is set that only watches, so no sign of life is sent: it would change
// nothing.
//
// # What differs from the fast engine
//
// Without Options.Placed a job begins at its entry node. Its way to the owner takes the same
// messages and the same time (TestPlacesAgree). The rest differs:
//
//	question                       | fast engine                    | cores
//	-------------------------------+--------------------------------+------------------------------
//	which of equal candidates is   | a hash of the job's number and | a hash of the submission and
//	asked first                    | the node draws                 | the node draws
//	how long a search takes, and   | no time; the owner of the      | a message for each move; the
//	which node owns the job then   | requirement                    | node that the search finds
//	jobs that reach their owners   | after all messages of that     | in the order in which the
//	at the time of other messages  | time                           | messages were sent
//	jobs of one submit time        | by hash and owner              | in the order of the workload
//
// The time of the way is compared job by job. With the times that follow it, the comparison would
// fail for a reason that has nothing to do with scheduling: where a job and another message reach a
// node in one microsecond, the cores take the first sent one. The fast engine does not know which
// that was, because one of its events stands for all messages that a node sends to a cluster. To
// keep the order of sending it would need an event for each message, and would lose its speed. So
// both engines take the arrivals from parallel.Grid.Place in the comparison. Messages by kind are
// counted only here: the fast engine counts messages that decide something.
package grid
