// Package sim is a deterministic world for protocol cores: a network that delays, loses, repeats
// and cuts, disks that keep only what was persisted, nodes that crash and come back, clocks that
// drift, all in virtual time and all drawn from one seed. It runs the very cores that the checker
// explores (contract: package protocol), where the checker does not reach: many nodes, long runs,
// real latencies.
//
// # What is in it
//
//   - [Cluster] is the event loop: nodes of any core, a virtual clock in microseconds, a queue of
//     events, a [Network]. One goroutine drives it.
//   - [World] is a kind of run: it draws a [Plan] from a seed and makes the run of a plan, to a
//     verdict. Package sim/can has the worlds of the CAN, sim/refine those of the refinement,
//     sim/reptask those of tasks, sim/peer those of the whole grid, sim/store those of registers on
//     the map; package sim/catalog lists all worlds.
//   - [Play] is what runs of all worlds have in common: faults stop, the world must come to rest, a
//     [Judge] is asked.
//   - [Campaign] runs worlds on many seeds, some of them twice; [Shrink] cuts a plan that violates
//     a property down; [Machine] makes the run of a plan again, action by action, so that a trace
//     of it can be kept and replayed.
//   - [Measured] names measured latencies in a plan, by file and digest. This package opens no
//     file: whoever runs such a plan reads the file with package sim/latency and puts it into
//     Plan.Sites.
//
// # Guarantees
//
//   - Deterministic: equal plans give equal runs, on every machine and with any number of workers:
//     no map is ranged over on the way to an effect, all arithmetic is on integers, and random
//     numbers are those of PCG. A campaign holds itself to that: a share of its seeds runs twice,
//     and the digests of all actions and of the end must be equal.
//   - Local: what is drawn at a node depends on the seed and on what that node did, and the fault
//     of a message on its sender and number alone. So taking one thing away from a plan changes
//     little else, which is what makes shrinking work.
//   - Faithful: outputs are obeyed in the order of the contract. A message is delivered only to the
//     incarnation that it is addressed to; a crash leaves nothing of a node but the bytes that it
//     persisted; choices are answered before anything else happens to the node.
//   - Kept: what a campaign finds is told at once, with its plan.
//
// # How it is fast
//
// A step is a function. If [Config.Unchanged] can tell that a step led back to the state that it
// came from, its output is remembered, and the same input in the same state is answered from
// memory. A sign of life whose only effect is to set a timer afresh then costs a look at two short
// lists. In a network at rest, where nodes tell their neighbours once in a while that all is as it
// was, nearly all messages are of that kind. Whatever is new is stepped by the core. The queue is a
// calendar: an event costs the same however many there are. Setting a timer again moves its time
// and leaves the queue alone.
//
// # Assumptions, and what is not modelled
//
//   - A step takes no time, and neither does a disk: what is persisted is safe before anything is
//     sent. Bandwidth is not modelled, nor are messages larger than others.
//   - Timers measure the node's own clock, which is wrong by a constant part ([Config.DriftPPM]).
//   - That no seed violates a property says nothing about other seeds. Only package checker proves,
//     within its bounds.
//
// # What a caller does
//
// To run worlds: take them from package sim/catalog and give them to a [Campaign]; shrink what it
// finds; or use the command, canvass simulate. To write a world: a [Scene] draws its plans, makes
// their runs, and says what these are held to and what their texts mean. A [Judge] that is a
// [Sketcher] adds a map to pages. For a run describe nodes and network in a [Config], make a [Play]
// with [NewPlay], place whoever is there from the beginning, Begin, Schedule the operations, look
// at states from [Config.Told], and Finish.
package sim
