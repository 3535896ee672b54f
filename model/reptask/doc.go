// Package reptask holds the closed systems in which representative and dependent tasks are checked.
// Properties are statements about views ([View]) and about events (monitor.go) that say nothing of
// how a core works, so that another core, such as a literal transcription of the printed protocol,
// is held to the same ones by an adapter that shows it as views.
//
// # Guarantees
//
// What the properties mean, for any core. An attempt is a job and an epoch. In every state:
//
//   - OneRunPerNode: no node runs two dependents.
//   - OneEpochRuns: all dependents of a job that run belong to one attempt. So a job never runs in
//     two places, not even after a move or a failure.
//   - VotesHeld: if a representative counts vote (epoch, a) of a live node n, then n holds that
//     task, under that number, ready or withdrawing; or, once the representative has decided,
//     running or done.
//   - NeverMore: of one attempt at most k dependents start, on k different nodes.
//   - CancelledStays: a dependent that was cancelled, stopped, killed (and has not voted again), or
//     that belongs to an attempt which its owner knows to be over, does not start.
//   - BoundedOvertaking: while a task waits at a node, at most one newer job starts there. It is
//     counted for each placement: of a job that moves, or is granted anew, another newer job may
//     overtake each new dependent.
//   - MovesOnce: a job moves at most once. A move that is lost with the node that gave the job away
//     is none.
//   - OneResult: a job ends once, with a result, cancelled, or refused by all, and no attempt is
//     granted after that. If the node that accepted the result has crashed, another may accept the
//     same result of the same attempt: who was not told yet is told then.
//   - FullRun: the result that is accepted is that of an attempt of which exactly k dependents were
//     started and ran to their end.
//
// At rest, that is, when nothing is in flight and no timer would change anything:
//
//   - NeverFewer: every attempt was started on k nodes or on none, unless a node crashed or the
//     client cancelled. With NeverMore this is "exactly k".
//   - AllDone: every job that was submitted has ended, but for those that are lost. A job is lost
//     if a crash leaves nobody who owns or represents it, or if its owner crashes when it has had
//     one attempt forgotten and nobody has the next. That nobody could take it is an end only in
//     scenarios where the capacity may not suffice.
//   - Survives: every job that is open, and not lost, has an owner that lives.
//   - NoOrphan: no live node hosts or represents anything. Whoever crashes, no node stays reserved.
//
// In the end, under weak fairness of deliveries, due timers and choices, when no fault is left:
//
//   - Completes: every job ends. Freed: every node is free.
//
// A limit model has AllStart too: NeverFewer without its exceptions, which no protocol can promise.
//
// Witnesses, so that no model passes because nothing happens in it: Completed, Withdrawn, Refused,
// Kills, Moves, Regrants, Cancels, Stops, Recovers, Adopts, Again, each where the scenario is to
// bring it about.
//
// # The networks
//
// A scenario is checked under three networks: as it is, every message arrives once, in any order;
// as "-drop" one is lost, and the core's own repetitions must make up for it; as "-repeat" a
// message that has arrived may arrive again, at any later time and any number of times. Timers do
// not wait for what only comes again, and liveness is asked of runs in which repetitions stop at
// last. Five scenarios have no "-repeat": 62 million states of overlap, 53 of four, 28 of
// move-crash, 13 of shared and 4 of move-crossing were seen without a violation, but for the first
// not all that there are. As "-dup" one message is delivered once more than it was sent, and
// "-mixed" is a loss and a repetition in one run. A repetition by the core itself, since it is a
// timer that fires only when nothing from or to its node is in flight, seldom makes two copies;
// "spurious" repetitions do.
//
// # Assumptions, and what is not modelled
//
// When timers fire (due.go): a process ends at any time; what was not answered is repeated when no
// message to or from the node is in flight, earlier as a spurious fault. The lease of a peer runs
// out if that very incarnation runs no more, or if it does not speak to the node any more and
// nothing is in flight; while a live peer does speak, that is a fault that costs the suspect
// budget, which only limits spend. A silent peer is given up (RegrantTimer) when no live node holds
// a task of it, nor it one of the node, and it does not collect votes or run anything for the node,
// unless it lives, has noticed that the node is silent and does not ask it: nobody waits for that.
// If it lives, nothing from or to it must be in flight besides. What a failed node sent may come as
// late as it likes.
//
// Owners for orphans are found by an application that names the next address (agent.go). Who is
// asked to own a job, and lives, answers within a lease, for it is asked more than once.
//
// Signs of life are not modelled: leases are modelled by what they tell. Nor are the positions that
// queue balancing wants; which job moves where is a given order, and the policies have tests of
// their own.
//
// Clusters are given before the run begins and all their nodes are alike. Commands are given at any
// time, each node's in turn. A job may be submitted when an older one is running, or long done.
//
// The grids: pair is two nodes, trio three that all see each other, chain three of which the middle
// one is in two clusters. Models that are "deep" are too large for the default run.
//
// # What a caller does
//
// [Models] lists the systems; package model/catalog has them for the command line. Others are
// described by a [Setting] and made by its Compile.
package reptask
