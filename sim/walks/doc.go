// Package walks makes runs in which no clock decides what happens next: walks through the states of
// a system of package model, whose actions are the checker's. Where the checker looks at every
// state of a few systems, a world of walks draws the system as well, so that it meets maps and
// orders that nobody has thought of, and looks at a few thousand states of each.
//
// # What a run is
//
// A plan without a list of faults leaves the choices to its seed. Then the run is [WalksPerSeed]
// walks of the checker (package checker, orders RandomWalk and PCT): in half of the seeds each
// action that is possible is as likely as any other, in the others actions have priorities, which
// change one to seven times (probabilistic concurrency testing, Burckhardt and others, 2010). A
// walk ends where nothing is possible any more, or after [LongestWalk] steps.
//
// A walk that violates a property is turned into operations of the plan, one for each action: its
// kind, its node and hash values of what it is about. A plan with such operations and an empty list
// of faults leaves nothing to chance: each action that is possible when its turn has come is taken,
// or where that very one is not another of its sort (who does it, who else takes part, what its
// text begins with); the others are left out, and in the end what cannot be put off happens:
// messages arrive, choices are made, timers fire. So sim.Shrink can leave out actions as it leaves
// out joins and failures.
//
// # What is demanded
//
// What the properties of the system say of single states: Always in each, Quiescent in each at
// rest, no deadlock. They are those of the models, not copies. Liveness is not judged, and
// Sometimes is no demand on a single run.
//
// # What is not modelled
//
// There is no time: how late a message is, only in what order. A core's timers fire as the model
// lets them (model.System.Due). A run of walks has no latencies, so --latency changes nothing in
// it; it delivers messages, but does not count them.
//
// # What a caller does
//
// Describe a [World]: how a plan is drawn, with [DrawFaults] for what may go wrong, and how its
// system is made, with [BudgetOf] and [NodesOf]. Operations that are steps (sim.Op.IsStep) are no
// part of the system.
package walks
