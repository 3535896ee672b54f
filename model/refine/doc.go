// Package refine holds the closed systems in which the refinement of clusters is checked: the core
// of package protocol/refine, on a few nodes, under faults. The properties see a node as a [View],
// so that another core that announces its rounds and measurements under the same names can be held
// to them too.
//
// # Guarantees
//
// What the properties mean. M is the membership bound, a node's own cluster included, and N the
// size bound, the head included. In every state:
//
//   - MembershipBound: no node is committed to more than M clusters, its own included.
//   - SizeBound: no cluster that anybody knows has more than N members.
//   - Measured: in a cluster that anybody knows, of whatever head and round, each pair was measured
//     by both of its ends, after that round began and before it ended, to be within the diameter.
//     The monitor judges that by the measurements that were made, not by what the core has kept of
//     them.
//   - HeadKnows: who is committed to a head's present cluster is in it.
//   - RemovedIsGone: who is taken out of a cluster within its round runs no more.
//   - Advertises: the cluster that a node advertises is its own or one that it is committed to, and
//     it is in it.
//   - AwarenessBound: the clusters that a node is in have no more than 1+M(N-1) nodes together
//     (appendix A).
//   - Prefers (where a criterion puts one head first, nobody fails and no timer fires early): who
//     has turned that head down keeps no other suitor waiting.
//
// At rest, that is, when nothing is in flight and no timer would change anything:
//
//   - Agree: heads and members name the same clusters, with the same rounds and the same members,
//     all of whom run.
//   - AdoptionBound: the awareness bound holds of all that is advertised, by adoption or not.
//   - Largest: nobody knows a larger cluster with itself in it than the one that it advertises.
//   - AskedAgain: no head that has room has been put off.
//   - NobodyStuck: no head is in COLLECT, SOLICIT or FILTER, no client in MEASURE, no suitor
//     without an answer.
//   - Taken (without failures, leaves and drift): who has denied a head that has room is in M
//     clusters.
//   - Whole (where neither bound bites, nobody fails and no timer is early): each head has found
//     all its candidates that are near.
//
// In the end, under weak fairness of deliveries, measurements and due timers, when orders stop and
// no fault is left:
//
//   - Converges: every head comes to be STEADY, and stays so.
//
// Witnesses, so that no model passes because nothing happens in it, each where the scenario is to
// bring it about: Denies, Defers, Filters, Adopts, Recollects, Removes, Returns, Lone.
//
// # The networks
//
// Every scenario but the limit is checked under three networks. By its own name, each message
// arrives exactly once, in any order. As "-drop", one message is lost (two where the doc says so),
// and signs of life repeat it. As "-repeat", a message that has arrived may arrive again, at any
// later time and any number of times. Timers do not wait for what only comes again, and Converges
// is asked of runs in which repetitions stop at last: one that repeats the same message for ever
// faster than anything else happens shows nothing. In eleven scenarios, the doc of which says so, a
// solicitation does not come again although all else does: an old one makes a client promise a
// place anew, and with that the states are too many. Besides, up to two messages are repeated
// ("-dup"), also together with a loss and a crash.
//
// # Assumptions, and what is not modelled
//
// When timers fire (due.go): those of COLLECT and WAIT at any time, since they guess that all have
// been heard of; that of MEASURE when nobody is left who could be measured; a MissedTimer if the
// very incarnation is no longer running; signs of life when nothing to or from the node is in
// flight and they would make a difference; a retry when all is settled, since its delay is long
// against a round. Everything earlier is a fault and costs the spurious budget; a MissedTimer for a
// live node costs the suspect budget, which only the limit spends.
//
// Latencies are near or far, the same both ways, or drifting: then every measurement may come out
// either way. Unless a scenario starts its nodes in the run, a run begins when heads have been told
// of their candidates. The prediction of latencies is not modelled: candidates are orders.
//
// # What a caller does
//
// [Models] lists the systems; package model/catalog joins them for the command line. Others are
// described by a [Setting] and made by its Compile.
package refine
