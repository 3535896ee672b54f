// Package placement describes systems of [protocol/placement]: a node, the jobs about which it
// decides, and the world around them, which is the custodians of the jobs and the grid. The world
// is part of the node's state. Timers let it act, and each gives the core the command that the
// driver would give.
//
// # Guarantees
//
// In every state:
//
//   - InHands: a job that waits for an attempt is in line, in the grid or pausing, with the timer
//     that ends that.
//   - OneSubmission: of a job's submissions whose owners are known, all but the latest are revoked.
//     It holds for each view of the custodians: another custodian has its own submissions.
//   - TurnsUsed: no turn is free while a job waits for one, and no job that pauses has a turn.
//   - TurnsFair: after a search in vain a job gets its next turn after all jobs that are in line
//     when it returns. So jobs that no node can hold keep no other from running.
//   - TimersKept, ListsKept, TicketsOnce: rules of each step.
//
// When the system is quiescent:
//
//   - AllEnd: all jobs have ended, and the grid has no submission.
//
// In the end:
//
//   - HandedOn: a job about which no node decides any more gets another that does.
//   - TurnComes, RestEnds, Runs: a job gets its turn, pauses no longer, and gets the permit.
//
// With one job these four hold on every fair run. Where jobs share turns the models show less: from
// every state a run leads there. All timers of a node are one class of actions, and fairness is
// about classes.
//
// [Site.Broken] and [Chronicle] check runs of other drivers, such as package sim/placement.
//
// # Assumptions
//
//   - Owners that are asked answer, or their deaths are observed: model placement/limit-mute.
//   - Only the order of tickets and rounds counts. They grow without end, so the models number them
//     again after each step.
//
// [protocol/placement]: https://pkg.go.dev/github.com/canvass-grid/canvass/protocol/placement
package placement
