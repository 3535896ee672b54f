// Package random builds scenarios without a clock: walks through the states of a closed system of
// package model, whose actions are those of the checker. The checker explores every state of a few
// systems. A walk scenario draws the system as well, and looks at a few thousand states of each, so
// it meets maps and schedules that no model has.
//
// # Usage
//
// Describe a [Scenario], and [Scenario.Build] it: how a plan is drawn, with [DrawFaults] for the
// faults, and how its system is made, with [BudgetOf] and [NodesOf]. Operations that are steps
// (sim.Op.IsStep) are not part of the system.
//
// A plan without a list of faults leaves the choices to its seed. Then the run is [WalksPerSeed]
// walks of the checker (package checker, orders RandomWalk and PCT). In half of the seeds all
// enabled actions are equally likely. In the others actions have priorities, which change one to
// seven times (probabilistic concurrency testing, Burckhardt and others, 2010). A walk ends when no
// action is enabled, or after [LongestWalk] steps.
//
// A walk that violates a property becomes operations of the plan, one for each action: its kind,
// its node, and hashes of its subject. A plan with such operations and an empty list of faults
// leaves nothing to chance. Each operation takes its action if that is enabled, or else another of
// its sort (the same node and peer, and the same first word of the text), or else none. At the end
// everything that cannot be postponed happens: messages arrive, choices are made, timers fire. So
// sim.Shrink can remove actions as it removes joins and crashes.
//
// # Guarantees
//
//   - The properties of the system that concern single states are checked, with the predicates of
//     the models: Always in each state, Quiescent in each quiescent state, and no deadlock.
//   - Liveness is not checked. Sometimes requires nothing of a single run.
//
// # Assumptions
//
//   - There is no time: not how late a message arrives, only in which order. Timers fire as the
//     model allows (model.System.Due).
//   - A run has no latencies, so --latency changes nothing. Messages are delivered but not counted.
package random
