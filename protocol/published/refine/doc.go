// Package refine implements the refinement of clusters of Jackson (2015), section 5.1, as
// published: Algorithm 3, the state machines of figures 5.1 and 5.2, filtering (5.1.2), symmetry
// (5.1.3) and change (5.1.4).
//
// It is a literal transcription, kept to check the algorithm as published. Do not run it. The
// corrected protocol is package protocol/refine.
//
//	Algorithm 3  solicit(from, to, last)  suitors.go; its last lines are waited in client.go
//	figure 5.1   the client               client.go
//	figure 5.2   the head                 head.go
//	5.1.2        the largest clique       clique.go
//	5.1.3        the largest cluster      [State.Advertised]
//
// The comment on each function quotes the sentence that the function transcribes.
//
// # Usage
//
// A driver makes a state with [New], steps it with Start, gives a [Command] whenever the prediction
// of latencies changes, and obeys each Output as package protocol prescribes. model.Plain binds the
// core to a configuration ([DefaultConfig]). The example of this package shows the effect of a
// duplicated solicitation: a client rejects the suitor that it accepts.
//
// # Guarantees
//
// None of the protocol's. Package model/refine states for each property whether it is expected to
// fail, and why. traces/corpus holds a shortest run for each failure, and docs/findings.md lists
// them. In the code, Step is pure, and its states are plain values.
//
// # Assumptions
//
//   - Messages may be dropped, duplicated, delayed and reordered. The text mentions no such fault;
//     losses and duplicates break properties, for example published-refine-pair-drop.NobodyStuck.
//   - A node that fails stops. Only a client that is committed to a head notices that it failed;
//     all others wait: published-refine-pair-crash-client.NobodyStuck.
//   - The prediction of latencies is a command from outside: a discovered cluster of at most N
//     nodes. The drift that makes a node join the prediction overlay again is not modelled.
//   - Nodes do not leave voluntarily, since the text does not describe the messages for that.
//   - Messages between head and client of one node arrive within the step.
//
// # Differences from the paper
//
// There are no intended differences. Where a passage allows two interpretations, both are there,
// and a field of [Readings] selects; its zero value takes the text literally. The name is that in
// models and traces, after an @. docs/protocols/published.md lists the decisions where the text is
// silent.
//
//	name, field        | passage                     | literally              | with the field
//	-------------------+-----------------------------+------------------------+----------------------
//	self SolicitsSelf  | a head solicits "all        | all others; the head   | its own client too,
//	                   | clients in its discovered   | measures on its way    | which takes a place
//	                   | cluster"                    | into FILTER            | among its suitors and
//	                   |                             |                        | may reject it
//	once Once          | "to.suitors.append(from)"   | a suitor is appended   | a suitor on the list
//	                   |                             | again                  | stays where it is
//	pairs              | "until all accepted nodes   | each has sent some     | each pair of them was
//	WaitsForPairs      | have replied with their     |                        | measured from both
//	                   | latency measurements"       |                        | ends
//	lenient Lenient    | an edge "only if the        | a pair that was not    | it is one: only
//	                   | measured distance falls     | measured is no edge    | "nodes that are too
//	                   | inside the cluster          |                        | far away" are
//	                   | diameter"                   |                        | filtered out
//	former TellsFormer | "denial messages to any     | to those that have     | also to members of
//	                   | clients outside the         | accepted               | the cluster before
//	                   | cluster"                    |                        |
//
// The three criteria of Algorithm 3 are [Criterion].
package refine
