// Package can simulates networks of the CAN core (package protocol/can) and checks them against the
// properties of its models (package model/can), with the predicates of the models.
//
// # Usage
//
// Run the scenarios of [Scenarios] with a sim.Campaign:
//
//   - can/steady: up to 40 members that send only updates, under message faults and clock drift.
//     Nothing may change.
//   - can/churn: joins, leaves, crashes and restarts, each a Poisson process with its own rate.
//   - can/faults: the same, while messages are dropped, duplicated and delayed by up to ten
//     seconds, nodes are slow and clocks drift.
//   - can/partition: the same, while the network is partitioned, in one direction or both, and
//     heals.
//   - can/bursts: up to ten nodes, and two to four joins, leaves and crashes at once, again and
//     again, under heavy message faults. Some crashes hit the next node that decides a round,
//     within a second, often before all others have the decision.
//   - can/duels: one to seven members, and one burst of joins and leaves. Crashes are triggered by
//     it: the node that decides, executes or promises next crashes, or a node that it knows, at
//     once or a little later. Some nodes receive nothing for a while. Messages are delayed by up to
//     ten seconds, in half of the runs only those of some nodes. The space has at most two
//     dimensions, so that not all nodes are neighbours.
//   - can/young: the same in a row of one to three members, with three to seven joins (rarely
//     leaves) within seconds. Old messages describe a map that has changed almost completely.
//   - can/holes: four to ten members, of which one to three crash at once. More crashes are
//     triggered by the takeovers.
//   - can/losses: three to eight members, a few of which crash, leave or join. More crashes are
//     triggered by the takeovers, each as soon as the map is whole again: every zone has a running
//     owner with its neighbours in view, and no node is in a round.
//   - can/models: the maps and commands of the checker's models that hold (model/can.Settings), at
//     drawn times. Half of the leaves and crashes are triggered by a round of the node. Crashes
//     follow each other as in can/losses.
//   - can/orphans: one to three members that two or three nodes join, one after the other. A member
//     crashes soon after it has decided to admit a joiner, and the joiner may receive nothing in
//     the meantime. Messages are duplicated and delayed by up to twenty seconds; most runs drop
//     none.
//   - can/walks: walks without a clock (package sim/random) through a model of the catalogue, or
//     through a drawn map of two to six members, with at most two joins, two leaves and two
//     crashes. The map has no virtual dimension. Crashes come as the models allow them.
//   - can/large: 20 to 40 members and more changes at a time, under message faults.
//   - can/limit-adjacent-failures: can/churn, but adjacent nodes may crash at once, which no such
//     protocol survives. Its violations are expected.
//
// The space is drawn as well: one to four dimensions of 4 to 2^20 points, with a virtual dimension
// or without. So are latencies: constant, uniform, exponential or asymmetric. When faults stop,
// latencies are exponential with a mean of 50 ms, and the map must become quiescent within 300 s.
//
// Scenarios of cores that build on the map use a [Map] as a part of their oracle. For measurements
// of large networks, [Steady] returns a quiescent one, and [Founders] computes its states.
//
// # Guarantees
//
// Checked after every step that changed something:
//
//   - NoConflict, NoOverlap, OwnerInside, CancelledStays, OneCommand, Truthful, ViewsFit: as in
//     package model/can.
//   - NoOldNews: no record of another node is replaced by an older one, by its version or its
//     epoch. The model's rule of that name demands more.
//   - Unfenced: no node is notified that others consider it dead. This is the simulator's own,
//     because the models allow false suspicions.
//   - OneRound: a node that has promised to a round takes part in no other round. This is the
//     simulator's own, because it compares two consecutive states.
//
// Checked in the quiescent state at the end:
//
//   - NobodyBusy, NoGap, NeighboursKnow, ViewsAgree, Routable: as in package model/can. With more
//     than 16 owners an index of zones replaces the comparison of each with each, and 1,000 routes
//     are checked.
//   - Converges: every join and every leave has been granted in time. The models have Granted
//     instead, under fairness.
//
// # Assumptions
//
//   - Failure detection is accurate, as the core requires, even during a partition: a node that
//     cannot be reached has not failed. A driver gets that with leases. So a partition delays
//     changes, and no live node is taken over.
//   - Of two adjacent nodes at most one crashes until no node has anything to do with the crashed
//     one any more; in can/losses and can/models until the takeover is complete, which is all that
//     the core requires. The zone of a crashed node includes zones that it was granted without
//     having been notified. can/limit-adjacent-failures shows the failure otherwise.
//   - A joiner counts as adjacent to the owner that admits it, and a leaver to its takers.
//   - At least two other members stay when a node crashes, and one when a node leaves; in the
//     scenarios of small maps one, and none. A crash that is not allowed yet waits until it is.
//   - An application whose contact is gone names another one within three seconds.
package can
