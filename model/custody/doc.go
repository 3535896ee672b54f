// Package custody builds the closed systems in which package protocol/custody is model-checked: the
// custodians of one job, with the events that reach their drivers: requests of attempts and hosts,
// certificates of death, the client and the operator.
//
// # Usage
//
// Pass [Models] to the checker, or run "canvass check 'custody/*'". Package model/catalog joins all
// families. An [Agent] is the core with the world around it; package sim/custody runs it, too.
//
// # Guarantees
//
// The monitor records announcements and the facts of the world, also of nodes that have crashed:
// which incarnations have ended, and at which hosts an attempt runs no more. In every state:
//
//   - AckedKept: every announcement is on the disks that must come back (one of one, both of two,
//     any two of three), and in the record of each primary.
//   - PrimaryOnce: two custodians that run are never both primary.
//   - OnePermit: an attempt is permitted only if no task of another permitted attempt runs.
//   - OneOutcome: a job ends once, and with the outcome of a permitted attempt if with any.
//   - CancelFinal: no attempt is permitted after a cancellation was announced.
//   - OverStays: a job that has ended is not submitted or permitted again.
//   - NothingRuns: when the end is announced, nothing of the job runs.
//   - ForgottenLast: a job is forgotten only when it has ended on the disks of all custodians.
//   - TimersKept, ListsKept, MessagesFit, AnswersKept: rules for every step (package
//     model/contract).
//
// In every quiescent state:
//
//   - NobodyWaits: the job has ended, or no custodian has it, or a running custodian names a dead
//     one for which it waits. No custodian waits for another that has forgotten the job.
//
// In the end, under weak fairness:
//
//   - Ends: an accepted job comes to that. Larger models do not check it.
//
// The witnesses EndsWell, HeirEnds, HeirTakes, Retries, IsCancelled, IsExhausted and IsForgotten
// must each happen in some run of a scenario that is meant to show them.
//
// # Assumptions
//
//   - An event reaches a driver at any time when the facts allow it and it makes a difference: a
//     refused attempt may deposit an outcome, a report may be late. Each is a timer of the [Agent],
//     so that it is weakly fair. The client hands the job in at the first custodian; in the models
//     with an heir the second one wants it, too.
//   - One further node, the grid, stands for all hosts. It does not crash.
//   - Certificates are true: custody/limit-false-death is an expected failure. Disks come back:
//     custody/limit-last-to-fail is one.
//   - Messages reach any incarnation of their receiver, except an incarnation that was down when
//     they were sent.
//   - A message is resent when nothing to or from the custodian is in flight. Earlier is a
//     premature timeout, a fault of the spurious budget.
//   - Of three custodians the first one does not come back in these models: two leaders at once
//     have too many states. Package sim/custody covers that.
package custody
