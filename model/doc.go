// Package model closes a protocol core into a system that can be checked: processes that run the
// core, a network that reorders freely and loses or repeats what a budget allows, crashes and
// restarts, and the properties that are to hold.
//
// A [System] is a plain description. [System.Compile] makes a [Checkable] of it: its Model goes to
// package checker, its Machine to package traces, and both speak of the same actions in the same
// order.
//
// # Guarantees
//
//   - SameCode: what is explored is the core's own Step, executed on the core's own states. Nothing
//     is abstracted.
//   - EachStepOnce: a step is worked out once for each distinct pair of a node's state and an
//     input, in all of a check; all else is table look-ups on interned components. That is sound
//     because Step is pure: it changes nothing that it is given, and looks at nothing else. The
//     former is tried with every step, the latter with the first steps of a check, and one in
//     sixteen later. So is, in some of the first steps, whether states that AppendState gives the
//     same bytes come out the same.
//   - NothingAskedTwice: a predicate that does not look at what is in flight is not asked again
//     about states that differ in that alone. That is sound if it is a function of the GlobalState,
//     as it has to be.
//   - AllOrders: every message in flight can be the next to arrive. No channel is ordered.
//   - Endless: under a budget that says Repeat, what has arrived can arrive again at any later
//     time, as often as it likes, as long as its receiver is there. It is no fault that runs out,
//     and nothing waits for it. So that answers to what comes again are not without end, equal
//     messages on their way at once are one, if they can come again.
//   - BudgetedFaults: losses, repetitions, early timers, crashes, restarts and false suspicions
//     happen wherever they can, as often as the budget says and no more.
//   - Reproducible: the actions of a state and their order depend on its meaning alone, so a trace
//     is a list of indexes, and texts that people can read.
//
// # Assumptions, and what is not modelled
//
// A run begins when all processes have been started, or after the prelude if there is one; what
// they sent and announced at their start is part of it. Time is not modelled. A timer fires when
// the system's Due rule says that what it waits for will not come any more, or else as a fault
// (spurious). A measurement ends at any time while the measured process runs, with one of the
// latencies that the system lists. A message to a process that is down, has ended, or is another
// incarnation vanishes when it is sent, or when that process goes. A crash happens between two
// steps: what a step persisted, sent and announced is one. Messages are not forged. A message that
// its receiver ignores is used up, unless the system says that it is kept (KeepIgnored).
//
// # Fairness, and rest
//
// The classes of a model's actions (checker.Class) are the kinds of actions at each node:
// deliver@B, timeout@A. Deliveries, timers, choices and measurements are weakly fair: a run cannot
// put them off for ever while some action of the class is enabled all the time. That is so for each
// node, not for each message: a node that always has mail takes some of it, and a message may wait
// for ever behind others. A property that needs each message to arrive in the end asks for
// AlmostSurely instead of LeadsTo. Commands, faults and repetitions are Finite: a run may end
// without them. A system is at rest, for Quiescent, when no fair action is enabled: orders may
// still come.
//
// # Reduction and coverage
//
// A system may name deliveries that are confluent ([System.Confluent]); a check that asks for
// reductions then takes them first, each only after it was seen to commute with all that its
// receiver could do instead. It may also say which nodes are interchangeable ([System.Symmetry]);
// one state of each orbit is explored then, and whether the nodes are what is said of them is tried
// as the check goes. Where a property or the budget does not allow either, the report says so. The
// models are [Coverer]s: they tell what happened in a check, and what they provide for and never
// happened. They can be kept in checkpoints.
//
// # Pages
//
// A machine draws its nodes and messages for pages about a run (traces.Drawer); [System.Draw] adds
// a map and remarks, and [Info.Words] explains the words of the texts.
//
// # What a caller does
//
// Write a core, or for a start a step function on plain values, of which [Plain] makes one.
// Describe the system, Compile it, and pass Checkable.Model to checker.Check; or use the canvass
// command, which does that for the models in package model/catalog. [Trace] makes a trace of a
// counterexample.
package model
