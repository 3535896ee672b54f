// Package custody implements the durable record of a job: one instance for a job and a custodian. A
// job has R custodians, 1, 2 or 3 addresses that are fixed with it. They remember that the job was
// accepted, which attempt may run, and how it ended, even if the nodes that own or run it fail.
//
//	view.go   the views: who keeps the record, and who is the primary
//	job.go    the record: tries, permit, outcome, cancellation
//	timer.go  what is resent until it is answered
//
// The record is replicated by a primary in numbered views. The first custodian of the list that may
// run is the leader. It asks all others that may run for a promise, takes the newest record among
// the promises, and forms a view of the custodians that have promised. It is the view's primary.
// Its decisions are announced when all members of the view have them on their disks. A death, a
// restart and a return make a new view.
//
// docs/protocols/custody.md explains views and records with diagrams and examples.
//
// # Usage
//
// A driver keeps the instances by job. No message or state names the job, a command line or data.
// The example of this package keeps a job at three custodians.
//
//  1. Make a state with [New] and the present incarnation of the node. Give Start if nothing was
//     persisted for the job, and otherwise Restart with those bytes. In every later incarnation of
//     the node, do so for each job on its disk.
//  2. A custodian that receives a message about a job that it does not have makes an instance
//     first. It gives the message only when the job's description is on its disk, and a Copy only
//     when the bytes of the record's outcome are, too.
//  3. Deliver Hello and Prepare, which name no incarnation, to any incarnation of their receiver.
//     All messages may reach any incarnation. If a later incarnation of a custodian makes its
//     instances only when a message comes, all must.
//  4. Give CommandDead for each incarnation of a custodian that is certified dead, and for each
//     host of the record. Give it again, from time to time, while such an incarnation is in the
//     state, and upon EventLeads. A later incarnation proves the end of all earlier ones.
//  5. Give CommandAccept at the first custodian. Acknowledge the job upon EventAccepted. One
//     submission key is one job: the driver maps keys to instances. If the job was promised in
//     another way, such as an element of an array whose record lives on, and the first custodian
//     has died, give CommandAccept at the custodian that leads then.
//  6. Upon EventSubmit submit the job to the task layer, and remember the try. When the task layer
//     has given up that submission, give CommandTryOver. Back off as you like before you submit.
//  7. Give CommandPermit at any custodian when an attempt asks. Give CommandClosed when a host says
//     that nothing of an attempt runs there and nothing will, and CommandOutcome when an attempt is
//     over at all its hosts. The outcome's bytes are at all custodians before. Answer upon
//     EventPermitted, EventRefused, EventClosed and EventEnded. Upon EventElsewhere ask the
//     custodian that it names, and upon EventLater ask again later: one change is on its way at a
//     time. Each command may be repeated.
//  8. Give CommandCancel to end the job. Upon EventCancel halt its open attempt. Nothing of the job
//     runs any more upon EventEnded.
//  9. Give CommandForget at each custodian when the record is no longer needed. Upon EventForgotten
//     drop the description, and the instance when no older message can arrive any more. Do not
//     accept the same submission key again. Remember the name of the job: a custodian that has
//     forgotten it says so when it receives a message about it. Give CommandForgotten at the
//     custodian that receives that answer.
//
// # Guarantees
//
// The models of package model/custody check these properties within the bounds and fault budgets
// that each verdict states. In every state:
//
//   - AckedKept: every custodian that can become the primary has all announcements.
//   - PrimaryOnce: two custodians that run are never both primary.
//   - OnePermit: of the attempts that were permitted, at most one is not closed at all its hosts.
//   - OneOutcome: a job ends in one way, which never changes.
//   - CancelFinal: no attempt is permitted after a cancellation was announced.
//   - OverStays: a job that has ended is not submitted or permitted again.
//   - NothingRuns: when the end is announced, nothing of the job runs.
//   - ForgottenLast: a job is forgotten only when it has ended on the disks of all custodians.
//   - TimersKept, ListsKept, MessagesFit, AnswersKept: each step sets the timer that the state
//     demands, keeps fields within their roles, answers messages that want an answer, and announces
//     only committed decisions.
//
// When the system is quiescent: NobodyWaits, the job was accepted and has ended, or half of its
// custodians are down, and [State.WaitsFor] names one. Once faults end: Ends, each accepted job
// comes to that.
//
// # Assumptions
//
//   - A certificate of death is true: the incarnation does nothing more. Otherwise two custodians
//     can both be last: model custody/limit-false-death.
//   - Disks come back as they were. The last of two custodians to fail must come back, and of three
//     any two. CommandAcceptLoss overrides that for two, and loses what the other disk knew: model
//     custody/limit-last-to-fail.
//   - Each host of a permitted attempt is reported closed or dead in the end. Otherwise the job
//     waits.
//   - A forgotten instance receives no message of its time once it was dropped. Otherwise an old
//     copy could bring the job back: mutant custody-forgotten-comes-back.
//   - The custodians of a job never change. A custodian that does not come back leaves the job with
//     fewer copies, and its record is never forgotten.
//   - Messages may be dropped, duplicated, delayed and reordered, but are not forged.
package custody
