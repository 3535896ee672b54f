// Package can simulates networks of the CAN core (package protocol/can) and holds them to the
// properties of its models (package model/can), by the very predicates that the models use.
//
// # The worlds
//
//   - can/steady: up to 40 members and nothing but updates, under loss, repetition, delay and
//     drifting clocks. Nothing may change.
//   - can/churn: joins, leaves, failures and returns under new incarnations, each a Poisson process
//     of a rate of its own.
//   - can/faults: the same while messages are lost, repeated and late by up to ten seconds, nodes
//     are slow and clocks wrong.
//   - can/partition: the same while the network falls apart and heals, in both directions or in
//     one.
//   - can/bursts: up to ten places, and two to four joins, leaves and failures at once, again and
//     again, under more of all of that. Some failures strike whoever decides a round next, within a
//     second, often before all others know of it.
//   - can/duels: one to seven members, nodes that join and members that leave, once. Then failures
//     follow on what is done: whoever decides, executes or promises next fails, or one that it
//     knows, at once or a little later; and of a part of the nodes the others are not heard while a
//     round lasts. Messages are up to ten seconds late, of some nodes only in half of the runs. The
//     space has at most two dimensions, so that not everybody is everybody's neighbour.
//   - can/young: the same in a row of one to three members that three to seven join or leave,
//     mostly join, within seconds: old news is of a map of which little is left.
//   - can/holes: four to ten members, and one to three that fail at once; failures follow on
//     takeovers as there.
//   - can/losses: three to eight members, a few of them fail, leave or join, and failures follow on
//     takeovers as there, each as soon as the map is whole again: every zone has an owner that runs
//     and knows its neighbours, and nobody is in a round. Others may have yet to hear of that.
//   - can/models: the maps and the orders of the checker's models that hold (model/can.Settings),
//     each with its joins, leaves, failures and returns at drawn times. Half of the leaves and
//     failures follow on a round in which the node has a part. The failures come as in can/losses.
//   - can/orphans: one to three members that two or three nodes join, one after the other. Who lets
//     one in fails as soon as that is decided, or a little later, and the joiner may hear nothing
//     meanwhile. Many messages come twice or late, by up to twenty seconds, and in most of the runs
//     none is lost.
//   - can/walks: a model of the catalogue, or two to six members, at most two who join, leave or
//     fail, and a few faults, without a clock: walks through the actions of the checker (package
//     sim/walks). The map has no virtual dimension. Failures come as the models let them: with more
//     than one, the next comes when nobody has anything to do with the last, or every zone has an
//     owner that runs and knows its neighbours.
//   - can/large: 20 to 40 members, more changes at a time, under all of that but partitions.
//   - can/limit-adjacent-failures: as can/churn, and adjacent nodes may fail at once, which no such
//     protocol survives. It is declared to be violated.
//
// The space is drawn, too: one to four dimensions, sizes from 4 to 2^20, with a virtual dimension
// or without; and so are latencies: constant, uniform, exponential, asymmetric (but for can/walks).
// When faults stop latencies are exponential with a mean of 50 ms, and the world must converge
// within 300 s.
//
// # What is demanded
//
// After every step that changed anything: NoConflict, NoOverlap, OwnerInside, CancelledStays,
// OneCommand, Truthful, ViewsFit, as package model/can defines them; Unfenced: nobody is told that
// others hold it for dead; and of steps, which the states of a model do not show, OneRound: who has
// promised takes part in no other round until the promise is over; and NoOldNews: no record that a
// node has is replaced by an older one, by its zone's number or its epoch. Overlaps are looked for
// where a zone has changed. When faults have stopped: NobodyBusy, Converges (every join and leave
// is granted), NoGap, NeighboursKnow, ViewsAgree, Routable. Worlds of more than 16 owners are
// decided at rest through an index of zones, not by comparing everybody with everybody, and of
// their routes a thousand are walked.
//
// # Assumptions
//
//   - Failure detection is accurate, as the core demands: a timer that finds a failure fires only
//     for a node that runs no more. In a partition, too: a node that cannot be reached is not a
//     node that failed. A driver gets that with leases. So a partition holds changes up, and buries
//     nobody.
//   - Of two adjacent nodes at most one fails until nobody has anything to do with the failed one
//     any more; in can/losses and can/models until the takeover is complete, which is all that the
//     core demands. The zone of a failed node is what it owned or was granted, whether it knew or
//     not.
//   - A joiner counts as adjacent to the owner that admits it, and a leaver to its takers. At least
//     two members that do not want to leave remain beside who fails, and one beside who is ordered
//     to leave; in can/bursts, can/models, can/duels, can/young, can/orphans and can/holes one, and
//     none. In the latter four a failure that is not allowed yet happens within a fifth of a second
//     of when it is, in can/losses and can/models at the very step.
//   - An application whose contact is gone names another one, within three seconds.
//
// # What a caller does
//
// Run the worlds of [Worlds] with a sim.Campaign. For measurements of large networks, [Steady]
// founds one at rest; [Founders] works out the states that the core would have come to.
package can
