// Package muster builds the closed systems in which package protocol/muster is model-checked: the
// nodes of one attempt, with their drivers' views of the task layer, of the processes and of the
// custodian.
//
// # Usage
//
// Pass [Models] to the checker, or run "canvass check 'muster/*'". Package model/catalog joins all
// families. An [Agent] is the core with the world around it; package sim/muster runs it, too.
//
// # Guarantees
//
// The monitor records the drivers' data, also of crashed nodes: which task the task layer has
// started, the custodian's answers, which process runs, and how it ended. It compares the core's
// events with these facts. In every state:
//
//   - AllOrNone: a process runs only if all hosts were here, the permit was granted, and nothing
//     had been called off before.
//   - AskedOnce: the custodian is asked once, when all hosts are here and nothing was called off.
//   - NoGoWithoutPermit: nothing goes unless the custodian granted the permit before it was called
//     off.
//   - RanksOnce: each rank is given once, in the order of the hosts, with the same places.
//   - StartsOnce: a host starts at most one process, and none after it was halted or unfit.
//   - StatusesTrue: an outcome has the status that the driver of each rank gave.
//   - OutcomeBeforeFinish: no host finishes before the outcome is safe.
//   - ReasonTrue: an outcome is called a failure only if a task has failed by itself, and lost only
//     if a host has lost a task.
//   - OutputsKept: an outcome says that a task ended with 0 only if its outputs are safe.
//   - OutcomeOnce: there is one outcome, and it never changes.
//   - EndKills: no process runs where the task layer has ended the attempt.
//   - TimersKept, ListsKept, MessagesFit: rules for every step (package model/contract).
//
// In every quiescent state:
//
//   - HaltReaches: no process of a halted attempt runs.
//   - NobodyWaits: the attempt has ended everywhere, or a process runs.
//
// In the end, under weak fairness:
//
//   - Halts: once halted, no process runs any more.
//   - Finishes: the attempt ends everywhere. A model in which processes may run without end does
//     not check it.
//
// The witnesses Completes, Fails, HaltsRunning, HaltsWaiting, IsUnfit, IsLost, LosesRunning,
// IsUnkept, IsRefused and KillsRunning must each happen in some run of a scenario that is meant to
// show them.
//
// # Assumptions
//
//   - The world acts at any time, and always performs its duties: the task layer starts the tasks
//     and decides, the custodian answers, a halted process ends. Each is a timer of the [Agent], so
//     that it is weakly fair. Optional actions of a client are commands: to cancel, to end the
//     attempt.
//   - The task layer ends the attempt at all nodes once a node has crashed or the attempt was ended
//     at one of them, and at a node whose tasks have all finished. muster/limit-no-end is an
//     expected failure: without that a host waits forever.
//   - A node that crashes does not come back. Its later incarnation has other instances.
//   - The process of a node that crashes is gone.
//   - A message is resent when nothing to or from the node is in flight. Earlier is a premature
//     timeout, a fault of the spurious budget.
package muster
