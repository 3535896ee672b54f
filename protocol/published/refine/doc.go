// Package refine is the refinement of clusters of Jackson (2015), chapter 5.1, as printed:
// Algorithm 3, the state machines of figures 5.1 and 5.2 as section 5.1.4 describes them, the
// filtering of 5.1.2 and the symmetry of 5.1.3 and appendix A. It is kept to show, by
// counterexamples, what is wrong with it. Nobody should run it: the corrected protocol is package
// protocol/refine.
//
//	Algorithm 3  solicit(from, to, last)  suitors.go; its last lines are waited in client.go
//	figure 5.1   the client               client.go
//	figure 5.2   the head                 head.go
//	5.1.2        the largest clique       clique.go
//	5.1.3        the largest cluster      [State.Advertised]
//
// The comment on each function quotes the sentence that it is.
//
// # Readings
//
// Where two readings are plausible, both are there, and [Readings] selects. By the letter, which is
// the zero value:
//
//   - "Every node acts as a head as well as a client" and a head solicits "all clients in its
//     discovered cluster": the others. Then nobody but the head measures for the head, which it
//     does on its way into FILTER. With SolicitsSelf its own client is one of those clients, takes
//     up a place in its own list of suitors and may reject it.
//   - "to.suitors.append(from)" appends, whoever is on the list. With Once a suitor that is on the
//     list stays where it is, and is asked for anew.
//   - "Instructing the suitor to defer the solicitation to a later time": the head solicits again
//     after a time, and has not "heard either way" until then. With DeferIsHeard a deferral is an
//     answer for this round, and there is no later time.
//   - "Waits until all accepted nodes have replied with their latency measurements": each has sent
//     some. With WaitsForPairs, each pair has been measured from both ends.
//   - "There is an edge between two nodes only if the measured distance falls inside the cluster
//     diameter": what was not measured is no edge. With Lenient, only "nodes that are too far away"
//     are filtered out.
//   - "Denial messages to any clients outside the cluster": to those that have accepted. With
//     TellsFormer, also to those of the cluster before.
//
// The three criteria of Algorithm 3 are [Criterion].
//
// # Decisions where the text is silent
//
//   - No message says which round of its head it belongs to. State and Confirm count rounds for the
//     observer; no node acts on that number.
//   - A solicitation says how many there are, so that the greedy criterion has something to go by
//     before the first update.
//   - Which clusters a client measures for: those of its suitors, as far as updates have told who
//     accepted. It measures those known when it enters MEASURE, goes on while updates name more,
//     and reports all that it has whenever no measurement is left.
//   - "Final confirmation message from each head": from each that has solicited since its last one.
//     A denial takes its head off the list, so the client does not wait for it; with nobody left it
//     is STEADY.
//   - "Sends accept messages to heads that remain on the list of suitors": to the committed ones
//     too.
//   - "Once committed to a head, a client will not abandon that cluster": sorting puts the
//     committed first. In STEADY with M of them, a solicitation is rejected, whoever sends it.
//   - "A fault is detected by timing out": only clients do, and only for heads that they are
//     committed to.
//   - Measurements and reports of a round are forgotten when the head enters SOLICIT again; its
//     cluster stays until the next is found. An accept, a denial or a report that finds the head in
//     another state is ignored.
//   - The clique has at most N members; among equals the first in the order of identities.
//   - A client is ready to join clusters, hence in WAIT, as soon as its node starts.
//
// # Guarantees
//
// None of the protocol's: that is the point. What goes wrong is declared with its reason in
// model/refine, and each shortest run is in the corpus of traces. Of the code: Step is a pure
// function; it keeps and changes nothing that it is given. Its states are plain values.
//
// # Assumptions, and what is not modelled
//
// Messages may be lost, repeated, delayed and reordered. What the prediction of latencies says is
// an order from outside ([Command]): a discovered cluster, already cut down to N. Voluntary leaves,
// whose messages the text does not describe, are left out; so is the drift that makes a node rejoin
// the prediction overlay. What a head and a client of one node say to each other arrives within the
// step. Byzantine peers are not modelled.
//
// # What a caller does
//
// Obey each Output as package protocol says. The core is bound by model.Plain to a configuration
// ([DefaultConfig]).
package refine
