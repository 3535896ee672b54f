// Package driver implements the loop around the cores of a daemon: one input at a time, their
// effects in the order of the contract (package protocol), and nothing sent before it is durable.
//
// # Usage
//
// A daemon makes a [Loop] over its [Environment], adds cores with [Add], and calls from one
// goroutine: Deliver, Command, Measured, Fire and Stopped queue an input; [Loop.Turn] takes queued
// inputs and due timers, commits, and then carries out the effects. Turn returns the time at which
// it wants to be called again.
//
// The package has no goroutine, clock, network or disk. A simulator can drive it as well.
//
// # Guarantees
//
//   - DurableFirst: no envelope, process or event of a step leaves before the bytes of that step
//     and of all before it are committed. If a commit fails, nothing of its batch leaves.
//   - InOrder: the effects of the steps are carried out in the order of the steps, and within a
//     step in that of the contract, except for effects that Killed holds back.
//   - Killed: if a step ends a process, the envelopes of its turn that the core names as held, and
//     all of them that come later, wait until [Loop.Stopped] says that the process has ended, also
//     those to the node itself. So a node never says that a process has ended while it runs.
//   - PendingOnly: a timer fires at most once each time that it is set. A timer that was cancelled
//     or set again while its expiry was due does not fire.
//   - Paced: timers of a kind of core that has a pace fire at most that often, on average, however
//     many of them are pending. Such a core may not count on a timer that fires soon.
//   - AnsweredFirst: a question of a core is answered before any other input.
//   - Bounded: queues, batches and held-back effects have limits, and reaching one is an error.
//
// # Assumptions
//
//   - One goroutine at a time calls the methods.
//   - After an error of Turn the caller ends the process: the state of the cores is ahead of the
//     disk.
package driver
