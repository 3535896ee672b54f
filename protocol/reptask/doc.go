// Package reptask implements representative tasks for parallel jobs: Jackson (2015), section 4.2
// with Algorithms 1 and 2, and the owners and heartbeats of Kim, section 2.1.
//
// A parallel job needs k nodes at the same time (co-allocation). One representative task stands for
// the job. It sends dependent tasks to nodes of its cluster and starts exactly k of them together.
// An owner answers for the job: it grants one attempt after another until an attempt has a result.
// A node may be owner, representative and host at once, for several jobs. Each role is a type with
// its own handlers, and step.go passes each input to one of them.
//
//	owner.go           the owner of a job: attempts, one result, cancellation
//	representative.go  the representative task: votes, the decision, the end
//	dispatch.go        the cluster, and which of its nodes receive a dependent task
//	over.go, rank.go   how many, and which first
//	host.go            the queue of a node, the kill rule, the run
//	beat.go, lease.go  signs of life, and what follows from the silence of a peer
//	adopt.go           how a representative finds another owner
//	balance.go         DLB (Algorithm 1) and QB (Algorithm 2), as functions beside the protocol
//	reports.go         the load that they need, as each site reports it
//	moves.go           how often a job may move
//
// An attempt without failures takes these steps:
//
//  1. The owner sends Grant to a candidate, which becomes the representative. The owner numbers its
//     attempts: the epoch.
//  2. The representative sends Dispatch to k nodes of its cluster, or to more (over-provisioning).
//  3. A host serves its queue from old to new. When a task has the node, the host sends Ready,
//     which is a vote, and reserves the node until it receives Start or Cancel.
//  4. The k-th vote decides: the k voters receive Start, all others Cancel.
//  5. If an older task arrives at a node that is reserved for a newer one, the host asks for its
//     vote back (Withdraw). A representative that has not decided forgets the vote and answers
//     Withdrawn; a representative that has decided answers Start.
//  6. Hosts report the end of each dependent task (Finish), the representative that of the job
//     (Result). The owner accepts the result and answers Settled.
//
// The invariant behind this: if a representative counts vote a of host n in epoch e, then n holds
// the task of epoch e, ready or withdrawing under that number, or, after Start, running or
// finished. So the k voters of a decision all wait for it, and none of them has another vote
// outstanding.
//
// docs/protocols/reptask.md explains moving, failing and adoption, with diagrams and examples.
//
// # Usage
//
// A driver has these duties, in this order. The example of this package runs a job on two nodes.
//
//  1. Make one [Config] for all nodes ([DefaultConfig]) and check it with [Config.Validate].
//  2. Make a state with [New] and step it with Start. After a crash, step a new state with Restart
//     instead: the node has a new identity and holds nothing.
//  3. Obey each Output in the order that package protocol prescribes. RunTimer is the process of
//     the task that [State.Runs] names: to set it is to start the process, to cancel it is to kill
//     the process, and the driver fires it when the process has ended. Its duration means nothing.
//  4. Send CommandCluster whenever the cluster of the node changes, and CommandSubmit at the owner
//     of a job with the candidates that matchmaking found. CommandCancel cancels a job,
//     CommandLeave drains the node until [State.Drained]. CommandCordon has a node take no tasks
//     for as long as its machine cannot run any, and CommandUncordon ends that: it still owns and
//     represents jobs. Send the others CommandCluster again from time to time: they leave out a
//     node that has refused a task so.
//  5. Answer EventOrphan with CommandAdopt, which names the node that is to own the job.
//  6. From time to time, give the command that [Balance] proposes for [State.Idle]. It asks a
//     [View] for the load of each site: [Reports], or a view that the driver keeps up to date.
//  7. Watch for EventFull: a limit of the Config has changed what happens.
//
// Events name an attempt by the owner that granted it and its epoch.
//
// # Guarantees
//
// The models of package model/reptask check these properties within the bounds and fault budgets
// that each verdict states. In every state:
//
//   - OneRunPerNode: no node runs two dependent tasks.
//   - OneEpochRuns: all running dependent tasks of a job belong to one attempt.
//   - VotesHeld: the invariant above.
//   - NeverMore: at most k dependent tasks of an attempt start, on k different nodes.
//   - CancelledStays: a cancelled, stopped or killed task, or one of a finished attempt, does not
//     start.
//   - BoundedOvertaking: while a task waits at a node, at most one newer job starts there
//     (counted for each placement of a job).
//   - MovesOnce: a job moves at most once, or once by each algorithm with Config.MoveEach.
//   - MovesFit: of the idle jobs the oldest that a site takes moves, to the smallest site that
//     takes it. DLB comes before QB.
//   - RevokedEnds: a cancelled job is not granted again by an owner that revokes it, nor by any
//     owner after its representative knows, unless that crashes before the owner knows.
//   - OnlyCancelled: a job ends as cancelled only if its client cancelled it.
//   - AskedAll: a job fails only if each of its candidates has refused it since a node last
//     represented it, or was silent.
//   - CordonHolds: a node that is cordoned takes no new task.
//   - LeaverTakesNothing: a node that leaves takes no new job, attempt or task, and starts no
//     attempt that it represents.
//   - OneResult: a job ends once: with a result, cancelled, or refused by all candidates.
//   - FullRun: an accepted result is that of exactly k tasks that ran to their end.
//   - TimersKept, ListsKept, EventsTrue, MessagesFit: each step sets the timers that the state
//     demands, keeps its lists in order and within their limits, announces what it changes, and
//     sends what its input and its changes demand.
//
// When the system is quiescent (nothing in flight, and no timer would change anything):
//
//   - NeverFewer: every attempt started on k nodes or on none, unless a node crashed or the job was
//     cancelled.
//   - AllDone: every submitted job has ended, unless a crash left it without owner and
//     representative.
//   - Survives: every open job that is not lost has a live owner.
//   - NoOrphan: no live node is reserved for, or represents, anything.
//
// Once faults end: Completes, every job ends; Freed, every node becomes free.
//
// # Assumptions
//
//   - Leases: a message arrives within (RegrantTicks - 2 LeaseTicks) / 2 or never, clocks run
//     alike, and a Cancel arrives within a lease if other messages of its sender do. Otherwise a
//     false suspicion costs an attempt, and VotesHeld and NeverFewer fail; the other properties
//     hold: models reptask/limit-false-suspicion, reptask/limit-false-suspicion-drop,
//     reptask/limit-false-suspicion-crash, reptask/limit-false-suspicion-remote and
//     reptask/limit-false-suspicion-two.
//   - No voter crashes between its vote and the end. Otherwise up to k-1 dependent tasks run in
//     vain until they receive Cancel, which no protocol can avoid; their result is never accepted:
//     model reptask/limit-doomed.
//   - Owner and representative of a job do not fail together, and an owner does not fail between
//     two attempts. Otherwise the job is lost, and its client has to submit it again.
//   - A representative does not suspect a live owner that then fails to answer for a whole lease.
//     Otherwise two nodes may own the job.
//   - An owner that accepts a result lives until the representative has received Settled. Otherwise
//     the next owner accepts the same result of the same attempt again. The job does not run again.
//   - All nodes trust the submit times. A node that submits with earlier times overtakes others.
//   - At most Config.FloorLimit finished jobs are remembered. A message that is delayed longer
//     could start a job again, which costs a run and no second result.
//   - Messages may be dropped, duplicated, delayed and reordered, but are not forged. A forged
//     Ready or Result breaks NeverFewer and FullRun. No model covers that.
//
// # Differences from the paper
//
// Evidence with a dot is a trace of the algorithm as published (in traces/corpus). Models, scripts
// and unit tests are named as such. The other names are mutants of this core that the checks catch
// (package internal/mutants).
//
//	rule                                          | what breaks without it
//	  evidence
//	----------------------------------------------+--------------------------------------------------
//	queues are ordered by (submit time, hash,     | jobs with equal hashes: the order differs from
//	owner, number), which is total                | node to node, and two jobs wait for each other
//	  equal-age
//	exactly the first k voters start              | fewer or more than k tasks start
//	  one-too-few, all-that-are-sent
//	a host asks for its vote back before it       | the representative starts a task that was killed:
//	serves an older task                          | k-1 run
//	  published-reptask-cross@requeue+tells+order+late+pair.NeverFewer, kill-unasked,
//	  withdraw-keeps-vote, withdraw-after-decision
//	votes are numbered, and a withdrawn number    | a Ready that arrives after its Withdraw counts,
//	never counts again                            | or a late Withdraw cancels the next vote
//	  published-reptask-cross@requeue+tells+order+late+pair.AllDone, withdrawn-vote-counts,
//	  withdrawn-again
//	Start may answer Withdraw; the task then runs | the task neither starts nor returns to the queue
//	  withdrawing-never-starts
//	a killed task returns to its queue            | without over-provisioning its job never starts
//	  published-reptask-killed.AllDone
//	the kill rule compares by the order of the    | of two jobs with one submit time each holds a
//	queues; the older task may be serial          | node that the other needs
//	  published-reptask-same-time@requeue+tells.AllDone, no-kill
//	a node has at most one vote outstanding       | it starts two tasks
//	  vote-in-queue, vote-in-run
//	a representative whose cluster has fewer than | the job waits forever in a cluster that is too
//	k nodes refuses; the next candidate is asked  | small
//	  published-reptask-move-stale@requeue+tells+order+late+pair.AllDone, small-cluster-taken
//	a refusal by the target of a move does not    | the job fails before all candidates were asked
//	count as that of a candidate                  |
//	  moved-refusal-counts
//	every message names its attempt; a node       | a delayed or duplicated message acts on a later
//	remembers which attempts are over (floors)    | attempt, or starts a job again
//	  published-reptask-dup@requeue+tells+order+late+pair.NoOrphan,
//	  published-reptask-dup@requeue+tells+order+late+pair.NeverMore, no-floors, any-epoch
//	Ready for an attempt that is over is answered | a task whose Cancel overtook its Dispatch
//	with Cancel                                   | reserves its node forever
//	  published-reptask-over.NoOrphan, published-reptask-move.AllDone,
//	  no-answer-to-the-forgotten
//	unanswered messages are resent; Cancel and    | one dropped message blocks the job
//	Withdrawn are answers and need no timer       |
//	  published-reptask-drop@requeue+tells+order+late+pair.AllDone,
//	  published-reptask-drop@requeue+tells+order+late+pair.NoOrphan,
//	  published-reptask-drop@requeue+tells+order+late+pair.NeverFewer, ready-unrepeated,
//	  withdraw-unrepeated, result-unanswered
//	a move ends the attempt; then the owner       | the job runs in two places
//	grants the next one to the target             |
//	  move-while-running
//	a job moves once, or once by each algorithm   | load balancing moves it without end
//	  move-without-end, move-each-uncounted, queued-moves-uncounted
//	dimensions are compared by their class        | a job moves where it cannot run, or to a site
//	(package match)                               | that is larger than another
//	  transform-compared-by-size, virtual-compared
//	representatives watch hosts, hosts their      | after one crash the job never ends, and nodes
//	representative, owners and representatives    | stay reserved
//	each other                                    |
//	  published-reptask-crash-host@requeue+tells+order+late+pair.AllDone,
//	  published-reptask-crash-representative@requeue+tells+order+late+pair.NoOrphan,
//	  lost-member-awaited, lost-vote-counts, stop-unconfirmed, dead-representative-served,
//	  dead-owner-served, no-regrant
//	silence proves nothing: a lease has two       | the next attempt starts while the former still
//	stages                                        | runs
//	  silence-is-proof, regrant-at-once, start-unknown, start-unrepeated, superseded-untold,
//	  mute-to-owner
//	a representative whose owner failed finds     | a job is lost with its owner
//	another one (Adopt); jobs keep their names    |
//	  lost-with-its-owner, adopt-unrepeated, no-last-call, epoch-not-carried-on,
//	  settled-by-the-former
//	an owner has the representative forget an     | two attempts find an owner each
//	attempt before it goes on                     |
//	  next-before-forgotten, cancelled-before-forgotten, result-not-brought
//	a cancelled job has ended when nothing of it  | a client learns that its job is cancelled, and
//	can run                                       | the job starts
//	  revoke-forgets
//	GiveUp and Adopt report that an attempt was   | if the owner fails, the next one grants a
//	revoked                                       | cancelled job again
//	  revoked-granted-again
//	refusals count from the first again when a    | a job fails although a candidate was not asked
//	candidate has failed                          |
//	  refusals-of-the-failed, refusals-not-in-a-row
//	the owner accepts one result, of k tasks      | a job ends twice, or before its tasks
//	  result-twice, first-finish-is-enough
//	a node that leaves returns tasks that have    | a departed node is reserved or runs tasks
//	not begun and takes no new ones               |
//	  leaver-keeps-vote, leaver-keeps-task, leaver-takes-tasks
//	a node whose machine cannot run tasks takes   | it loses one task after the other, and each
//	none, and says so to representatives          | attempt there fails
//	  cordoned-takes-tasks, cordoned-keeps-queue, cordoned-keeps-vote, cordoned-chooses-itself
//	maxQL, residue and queue positions leave out  | where clusters overlap, a job prevents its own
//	the job's own dependent tasks                 | move
//	  own-dependents-counted, unit tests of balance.go
//	a hash of job and node replaces random        | runs cannot be repeated
//	choices                                       |
//	  unit tests of balance.go
//	a serial job has k = 1 and no                 | (the paper leaves this open)
//	over-provisioning; its representative hosts   |
//	it                                            |
//	  script serial
package reptask
