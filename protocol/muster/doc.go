// Package muster implements the roll call of a parallel job: one instance for an attempt and a
// node. It gives the k hosts of an attempt their ranks and a common start, halts them together, and
// gathers their exit statuses. The task layer (package reptask) has chosen the hosts before.
//
//	host.go            a host: here, go, halt, the end of its task
//	representative.go  the representative: roll call, permit, statuses, outcome
//	timer.go           what is resent until it is answered
//
// An attempt without failures takes these steps:
//
//  1. Each host sends Here, with its ports, to the representative.
//  2. When all k are here, the representative asks the custodian of the job for the permit.
//  3. It sends Go to each host: its rank, which is its place in the order of the hosts, and the
//     ports of all ranks. The host starts the process.
//  4. Each host reports Exit, with the status of its process. One whose task has outputs does so
//     only when they are safe, or when they cannot be kept.
//  5. When all k have reported, the outcome is deposited with the custodian.
//  6. The representative sends Finish. Only now the hosts may report to the task layer that they
//     are done.
//
// A refused permit, a host that cannot start its task or has lost it, a failed task (if the job
// wants that) and CommandHalt make the representative send Halt instead. Such an attempt has an
// outcome, too.
//
// A host that has lost its task is not one whose task has failed. Lost says that the host could not
// do its part: it had no space, no process could be started, or the shim of the task was killed.
// The outcome of the task is unknown, so the driver has the job tried again, elsewhere. Unfit says
// that the host can never start the command of the job. Unkept says that the process ended with 0,
// but outputs that the job declares could not be kept: such a task has failed.
//
// docs/protocols/muster.md explains the states with diagrams and examples.
//
// # Usage
//
// A driver keeps the instances by attempt and passes a message to the instance of its attempt only.
// No message or state names the attempt, a command line, an environment or data. The example of
// this package runs a job on two nodes.
//
//  1. Make a state with [New] at a node that runs, when the node has its first role in the attempt.
//     No Start is needed, and nothing is persisted: a node that restarts has no instances.
//  2. Give CommandHost when the task layer starts the task here (its RunTimer is set). Give
//     CommandRepresent when it has decided here. Each of them comes at most once, in any order.
//  3. Upon EventGo start the process. Give CommandExited when it has ended with all its tree,
//     CommandUnfit if the host can never start it, and CommandLost if the host has lost it and
//     nothing of it runs any more. CommandUnfit and CommandLost may also come before EventGo.
//     Give CommandKeep in place of CommandExited if the job declares outputs. Upon EventKeep keep
//     them, then give CommandKept.
//  4. Upon EventHalt end the process, then give CommandExited or CommandKeep. EventUnrun needs no
//     action.
//  5. Upon EventPermit ask the custodian, then give CommandPermit. Upon EventOutcome deposit
//     [State.Outcome] there, then give CommandDeposited. An outcome in which a host has lost its
//     task, and was not halted before, is no end of the job.
//  6. Upon EventFinish report the end of the task to the task layer: fire its RunTimer.
//  7. Give CommandHalt at the representative to cancel the attempt. Give CommandEnd at each node
//     when the task layer ends the attempt there. Upon EventKill end the process. After EventEnd
//     drop the instance. Messages to an instance that is not there may be dropped.
//
// # Guarantees
//
// The models of package model/muster check these properties within the bounds and fault budgets
// that each verdict states. In every state:
//
//   - AllOrNone: a process runs only if all k hosts were here and the permit was granted.
//   - AskedOnce: the custodian is asked once, when all hosts are here and nothing was called off.
//   - NoGoWithoutPermit: the representative sends Go only after the custodian granted the permit.
//   - RanksOnce: the ranks of an attempt are 0 to k-1, each at one host, and all hosts have the
//     same places.
//   - StartsOnce: a host starts its process at most once, and not after it was halted or unfit.
//   - StatusesTrue: the outcome has, for each rank, the status that its host reported.
//   - OutcomeBeforeFinish: a host finishes only after the outcome was deposited.
//   - ReasonTrue: the reason of an outcome is a failure only if a task has failed by itself, and
//     the loss of a task only if a host has lost one.
//   - OutputsKept: the outcome says that a task ended with 0 only if its outputs are safe.
//   - OutcomeOnce: there is one outcome, and it never changes.
//   - EndKills: no process runs where the task layer has ended the attempt.
//   - TimersKept, ListsKept, MessagesFit: each step sets the timer that the state demands, keeps
//     members sorted and fields within their phases, and answers what wants an answer.
//
// When the system is quiescent:
//
//   - HaltReaches: no process of a halted attempt runs.
//   - NobodyWaits: each host has finished, or the task layer has ended the attempt there.
//
// Once faults end: Halts, a halted attempt runs nowhere any more; Finishes, each attempt ends.
//
// # Assumptions
//
//   - The task layer ends the attempt everywhere if it ends it at one node: after the crash of a
//     host, of the representative, or when it is revoked. Otherwise the others wait forever: model
//     muster/limit-no-end.
//   - A message reaches the instance of its attempt, at the incarnation that it names. Otherwise a
//     host could receive the rank of another attempt. No model covers that.
//   - The driver answers EventPermit, EventOutcome, EventHalt and EventKeep. Otherwise the attempt
//     waits forever.
//   - A process that has ended has left no other behind. Otherwise HaltReaches does not cover the
//     processes that it left.
//   - Messages may be dropped, duplicated, delayed and reordered, but are not forged.
package muster
