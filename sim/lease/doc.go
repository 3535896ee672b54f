// Package lease simulates grids of nodes that hold leases: package protocol/lease with its driver
// (package model/lease), in virtual time, with clocks that run too fast or too slow.
//
// # Usage
//
// Take the scenarios from [Scenarios], or run "canvass simulate 'lease/*'". A run has one to seven
// nodes. The first one, three or five of them are witnesses, and hold leases as the others do.
//
//   - lease/outages: nodes crash and come back, also witnesses. Nodes ask for others at any time.
//   - lease/partitions: the same, and the network is divided for some time.
//
// A node that is fenced begins its next incarnation after up to three seconds. When faults stop,
// all nodes come back.
//
// # Guarantees
//
// Checked after every step, with the monitor of the models: NoFalseDeath, DeadStays, ClosedStays,
// OneLife, OneFounder, OneGeneration, EntersThroughMembers, TimersKept, ListsKept, MessagesFit. At
// the end:
//
//   - Settles: all nodes are in one grid.
//
// # Assumptions
//
// Those of package model/lease, but for its bounds and its rule about time. Here a timer fires when
// the clock of its node says so. The clocks differ by at most a tenth of a percent.
package lease
