// Package placement simulates [protocol/placement]: a node decides about up to 32 jobs that share a
// few turns. The grid finds owners or finds none; it loses submissions, and owners die. The node
// crashes, and decides about its jobs again when it is back.
//
// # Guarantees
//
//   - Checked after every step, as in package model/placement: InHands, OneSubmission, TurnsUsed,
//     TurnsFair, TimersKept, ListsKept and TicketsOnce.
//   - Checked at the end: AllEnd. Every job that nodes can hold has ended.
//
// # Assumptions
//
//   - The world is that of the models, with a clock. The models are smaller: they have at most
//     three jobs, and no search takes longer than a pause.
//
// [protocol/placement]: https://pkg.go.dev/github.com/canvass-grid/canvass/protocol/placement
package placement
