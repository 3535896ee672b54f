// Package reptask is one node of the scheduling of parallel jobs in P2PGrid: representative tasks
// that start k dependent tasks together, the queues in which these wait, and the owners that see to
// it that a job has one result.
//
// Sources: Jackson (2015), section 4.2 (representative and dependent tasks, queues, the kill rule)
// with Algorithms 1 and 2; Kim, section 2.1 (owner and run node, heartbeats). Where it is:
//
//	owner.go           who answers for a job: attempts, one result, cancellation
//	representative.go  the representative task: votes, the decision, the end
//	dispatch.go        who gets a dependent task
//	host.go            the queue of a node, the kill rule, the run
//	lease.go           what follows from the silence of a peer
//	adopt.go           how a representative whose owner has failed finds another
//	balance.go         DLB (Algorithm 1) and QB (Algorithm 2), as functions beside the protocol
//
// # How a job runs
//
//  1. The application submits a job at its owner, with candidates from matchmaking. The owner
//     grants attempt after attempt, each to one representative (Grant), until one has a result. It
//     numbers its attempts: the epoch.
//  2. The representative sends dependent tasks (Dispatch) to k nodes of its cluster or,
//     over-provisioning, to more.
//  3. A host serves its queue from old to new. When a task has the node, it votes (Ready) and holds
//     the node until it is told to start or that it is not needed.
//  4. The k-th vote decides: Start to the k that voted, Cancel to all others.
//  5. When an older task comes to a node that holds a newer one which has not started, the node
//     asks for its vote back (Withdraw). An idle representative forgets the vote and says so
//     (Withdrawn); the task returns to the queue and will vote again, under the next number. One
//     that has decided answers Start.
//  6. Each dependent that ends is reported (Finish), then the job (Result). The owner takes it and
//     settles.
//
// The invariant behind it: a representative that counts vote a of host n in epoch e implies that n
// holds task e ready or withdrawing under that number, or, after Start, running or finished. So
// whoever decides finds k nodes that wait for it, and a node that has voted for one job votes for
// no other.
//
// A serial job is a job with k = 1. Its representative and its only dependent are on the node that
// it was routed to, and what passes between them is no message: it starts when it comes to the head
// of the queue.
//
// # Moving and failing
//
// An idle job moves once (CommandMove): its representative cancels all its tasks and gives the
// attempt up in favour of the target, to which the owner grants the next. A representative that has
// decided and loses a member stops the others, and gives the attempt up when they have confirmed
// that nothing runs any more. If a representative fails, its hosts drop its tasks, and then the
// owner grants the next attempt. If a host fails before the decision, another node gets the task.
//
// If an owner fails (adopt.go), its representatives keep its jobs, and what runs goes on. A
// representative asks its silent owner once more; without an answer it announces EventOrphan, and
// the application, which knows who answers for such jobs now, names a node (CommandAdopt). That is
// asked (Adopt) until it answers, and is the owner from then on as if it had granted the attempt
// itself. A job keeps the name that its first owner gave it; attempts are named by the owner that
// granted them.
//
// So that no two attempts look for an owner, an owner that is told that an attempt is over, or that
// ends a job without a result, first has the representative forget the attempt (Settled, Gone), and
// only then goes on. An attempt with a result is done in the step in which another owner takes it.
//
// A failure is noticed in two stages (lease.go). A peer that was silent for a lease (LeaseTimer) is
// held for failed, but what it may run counts as running, and the node does not speak to it any
// more. So if it lives, either its own lease of the node runs out, and it and its hosts stop what
// was started, or it speaks, and all goes on. Only whether a silent owner still owns a job is asked
// all the same (Adopt): the attempt goes on, so the owner must not take it for over. After a time
// that is long enough for that (RegrantTimer) it holds nothing of the node any more.
//
// # Guarantees
//
// Checked by the models of package model/reptask, within the bounds and budgets that the verdicts
// state: OneRunPerNode, OneEpochRuns, VotesHeld, NeverMore, CancelledStays, BoundedOvertaking,
// MovesOnce, OneResult, FullRun in every state; NeverFewer, AllDone, Survives, NoOrphan at rest;
// Completes and Freed in the end. Package model/reptask says what each name means.
//
// # What the text leaves open or gets wrong
//
// The decision, the reason, and the breakage of this core (package internal/mutants) that the
// models catch.
//
//   - "Sorted by submit time, with ties broken by the value of a hash": two jobs may have the same
//     hash, and then the order is not the same everywhere. It is (submit time, hash, owner, number)
//     here, which is total: mutant equal-age.
//   - "When enough dependent tasks are ready": exactly k, those whose votes came first. Mutants
//     one-too-few, all-that-are-sent.
//   - "The newer dependent task is killed": a representative that still counts it may be about to
//     start it. The node asks first: mutants kill-unasked, withdraw-keeps-vote,
//     withdraw-after-decision. Votes have numbers, and a representative remembers up to which one
//     they are withdrawn, for a Ready may come after its own Withdraw: mutants
//     withdrawn-vote-counts, withdrawn-again. Start may still come in answer: mutant
//     withdrawing-never-starts.
//   - Whether a killed task is lost: it returns to the queue, or its job could never start without
//     over-provisioning.
//   - What exactly is killed: whatever has voted and not started is newer than the arrival, and
//     parallel; a serial task starts in the step in which it is ready. The arrival may be serial:
//     order is order. Without the rule two jobs wait for each other: mutant no-kill.
//   - Whether a node that is ready may be ready for another too: no. Mutants vote-in-queue,
//     vote-in-run.
//   - That the cluster has k nodes when the job comes: if not, the representative refuses, the
//     owner asks the next candidate, and when all have refused one after the other the client is
//     told: mutant small-cluster-taken. That the target of a move refuses is no refusal of a
//     candidate whose turn it was: mutant moved-refusal-counts.
//   - What happens to messages of a job that was placed anew: all name their attempt, and a node
//     remembers which attempts are over there (floors), so that a late Grant or Dispatch does
//     nothing: mutants no-floors, any-epoch.
//   - That messages may be lost: what is not answered is repeated; Cancel and Withdrawn are answers
//     and need no timer. Mutants ready-unrepeated, withdraw-unrepeated, no-answer-to-the-forgotten,
//     result-unanswered.
//   - How a move keeps the job in one place: the attempt ends before the owner grants the next. The
//     order goes by the owner, not from node to node, so that of two claims one is refused. Only
//     idle jobs move, and once: mutants move-while-running, move-without-end.
//   - Failures of dependents, representatives and owners; the text has none. Mutants
//     lost-member-awaited, lost-vote-counts, stop-unconfirmed, dead-representative-served,
//     dead-owner-served, no-regrant. That silence is no proof of failure: mutants silence-is-proof,
//     regrant-at-once, start-unknown, start-unrepeated, superseded-untold, mute-to-owner.
//   - How an owner is replaced, of which section 2.1 says only that it is: mutants
//     lost-with-its-owner, adopt-unrepeated, no-last-call, next-before-forgotten,
//     cancelled-before-forgotten, result-not-brought, epoch-not-carried-on, settled-by-the-former.
//   - What it means that a client cancels a job: it is over when nothing of it can run any more:
//     mutant revoke-forgets.
//   - That a result is taken once: mutants result-twice, first-finish-is-enough.
//   - "Chosen randomly from among the candidates", and the random minimum of DLB and QB: a hash of
//     job and node draws. It spreads jobs as evenly, and a run can be repeated.
//   - Whether a node is in its own cluster: it is if the application says so (CommandCluster).
//   - Over-provisioning of a serial job: none; it runs where it was routed to.
//   - maxQL, residue and queue positions where clusters overlap: the job's own dependents are not
//     counted, since they go when the job does. Otherwise a job would keep itself from moving.
//   - The listings of both algorithms do not say that a job moves once, though the text does;
//     [State.Idle] leaves out those that have. The candidate set is one per job; since the loop
//     ends with the first job that has a candidate, one set for all of them comes to the same.
//   - c1 in Algorithm 2, maxQL < averageQP - 1, is worked out in whole numbers.
//
// # Assumptions, and what is not modelled
//
//   - Leases: a message arrives within (RegrantTicks - 2 LeaseTicks) / 2 or never, clocks run
//     alike, and a Cancel comes through within a lease where other messages from the same node do.
//     Then a LeaseTimer that fires for a live peer costs an attempt, and breaks none of the
//     guarantees but VotesHeld and NeverFewer, since whoever takes its representative for failed
//     drops the task: models reptask/limit-false-suspicion and its kin. Config.Validate holds the
//     ticks to what can be said without knowing the network.
//   - When a voter fails after the decision, or a member falls out, up to k-1 dependents run in
//     vain until they hear of it. No protocol can help that: model reptask/limit-doomed. Nothing of
//     it is accepted.
//   - A job is lost, and its client submits it again, if a failure leaves neither owner nor
//     representative: both are one node, or fail before another took the place of the one; or the
//     owner fails between two attempts, when a representative has forgotten the one and none has
//     the next. A job's results are not the core's: Result says that they are there.
//   - If the owner fails that took a result, and the representative has not heard of it, the next
//     owner takes the same result of the same attempt once more. A job that has ended never runs
//     again.
//   - Two nodes may come to own a job if a representative takes a living owner, old or new, for
//     failed and then asks it in vain for a whole lease.
//   - Submit times are those of the submitters, whom all trust, as in the paper.
//   - At most Config.FloorLimit jobs are remembered as over; a message older than that could revive
//     one, which would cost a run, not a second result.
//   - An attempt whose hosts hold nothing is given up, and the next is granted at once. A host that
//     leaves, or has no room for a task, answers so as soon as it is asked: until the
//     representative hears that its cluster has changed (CommandCluster) it asks again as fast as
//     messages travel, and no faster.
//   - Messages may be lost, repeated, delayed and reordered, but are not forged.
//
// # What a caller does
//
// Make a state with [New], step it with Start and persist what that asks for. Then give orders:
// CommandCluster whenever the cluster changes, as by a member that is to leave, CommandSubmit at
// the owner of a job with the candidates that matchmaking found (routing ends at the first of
// them), CommandCancel when a client changes its mind, CommandAdopt after EventOrphan, and from
// time to time what [Balance] proposes. Obey each Output as package protocol says, with one
// particularity:
//
// RunTimer is the process of the task that [State.Runs] names. To set it means to start the
// process, to cancel it means to kill the process, and when the process has ended the driver fires
// the timer. Its duration is 0 and means nothing. So a model or a simulator needs no special case
// for processes: they are timers that may fire at any time.
//
// Who granted an attempt and its epoch name it in all events; a driver that starts processes can
// tell them apart by it.
package reptask
