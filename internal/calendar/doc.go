// Package calendar has the queues of future events that simulators, schedulers and drivers share.
//
// # Usage
//
// Take a [Heap] in general. Take a [Queue] for millions of events that are due within seconds of
// each other, as messages in flight are: its cost does not grow with their number.
//
// # Guarantees
//
//   - Ordered: the earliest event comes first. Events of one time are ordered by [Event.Order] in a
//     [Heap], and by the order of pushing in a [Queue].
//   - Lean: neither allocates memory for a single event, as package container/heap does.
//   - Quick: pushing and popping take logarithmic time in a [Heap] and constant time in a [Queue].
//
// # Assumptions
//
//   - One goroutine uses a queue.
//   - Times are whole numbers of one unit. In a [Queue] they are microseconds: see there.
package calendar
