// Package refine builds the closed systems in which the refinement of clusters is model-checked
// (package protocol/refine; chapter 5 of Jackson, 2015), and those of the published algorithms
// (package protocol/published/refine). The properties see a node as a [View], for either core.
//
// # Usage
//
// Pass [Models] (corrected) or [Published] to the checker, or run "canvass check 'refine/*'".
// Package model/catalog joins all families. A system that is not in the catalogue is described by a
// [Setting] and built by its Compile. A [RunMonitor] checks a run of another driver.
//
// # Guarantees
//
// M is the membership bound, which counts a node's own cluster. N is the size bound, which counts
// the head. In every state:
//
//   - MembershipBound: no node is committed to more than M clusters, its own included.
//   - SizeBound: no cluster that a node knows has more than N members.
//   - Measured: in every cluster that a node knows, both ends of each pair have measured each other
//     to be within the diameter, after the round of the cluster began and before it ended. The
//     monitor checks this against the measurements themselves, not against the core's records.
//   - HeadKnows: a client that is committed to the present cluster of a head is a member of it.
//   - RemovedIsGone: a member that is removed within a round has stopped.
//   - Advertises: a node advertises its own cluster or a cluster that it is committed to, and it is
//     a member of it.
//   - AwarenessBound: the clusters of a node have at most 1+M(N-1) nodes together (appendix A).
//   - Prefers (where a criterion prefers one head, without crashes and premature timeouts): a
//     client that denied the preferred head keeps no other suitor waiting.
//
// In every step of the corrected core, in any environment of the node (contract.go):
//
//   - TimersKept: a node sets the timers that it waits for, each for its time.
//   - ListsKept: lists are sorted, nothing is there twice, and no field outlives its stage.
//   - EventsTrue: a step announces what it changes. An ignored input changes nothing.
//   - MessagesFit: a step sends what its input and its changes demand, and no more.
//   - FiguresKept: candidates and suitors change as figures 5.1 and 5.2 say.
//
// In every quiescent state (nothing in flight, no timer pending that would change anything):
//
//   - Agree: heads and members agree on clusters, rounds and members, and all members run.
//   - AdoptionBound: the awareness bound holds for all that is advertised, by adoption or not.
//   - Largest: no cluster that a node belongs to is larger than its advertised one.
//   - AskedAgain: no head that has room is deferred.
//   - NobodyStuck: no head is in COLLECT, SOLICIT or FILTER, no client is in MEASURE, and no suitor
//     has no answer.
//   - Filled (where every measurement shows the latency that the model sets): no candidate that a
//     head filtered out, and that runs, would fit into its cluster.
//   - Taken (without crashes, leaves and drift): a client that denied a head with room is in M
//     clusters.
//   - Whole (where neither bound matters, without crashes and premature timeouts): the cluster of
//     each head has all its candidates that are near.
//
// In the end, when commands stop and no fault is left, under weak fairness of deliveries,
// measurements and due timers:
//
//   - Converges: every head becomes STEADY, and stays so.
//
// The witnesses Denies, Defers, Filters, Adopts, Recollects, Removes, Returns and Lone must each
// happen in some run of a scenario that is meant to show them. So no model passes because nothing
// happens in it.
//
// The published core is checked against the promises of the text, which are weaker in two
// properties. MembershipBound counts a node's own cluster only once it has found another member.
// Measured asks for a measurement from one end of each pair, and from both ends only where a head
// waits for both (the reading "pairs"). Prefers is about rejections, not about deferrals. One
// property is checked of it alone:
//
//   - NoCircle: heads and clients do not wait for each other in a circle. A head waits for a client
//     that defers it, and a client in MEASURE waits for the heads that it has accepted. Such a
//     circle never ends, so Converges fails (TestTheCircleNeverEnds).
//
// # Networks
//
// Every scenario but the expected failure is checked under three networks:
//
//   - By its own name, each message arrives exactly once, in any order.
//   - As "-drop", one message is dropped (two where the doc says so), and heartbeats make up for
//     it.
//   - As "-repeat", duplication is unbounded: a message that has arrived may arrive again, at any
//     later time and any number of times. Timers do not wait for such copies. Converges is checked
//     on runs in which duplication stops in the end. In eleven scenarios, whose docs say so,
//     solicitations are not duplicated: a copy makes a client reserve a place again, which gives
//     too many states.
//
// Some scenarios also duplicate one or two messages ("-dup"), together with a drop or a crash.
//
// # Assumptions
//
// Timers (due.go) fire as follows. Everything earlier is a premature timeout, a fault of the
// spurious budget.
//
//   - Those of COLLECT and WAIT fire at any time, since they guess that no more nodes will come.
//   - That of MEASURE fires when no node is left that could be measured.
//   - A MissedTimer fires when that incarnation of the peer no longer runs. For a live peer it is a
//     false suspicion, which costs the suspect budget. Only the expected failure spends that.
//   - Heartbeats are sent when nothing to or from the node is in flight and they would change
//     something.
//   - A retry fires when all heads and clients have converged: its delay is long compared with a
//     round.
//
// Latencies are near or far, equal in both directions, or drifting: then each measurement may give
// either. A run begins when heads know their first candidates, unless the scenario starts its nodes
// in the run. The prediction of latencies is not modelled: candidates come as commands. Models
// whose names begin with "limit-" are expected failures: each drops one of these assumptions.
package refine
