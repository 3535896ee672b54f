// Package sim runs protocol cores in a deterministic simulation: a network with latencies, faults
// and partitions, disks, crashes and restarts, and drifting clocks, all in virtual time and all
// drawn from one seed. The checker explores the same cores (contract: package protocol).
// The simulator goes where the checker cannot: many nodes, long runs, real latencies.
//
// # Usage
//
// To run scenarios, take them from package sim/catalog and pass them to a [Campaign], or use the
// command: canvass simulate. [Shrink] reduces a plan that violates a property. A [Machine] replays
// the run of a plan action by action, so that it can be recorded as a trace.
//
// To write a scenario:
//
//  1. Fill a [Scenario]. [DrawFrom] draws its plans; functions such as [DrawRates] and [DrawBursts]
//     draw what scenarios share.
//  2. Describe nodes and network in a [Config], and call [NewRun] with an [Oracle] that checks the
//     properties. An oracle that is a [Sketcher] adds a map to pages.
//  3. Start or place the first nodes, and call [Run.Begin].
//  4. Schedule the operations of the plan ([Run.Schedule]), and pass each step to the oracle
//     ([Config.OnStep]).
//  5. Return the result of [Run.Finish]. It stops all faults and requires the run to become
//     quiescent.
//
// To drive nodes by hand, use [New]; the example of [Simulation] shows how. To run a plan with
// measured latencies, read the file with package sim/latency and set [Plan.Sites]: this package
// opens no file.
//
// Each protocol has a package of scenarios: sim/can, sim/refine, sim/reptask,
// sim/peer, sim/store, sim/muster, sim/custody, sim/lease, sim/placement and sim/dtm. Those of
// whole daemons are in sim/daemon. Package sim/random builds scenarios without a clock.
//
// # Guarantees
//
//   - Deterministic: equal plans give equal runs, on every machine and with any number of workers.
//     All arithmetic uses integers, and random numbers come from PCG. A campaign checks it: some of
//     its seeds run twice, and the digests must be equal.
//   - Local: draws at a node depend only on the seed and on that node's history, and the fault of a
//     message only on its sender and number. So removing one thing from a plan changes little else,
//     and plans shrink well.
//   - Faithful: outputs are applied in the order of the contract. A message is delivered only to
//     the incarnation that it is addressed to. A crash leaves only the bytes that the node
//     persisted. Choices are answered before anything else happens at the node.
//   - Suspicious: a sample of calls is made twice, and their arguments are compared before and
//     after. A function that changes them, gives another answer, panics, makes its goroutine exit
//     or contradicts itself is named, in a result that violates [PanicProperty] ([Try]).
//   - Saved at once: a campaign reports each finding, with its plan, before it goes on.
//
// # Assumptions
//
//   - A function of a scenario returns. A run cannot interrupt it; it stops steps within steps, and
//     scheduled calls that let no time pass.
//   - A step and a disk write take no time: a step's writes are safe before anything is sent.
//     Delays of a slow disk are not found.
//   - Bandwidth and message sizes are not modelled. Losses by congestion are not found.
//   - Timers follow the node's own clock, whose error is constant ([Config.DriftPPM]). Clocks that
//     jump are not modelled.
//   - No number of seeds proves a property. Only package checker proves, within its bounds.
//
// # Speed
//
// A step is a function of state and input. If [Config.Unchanged] reports that a step led back to
// the same state, its output is cached, and the same input in the same state is answered from the
// cache. A heartbeat whose only effect is to set a timer again costs a look at two short lists. In
// a quiescent network nearly all messages are heartbeats. The event queue is a calendar queue: an
// event costs the same however many there are. Setting a timer again changes its time but not the
// queue.
package sim
