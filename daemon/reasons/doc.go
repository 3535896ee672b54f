// Package reasons explains in sentences why a job waits, or at which stage it is: the answer to
// canvass why. It is computed from the record of the job and the reports of all nodes alone: this
// package asks no daemon, and has no state.
//
// # Usage
//
// [Missing] and [Without] are about the custodians for which a job waits, and [Of] is everything
// else.
//
// # Guarantees
//
//   - Ordered: the most likely reason comes first.
//   - Bounded: of many hosts, or nodes that take no tasks, a few are named.
//
// # Assumptions
//
//   - The record is the freshest that can be had. Nothing is guessed beyond it.
package reasons
