// Package checker implements an explicit-state model checker: it decides properties of a finite
// transition system by visiting every state that can be reached.
//
// It is independent of protocols. A [Model] has initial states and a function that lists the
// successors of a state. [Check] returns a [Report]: for each property a [Verdict] and, if the
// property is violated, a shortest [Path] that shows it. The properties have seven shapes:
// [Always], [Sometimes], [Quiescent], [LeadsTo], [Reaches], [AlmostSurely], and [DeadlockFree],
// which is checked of every model.
//
// # Usage
//
//  1. Describe the model. [Of] makes one of plain Go values and functions: initial states, Next and
//     properties are enough. Give it at least one Sometimes, which fails if nothing happens.
//  2. Call [Check] with a context that bounds the time.
//  3. If there is an error, correct the model: a [PanicError] has the path to the state where the
//     model panicked.
//  4. Print the [Report], or look at [Report.Verdict], and at Stopped if it is [Inconclusive].
//  5. Look at the Cases of each outcome and at [Report.Actions]: a property without cases holds
//     vacuously, and an action without transitions never happened.
//
// The Example is a complete program. In a Go test, package model/checktest does steps 2 to 5.
//
// # Guarantees
//
//   - Exact: with the default storage different states have different keys, so no state is lost to
//     a collision. Other storages report the probability ([Report.CollisionBound]) or their
//     coverage.
//   - Honest: [Holds] means that every reachable state was found and expanded, or, for Sometimes,
//     that a witness was found. A property that an early end leaves undecided is [Inconclusive],
//     and [Report.Stopped] is the reason.
//   - Shortest: in order [BreadthFirst] no path to a violation of Always, Quiescent or
//     DeadlockFree, or to a witness, has fewer steps. The same is true of the part before the loop
//     for LeadsTo, and of the path to the first state that cannot reach a goal for Reaches and
//     AlmostSurely.
//   - Repeatable: with the default storage, verdicts, counts, depth and paths are the same in every
//     run with any number of workers, unless memory, time or an interrupt ends the check early.
//   - Exact on cycles: LeadsTo is decided on strongly connected components, under weak and strong
//     fairness. Paths that join states visited before, and cycles, are no blind spots.
//   - Replayable: each step of a path is a transition of the model, named by its index in the order
//     of Expand, and a loop closes.
//
// # Assumptions
//
//   - The model is finite, or bounded by the options. Otherwise the check ends when a limit is
//     reached, and is Inconclusive.
//   - A state is its vector: nothing outside it matters. If a [Worker] depends on a clock, on
//     random numbers or on earlier calls, states are missed. The engine notices some of that and
//     returns a [ContractError].
//   - Expand lists successors in an order that depends only on the meaning of the state, and not on
//     ids or the iteration of a map. Otherwise counts and paths differ from run to run; verdicts do
//     not.
//   - Declarations of a model for reductions ([Confluent], [Symmetric]) are true. Otherwise
//     verdicts may be wrong: compare checks of small bounds with and without [Options.Reduce].
//   - [Options.MemoryLimitBytes] leaves room for uncounted memory: the garbage of the runtime and
//     the page cache. Otherwise the system may end the process.
//   - The temporary folder has room. Otherwise states stay in memory. If what was written cannot be
//     read back, Check returns an error.
//
// Fairness, storages, orders, reductions, checkpoints and the way the engine works are described in
// docs/checker.md.
package checker
