// Package reptask is the running and the balancing of parallel jobs of Jackson (2015), section 4.2,
// as printed: representative and dependent tasks, the kill rule, and Algorithms 1 and 2. It is kept
// to show, by counterexamples, what is wrong with it. Nobody should run it: the corrected protocol
// is package protocol/reptask.
//
//	representative tasks                represent.go
//	dependent tasks and the kill rule   queue.go
//	Algorithm 1  dlb(n)                 balance.go
//	Algorithm 2  qb(n)                  balance.go
//
// The comment on each function quotes the sentence that it is.
//
// # Readings
//
// Where two readings are plausible, both are there, and [Readings] selects. By the letter, which is
// the zero value:
//
//   - "The newer dependent task is killed": it is no more. With Requeue it goes back into its queue
//     and gets ready again.
//   - Killing is done at the node, and nobody is said to be told. With Tells the representative is,
//     since "dependent tasks communicate their state to the representative task"; one that has not
//     begun forgets the task.
//   - "When parallel dependent task with an older submit time arrives": the submit times decide.
//     With WholeOrder the order of the queues does, submit time and then hash.
//   - "Any other dependent tasks are canceled": those that were dispatched, once, when enough are
//     ready. With LateCancel also any that reports to be ready later, or to a representative that
//     is no more.
//   - "Every dependent task is associated with its corresponding representative task", but what a
//     host is told names a job. With ByPair a message concerns only the task that its sender
//     dispatched.
//
// # Decisions where the text is silent
//
//   - "Enough dependent tasks are ready": as many as the job needs. They report one by one, so
//     exactly that many begin.
//   - A task that is ready keeps its node: the queue waits behind it until it has run, is killed or
//     is cancelled. BEGIN finds a task that is ready, or is ignored.
//   - The hash is given with the job, since the text does not say of which properties it is; jobs
//     with equal properties have equal hashes. Of jobs that the order does not tell apart the first
//     to arrive comes first.
//   - Hosts are chosen in the order in which the node lists its cluster: the text prefers those
//     that are minimally capable and not busy, then chooses at random. With fewer nodes than the
//     job needs, all of them are chosen.
//   - A representative that sends its job away cancels its dependents: "moving a parallel job from
//     one cluster to another involves coordinating the move". S of Algorithms 1 and 2 is empty at
//     first; it cannot carry over from one job to the next, since the loop ends with the first job
//     that has a candidate. What the node knows of its neighbours and the average queue position
//     come with the order to balance.
//   - Failures are not mentioned: nothing is repeated and nobody is missed. The submitter takes the
//     first result.
//
// # Guarantees
//
// None of the protocol's: that is the point. What goes wrong is declared with its reason in
// model/reptask, and each shortest run is in the corpus of traces. Of the code: Step is a pure
// function; it keeps and changes nothing that it is given. Its states are plain values.
//
// # Assumptions, and what is not modelled
//
// Messages may be lost, repeated, delayed and reordered. Routing is one message to the end point
// that the order names. Serial jobs, which queue like dependents and begin when they are ready, are
// left out, and so are resources other than the number of nodes. What a representative and a host
// on one node say to each other arrives within the step. Byzantine peers are not modelled.
//
// # What a caller does
//
// Obey each Output as package protocol says. The core is bound by model.Plain to a configuration
// ([DefaultConfig]).
package reptask
