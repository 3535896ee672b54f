// Package refine is one node of the refinement of clusters: head of a cluster of its own, and
// client of others.
//
// Source: Jackson (2015), chapter 5, sections 5.1.1 to 5.1.4 (Algorithm 3, figures 5.1 and 5.2),
// and appendix A. Latencies are predicted elsewhere; from such a first approximation the refinement
// makes clusters on which parallel jobs can run: not too large, of bounded membership, and of nodes
// that have measured each other to be near. What the paper names is found here:
//
//	Algorithm 3, figure 5.1  the client                client.go
//	figure 5.2               the head                  head.go
//	section 5.1.2            measuring, filtering      measure.go, filter.go, clique.go
//	section 5.1.3            symmetry                  symmetry.go ([State.Advertised])
//	section 5.1.4            change                    keep.go, order.go
//
// # A round
//
//  1. COLLECT: the application names candidates. When it has named none for some time, the head
//     begins a round.
//  2. SOLICIT: it asks the candidates that are new or have put it off. A client takes in suitors
//     while it is in WAIT, keeps as many as it has places, and then accepts them. The head goes on
//     when everybody has answered.
//  3. FILTER: it lists all who accepted, and all its members. They measure each other, and report.
//  4. STEADY: the largest clique with the head, of at most N nodes, is the cluster. Its members are
//     confirmed, the others dismissed. Until then the former cluster stays as it is.
//
// A client's state is a function of its slots, one for each head that it deals with: suitor,
// promised (accepted, not confirmed) or committed. Whoever is in no slot is not remembered. Within
// a round of its head a slot only advances, a candidate too, and the cluster only shrinks; so
// repeated messages and any order do no harm.
//
// Each node repeats, as its sign of life, the one thing that each of its peers may have missed
// (keep.go). Nothing else is acknowledged or repeated. Who is told something about a round in which
// the other does not count it says so: an ACCEPT or report that is not counted is answered with a
// dismissal, a list or confirmation for which there is no place with LEAVE.
//
// # Guarantees
//
// Checked by the models of package model/refine within the bounds and budgets that the verdicts
// state: MembershipBound, SizeBound, Measured, HeadKnows, RemovedIsGone, Advertises, AwarenessBound
// in every state; AdoptionBound, Agree, Largest, AskedAgain, NobodyStuck, Taken at rest; Converges
// when orders stop and faults end. Package model/refine says what each name means.
//
// How large clusters become is not guaranteed: clients answer by what they have heard of so far.
//
// # What the text leaves open or gets wrong
//
// Each with the decision, the reason, and what shows it: a counterexample of the printed core (in
// traces/corpus, without its ending), or a breakage of this core that the checks catch (package
// internal/mutants).
//
//   - Whether M counts a node's own cluster. It does, as appendix A needs it, so M-1 places are
//     left for others. Algorithm 3 allows M others besides: published-refine-own.MembershipBound,
//     mutant refine-own-cluster-free.
//   - Messages name no round. Here each does, and counts in that round only; a cluster is known by
//     its head and its round, so that another collection is not taken for the old cluster by those
//     who adopted it: published-refine-recollect-more@once+pairs.Measured, mutants
//     refine-stale-report, refine-same-round, refine-solicited-anew, refine-dismissed-by-any-round.
//   - A suitor that has to go gets a rejection, for ever. But a head that has not confirmed may
//     still filter the client out: as long as not all places are committed, the answer is DEFER,
//     and the head asks again. A denial comes only from a client that is in as many clusters as it
//     may: published-refine-freed.Whole, mutant refine-deny-for-defer.
//   - A deferred solicitation comes "at a later time". DEFER is an answer for this round, so the
//     head never waits for it: it ends the round and asks again in another, after a time drawn. A
//     head that waited could wait for a client that waits for that head:
//     published-refine-mutual-early@self+pairs.Converges,
//     published-refine-two-suitors@heard.AskedAgain, mutant refine-no-retry. Only those that put it
//     off are asked then: two heads that asked all of theirs again could put each other off for
//     ever.
//   - WAIT: every valid new solicitation resets the time-out, so heads that come one after the
//     other keep a client in WAIT for ever. Here only a suitor that is gained does, which happens
//     at most M-1 times.
//   - MEASURE: a client is to defer whoever comes. Here it takes in suitors as long as it has
//     places. The places of heads that it has accepted count, although they have not confirmed:
//     mutant refine-promised-free.
//   - Which nodes a client measures, and when: its unfiltered cluster is known to the head only,
//     and not before all have answered. So the head says so, with LIST:
//     published-refine-three.Measured. The head measures too, and a pair is near if both ends say
//     so; a missing measurement counts as too far: published-refine-pair@self.Measured, mutants
//     refine-one-sided, refine-own-survey-open.
//   - Who measures a node that has failed waits for ever: there is a time-out (mutant
//     refine-unmeasured-waits).
//   - What becomes of the members in another collection. They are not asked again (a full client
//     would reject its own head: published-refine-recollect-full@pairs.Agree), but they are
//     measured again with all others, since latencies drift. The old cluster is valid until the new
//     one is found; who is in it no more is dismissed then, and not before:
//     published-refine-recollect-other.Agree, mutant refine-struck-at-once. A member that has not
//     got its confirmation takes part in the next round all the same: mutant
//     refine-list-before-confirm.
//   - Which clique of several: the one with the former members, then the one with the first nodes,
//     so that clusters are stable and every run is the same. Exact, by branch and bound on bit
//     sets; after 2^20 branches the largest that was found is taken.
//   - Whether a head notices that a client fails, and a client a head that has not confirmed yet.
//     Everybody who waits for somebody notices: published-refine-pair-crash-client.NobodyStuck,
//     published-refine-pair-crash-head.NobodyStuck, published-refine-two-suitors-crash.Converges,
//     mutants refine-dead-head, refine-dead-member. When a member is gone there is room, and those
//     that were turned down are asked again.
//   - Messages that are lost: published-refine-pair-drop.NobodyStuck, mutants refine-confirm-once,
//     refine-accept-once, refine-claim-unanswered. A repetition asks nobody for what he has given,
//     or a head that waits for a failed client keeps the others busy: mutant refine-list-all-again.
//   - Messages that are repeated (append adds a suitor twice):
//     published-refine-pair-dup.NobodyStuck, published-refine-two-suitors-dup.Whole.
//   - Symmetry among equals: only a larger cluster is adopted in place of one's own, and of several
//     the one whose head comes first in the global order, so that there are no circles and nodes
//     with the same choice choose alike. Only confirmed clusters count.
//   - Updates go to "any clients which have not denied". Whoever has accepted has no use for them,
//     so they go to those that have not answered. Their order makes no difference: ceilings only
//     fall, and acceptances only grow in number.
//
// # Assumptions, and what is not modelled
//
//   - Failure detection is accurate: a MissedTimer fires only for an incarnation that runs no more.
//     A driver gets that with leases. A live node that is taken for failed is put right when the
//     two next hear of each other, but until then it may count on the other in vain: model
//     refine/limit-suspicion.
//   - Messages may be lost, repeated, delayed and reordered, but are not forged.
//   - A measurement that is asked for anew replaces the one under way, as the contract says: it is
//     never older than the latest list.
//   - Latencies that change show when they are measured again, in the next round. When that is due
//     is the application's business (CommandMeasure), and so is the prediction (CommandAdd,
//     CommandDrop), including news of places that have become free.
//
// # What a caller does
//
// Make a state with [New], step it with Start and persist what that asks for; then give orders and
// obey each Output as package protocol says. Advertise what [State.Advertised] says after each
// step. After a crash, step with Restart: it is another node, and its clusters are gone.
package refine
