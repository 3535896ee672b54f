// Package refine implements the refinement of clusters of Jackson (2015), section 5.1 (Algorithm 3,
// figures 5.1 and 5.2) and appendix A.
//
// Latencies are predicted elsewhere. From these predictions the refinement makes job-ready
// clusters: a cluster has at most N members, a node is in at most M clusters, and all members of a
// cluster have measured each other to be within a given latency, the diameter. Each node is the
// head of one cluster and a client in the clusters of others. Each role is a type with its own
// handlers, and step.go passes each input to one of them.
//
//	Algorithm 3, figure 5.1  the client            client.go
//	figure 5.2               the head              head.go
//	section 5.1.2            measuring, filtering  measure.go, filter.go, clique.go
//	section 5.1.3            symmetry              symmetry.go ([State.Advertised])
//	section 5.1.4            change                keep.go, command.go
//
// A head works in rounds, and each of its messages names the round:
//
//	COLLECT  the application names candidates; after some time without news the round begins
//	SOLICIT  the head asks new and deferred candidates; a client in WAIT keeps as many suitors
//	         (heads that ask) as it has places, then accepts them
//	FILTER   the head lists its members and the clients that accepted; they measure each other
//	STEADY   the largest clique around the head, of at most N nodes, is the cluster; the head
//	         confirms its members and dismisses the others; the former cluster is valid until then
//
// docs/protocols/refine.md explains the protocol with a diagram and with an example for each
// difference from the paper.
//
// # Usage
//
// A driver has these duties, in this order. The example of this package drives two nodes by hand.
//
//  1. Make one [Config] for all nodes ([DefaultConfig]) and check it with [Config.Validate].
//  2. Make a state with [New] and step it with Start. After a crash, step a new state with Restart
//     instead: the node has a new identity, and its former clusters are gone.
//  3. Obey each Output in the order that package protocol prescribes. Answer each node in Measure
//     with an input Measured, or not at all if it cannot be measured.
//  4. Give commands: CommandAdd for nodes that are predicted to be near or have free places again,
//     CommandDrop for nodes that are no longer near, CommandMeasure when latencies have changed,
//     CommandLeave to leave.
//  5. After each step, advertise the cluster that [State.Advertised] returns and schedule jobs on
//     it.
//
// # Guarantees
//
// The models of package model/refine check these properties within the bounds and fault budgets
// that each verdict states. In every state:
//
//   - MembershipBound: no node is committed to more than M clusters, its own included.
//   - SizeBound: no cluster has more than N members, its head included.
//   - Measured: each pair of a cluster was measured from both ends in the round of that cluster,
//     and both readings are within the diameter.
//   - HeadKnows: a node that is committed to the present cluster of a head is a member of it.
//   - RemovedIsGone: a node that is removed before the next cluster is found has crashed or left.
//   - Advertises: a node advertises its own cluster or a cluster that it is committed to.
//   - AwarenessBound: the clusters of a node have at most 1+M(N-1) nodes together (appendix A).
//   - Prefers: a client that rejects the head its criterion ranks first keeps no other suitor
//     waiting.
//
// When the system is quiescent (nothing in flight, and no timer would change anything):
//
//   - Agree: heads and members name the same clusters with the same rounds and members; all run.
//   - AdoptionBound: AwarenessBound holds of advertised clusters, too, whether own or adopted.
//   - Largest: no cluster that a node belongs to is larger than its advertised one.
//   - AskedAgain: no head that has room is still deferred.
//   - Filled: no candidate that a head filtered out, and that runs, would fit into its cluster.
//   - NobodyStuck: no head waits in COLLECT, SOLICIT or FILTER, and no client in MEASURE.
//   - Taken: a client that has denied a head with room is in M clusters.
//   - Whole: a head that neither bound restricts has all its near candidates in its cluster.
//
// Converges: once commands stop and faults end, every head reaches STEADY and stays there. The size
// of clusters is not guaranteed, since a client chooses among the suitors that it has received.
//
// # Assumptions
//
//   - Failure detection is accurate: a MissedTimer fires only for an incarnation that has stopped;
//     leases achieve that. Otherwise a head or client counts on a peer that has given it up, until
//     the next message between the two: model refine/limit-suspicion.
//   - Messages may be dropped, duplicated, delayed and reordered, but are not forged. Forged
//     Reports put distant nodes into a cluster or keep near ones out. No model covers that.
//   - A new request to measure a node replaces the one under way, as package protocol demands.
//     Otherwise a reading can be older than its round, and Measured fails. No model covers that.
//   - The application sends CommandMeasure when latencies change. Otherwise a cluster keeps members
//     that are no longer near, until its next round.
//   - The application repeats CommandAdd for nodes with free places again. Otherwise a head does
//     not ask a client again that denied it, and the cluster stays smaller than it could be.
//
// # Differences from the paper
//
// Evidence with a dot is a trace of the algorithm as published (in traces/corpus). Models, scripts
// and unit tests are named as such. The other names are mutants of this core that the checks catch
// (package internal/mutants).
//
//	rule                                          | what breaks without it
//	  evidence
//	----------------------------------------------+--------------------------------------------------
//	M counts the node's own cluster: M-1 places   | a node is in M+1 clusters, against appendix A
//	are left for other heads                      |
//	  published-refine-own.MembershipBound, refine-own-cluster-free
//	a client's place is taken from ACCEPT on      | a client accepts more heads than it has places
//	  refine-promised-free
//	every message names its round and counts only | a delayed report or dismissal takes effect in a
//	in that round                                 | later round
//	  published-refine-recollect-more@once+pairs.Measured, refine-stale-report, refine-same-round,
//	  refine-solicited-anew, refine-dismissed-by-any-round
//	DENY only if all places are committed;        | a place becomes free, and the rejected head never
//	otherwise DEFER, and the head asks again      | asks again
//	  refine-deny-for-defer (the author: "can still yield undersized clusters")
//	DEFER answers this round; the head asks again | a head waits for a client that waits for that
//	in a later round                              | head
//	  published-refine-triangle@fifo.NoCircle, refine-no-retry
//	a retry asks only the candidates that         | two heads defer each other without end
//	deferred                                      |
//	  Converges in models refine/mutual and refine/ring
//	only a new suitor restarts the WAIT timeout   | one head after another keeps a client in WAIT
//	  by construction: at most M-1 restarts
//	a client in MEASURE still takes suitors while | it defers a head for which it has a place
//	it has places                                 |
//	  published-refine-triangle@fifo.NoCircle
//	LIST names the nodes that measure each other; | some pairs are not measured, and near nodes are
//	the head measures all of them, too            | left out
//	  published-refine-three.Whole, refine-own-survey-open
//	a pair is near if both readings say so; a     | a cluster has a pair that is distant or was not
//	missing reading counts as far                 | measured
//	  published-refine-three@lenient.Measured, refine-one-sided
//	measurements have a timeout                   | a node waits for the reading of a crashed peer
//	  refine-unmeasured-waits
//	members are not solicited again but listed    | a client without free places rejects its own
//	and measured in each round, confirmed or not  | head; a member that missed a confirmation is
//	                                              | stuck
//	  refine-list-before-confirm
//	a former member is dismissed when the next    | it stays committed to a cluster that no longer
//	cluster is found, not earlier                 | exists, or leaves one that does
//	  published-refine-recollect-other.Agree, refine-struck-at-once
//	of equal cliques, the one with the former     | clusters change without need, and runs cannot be
//	members wins, then the first in order         | repeated
//	  unit tests of clique.go
//	a node watches all its members, its heads and | a node waits for, or counts on, a crashed peer
//	each peer that it waits for                   |
//	  published-refine-pair-crash-client.NobodyStuck, published-refine-pair-crash-head.NobodyStuck,
//	  published-refine-two-suitors-crash.Converges, refine-dead-head, refine-dead-member
//	after a member is gone, candidates that       | the cluster stays smaller than necessary
//	denied or were filtered out are asked again   |
//	  refine-no-second-chance
//	signs of life resend what may be lost; a      | one dropped message blocks a node forever
//	message that does not match the receiver's    |
//	state is answered with Dismiss or Leave       |
//	  published-refine-pair-drop.NobodyStuck, refine-confirm-once, refine-accept-once,
//	  refine-claim-unanswered, refine-late-accept-counts, refine-no-leave
//	a LIST is resent only to clients that have    | a head that waits for a crashed client keeps the
//	not reported                                  | others busy
//	  refine-list-all-again
//	each head has one slot at a client            | a duplicated solicitation takes two places
//	  published-refine-two-suitors-dup.NobodyStuck, published-refine-two-suitors-dup.Whole
//	a node that has left still answers            | peers count on it as long as its process runs
//	  refine-farewell-once, refine-farewell-of-heads-once
//	only a larger, confirmed cluster is adopted;  | adoption is circular; nodes with equal choices
//	of equal ones the first by the hash of its    | choose differently
//	head                                          |
//	  refine-adopts-smaller
//	updates go only to clients that have not      | needless messages; their order is irrelevant,
//	answered                                      | since ceilings only fall and acceptances only
//	                                              | grow
//	  script greedy-update
package refine
