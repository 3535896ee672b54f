// Package muster simulates attempts at parallel jobs: package protocol/muster with the world around
// it (package model/muster), in virtual time.
//
// # Usage
//
// Take the scenarios from [Scenarios], or run "canvass simulate 'muster/*'". A run is one attempt.
// Its hosts, its representative, and the fates of its processes are drawn from the shape of the
// plan.
//
//   - muster/halts: one to six hosts. Processes end, fail, cannot be started, or run until they are
//     ended; the custodian may refuse; the client may cancel. Message faults are heavy.
//   - muster/crashes: the same, and nodes crash, or the task layer ends the attempt at a node. The
//     task layer ends the attempt at the other nodes half a second to five seconds later.
//
// When faults stop, the client cancels what still runs.
//
// # Guarantees
//
// Checked after every step, with the monitor of the models: AllOrNone, AskedOnce,
// NoGoWithoutPermit, RanksOnce, StartsOnce, StatusesTrue, OutcomeBeforeFinish, OutcomeOnce,
// EndKills, TimersKept, ListsKept, MessagesFit. In the quiescent state at the end:
//
//   - HaltReaches: no process runs.
//   - NobodyWaits: the attempt has ended at every node that runs.
//
// # Assumptions
//
// Those of package model/muster. A node that crashes does not come back.
package muster
