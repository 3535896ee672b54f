// Package reptask implements representative and dependent tasks of Jackson (2015), section 4.2, as
// published: the queues, the kill rule, and Algorithms 1 and 2.
//
// It is a literal transcription, kept to check the algorithm as published. Do not run it. The
// corrected protocol is package protocol/reptask.
//
//	representative tasks                represent.go
//	dependent tasks and the kill rule   queue.go
//	Algorithm 1  dlb(n)                 balance.go
//	Algorithm 2  qb(n)                  balance.go
//
// The comment on each function quotes the sentence that the function transcribes.
//
// # Usage
//
// A driver makes a state with [New] and the node's cluster, steps it with Start, gives a [Command]
// to submit a job or to balance the load, and obeys each Output as package protocol prescribes.
// [RunTimer] is the computation of the task that runs. model.Plain binds the core to a
// configuration ([DefaultConfig]). The example of this package shows a flaw: a node stays
// reserved for no job.
//
// # Guarantees
//
// None of the protocol's. Package model/reptask states for each property whether it is expected to
// fail, and why. traces/corpus holds a shortest run for each failure, and docs/findings.md lists
// them. In the code, Step is pure, and its states are plain values.
//
// # Assumptions
//
//   - Messages may be dropped, duplicated, delayed and reordered. The text mentions no such fault;
//     losses and duplicates break properties, for example
//     published-reptask-drop@requeue+tells+order+late+pair.AllDone.
//   - The text mentions no failures either: nothing is resent, and no node watches another. A crash
//     blocks a job: published-reptask-crash-host@requeue+tells+order+late+pair.AllDone.
//   - Routing is one message to the end point that the command names.
//   - Serial jobs and resources other than the number of nodes are not modelled.
//   - Messages between representative and host on one node arrive within the step.
//   - A move "involves coordinating the move between the representative task and all dependent
//     tasks": the representative recalls them, and the job leaves when all have answered. The text
//     does not say more of it.
//
// # Differences from the paper
//
// There are no intended differences. Where a passage allows two interpretations, both are there,
// and a field of [Readings] selects; its zero value takes the text literally. The name is that in
// models and traces, after an @. docs/protocols/published.md lists the decisions where the text is
// silent.
//
//	name, field      | passage                     | literally                | with the field
//	-----------------+-----------------------------+--------------------------+----------------------
//	requeue Requeue  | "the newer dependent task   | it disappears            | it returns to its
//	                 | is killed"                  |                          | queue and becomes
//	                 |                             |                          | ready again
//	tells Tells      | "dependent tasks            | no node is notified of a | the representative
//	                 | communicate their state to  | kill                     | is; if it has not
//	                 | the representative task"    |                          | begun it forgets the
//	                 |                             |                          | task
//	order WholeOrder | "with an older submit time  | submit times decide      | the order of the
//	                 | arrives"                    |                          | queues decides:
//	                 |                             |                          | submit time, then
//	                 |                             |                          | hash
//	late LateCancel  | "any other dependent tasks  | those that were          | also any that reports
//	                 | are canceled"               | dispatched, once, when   | ready later, or to a
//	                 |                             | enough are ready         | representative that
//	                 |                             |                          | has ended
//	pair ByPair      | "associated with its        | a message names a job    | it concerns only the
//	                 | corresponding               |                          | task that its sender
//	                 | representative task"        |                          | dispatched
package reptask
