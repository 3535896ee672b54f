// Package reptask builds the closed systems in which representative and dependent tasks are
// model-checked (package protocol/reptask; chapter 4 of Jackson, 2015), and those of the published
// algorithms (package protocol/published/reptask). Properties speak of views ([View]) and of events
// (monitor.go), and not of how a core works, so both cores are checked against the same ones.
//
// # Usage
//
// Pass [Models] (corrected) or [Published] to the checker, or run "canvass check 'reptask/*'".
// Package model/catalog joins all families. A system that is not in the catalogue is described by a
// [Setting] and built by its Compile. A [RunMonitor] checks a run of another driver.
//
// # Guarantees
//
// An attempt is a job and an epoch. In every state:
//
//   - OneRunPerNode: no node runs two dependent tasks.
//   - OneEpochRuns: all running dependent tasks of a job belong to one attempt. So a job never runs
//     in two places, even after a move or a crash.
//   - VotesHeld: if a representative counts vote (epoch, a) of a live node n, then n holds that
//     task with that vote number. The task is ready or withdrawing; once the representative has
//     decided, it may also be running or done.
//   - NeverMore: at most k dependent tasks of an attempt start, on k different nodes.
//   - CancelledStays: a dependent task never starts if it was cancelled, stopped, or killed (and
//     has not voted again), or if its owner has recorded that its attempt is over.
//   - BoundedOvertaking: while a task waits at a node, at most one newer job starts there. This
//     counts for each placement: a job that moves or is granted again has new dependent tasks.
//   - MovesOnce: a job moves at most once, or once by each algorithm where that is configured. A
//     move that is lost with the moving node does not count.
//   - RevokedEnds: an owner that revokes a job does not grant it. After a representative has
//     learned that its attempt, the latest one, is revoked, no owner grants the job. This does not
//     count if the representative crashes before an owner knows.
//   - AskedAll: a job fails only if each of its candidates has refused it since a node last
//     represented it, or was found silent by its owner.
//   - OnlyCancelled: a job ends as cancelled only if its client cancelled it.
//   - CordonHolds: a node that is cordoned takes no new task.
//   - LeaverTakesNothing: a node that leaves takes no new job, attempt or task, and starts no
//     attempt that it represents.
//   - OneResult: a job ends once: with a result, cancelled, or refused by all. No attempt is
//     granted after that. If the node that accepted the result has crashed, another node may accept
//     the same result of the same attempt, and notify the client.
//   - FullRun: an accepted result comes from an attempt of which exactly k dependent tasks started
//     and finished.
//
// In every quiescent state (nothing in flight, no timer pending that would change anything):
//
//   - NeverFewer: every attempt started on k nodes or on none, unless a node crashed or the client
//     cancelled. With NeverMore this means exactly k.
//   - AllDone: every submitted job that is not lost has ended. A job is lost if a crash leaves it
//     neither owner nor representative, or if its owner crashes between two attempts. "No cluster
//     could take it" counts as an end only where capacity may not suffice.
//   - Survives: every open job that is not lost has a live owner.
//   - NoOrphan: no live node hosts or represents a task. So no node stays reserved after a crash.
//
// In the end, when no fault is left, under weak fairness of deliveries, due timers and choices:
//
//   - Completes: every job ends.
//   - Freed: every node becomes free.
//
// Steps are compared with the demands of the states before and after them (contract.go):
//
//   - TimersKept: a node sets the timers that it waits for, each for its time, and no other.
//   - ListsKept: lists are sorted, no limit is exceeded, and no field outlives its phase.
//   - EventsTrue: a step announces what it changes; an ignored input changes nothing.
//   - MessagesFit: a step sends what its input and its changes demand.
//
// Where the core decides what moves (balance.go):
//
//   - MovesFit: a turn of balancing moves the oldest job that a site takes, to a smallest such
//     site: by DLB if it can be run there at once, otherwise by QB.
//
// Of Algorithm 2 as published (published_queues.go):
//
//   - NotWorse: a job that it moves by exact numbers arrives at a queue position that is no larger.
//
// One expected failure also has AllStart: NeverFewer without its exceptions, which no protocol can
// promise.
//
// The witnesses Completed, Withdrawn, Refused, Kills, Moves, Queues, MovesTwice, Regrants, Cancels,
// Stops, Recovers, Adopts and Again must each happen in some run of a scenario that is meant to
// show them. So no model passes because nothing happens in it.
//
// # Networks
//
//   - By its own name, a scenario has a network in which each message arrives once, in any order.
//   - As "-drop", one message is dropped, and the core's own resending must make up for it.
//   - As "-dup", one message is delivered once more than it was sent; "-mixed" has a drop too.
//   - As "-repeat", duplication is unbounded: a message that has arrived may arrive again, at any
//     later time and any number of times. Timers do not wait for such copies. Liveness is checked
//     on runs in which duplication stops in the end.
//   - As "-early", one timeout is premature. Scenarios of which no end was seen lack this network.
//
// Five older scenarios have no "-repeat", since they are too large. 62 million states of overlap,
// 53 of four, 28 of move-crash, 13 of shared and 4 of move-crossing were explored without a
// violation; the first of these explorations was not complete. The scenarios in which crashes meet
// refusals, moves or cancellations, and those with a node that leaves, have no "-repeat" either.
//
// # Assumptions
//
// Timers (due.go) fire as follows. Everything earlier is a premature timeout, a fault of the
// spurious budget.
//
//   - A process may end at any time.
//   - Unanswered messages are resent when no message to or from the node is in flight.
//   - The lease of a peer expires when that incarnation of it no longer runs. It also expires when
//     the peer no longer sends to the node and nothing is in flight. The lease of a live peer that
//     sends is a false suspicion, which costs the suspect budget. Only expected failures spend
//     that.
//   - A silent peer is given up (RegrantTimer) when neither holds a task of the other and the peer
//     collects no votes and runs nothing for the node. If the peer is live, nothing to or from it
//     may be in flight. A live peer that has noticed the silence and no longer asks does not count.
//     Messages of a failed node may be delayed without bound.
//
// An application that names the next address finds owners for orphans (agent.go). A live node that
// is asked to own a job answers within a lease, since it is asked more than once.
//
// Heartbeats are not modelled: a lease is modelled by its effect. So a representative has the queue
// positions at its own node only. In most models, which job moves where is a given command. In
// those named balance… the core decides, by loads that are given. Clusters are given before the run
// begins, and all their nodes are alike. Commands come at any time, those of one node in their
// order. A job may be submitted while an older one runs, or long after.
//
// Models whose names begin with "limit-" are expected failures: each drops one of these assumptions
// and shows the failure. Models marked "deep" are too large for the default run.
//
// # Grids
//
// pair is two nodes. trio is three nodes that all know each other. chain is three nodes of which
// the middle one is in two clusters.
package reptask
