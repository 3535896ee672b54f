// Package can is one node of a content-addressable network (CAN) as P2PGrid uses it: zones that
// split when a node joins and merge when one leaves or fails, and the conflict detection that keeps
// such changes from getting into each other's way.
//
// Sources: Jackson (2015), chapter 6 (stale zone information, Algorithms 4 to 9) and section 2.1;
// Kim, sections 2.1 and 3.1.1 (zones whose coordinates mean something). The algorithms go by the
// paper's names:
//
//	Algorithm 4  Request         request.go
//	Algorithm 5  Propose         propose.go
//	Algorithm 6  ProposeOK       propose.go
//	Algorithm 7  ProposeTimeout  propose.go
//	Algorithm 8  CommitPhase     commit.go
//	Algorithm 9  Commit          commit.go
//	Section 6.1  updates         update.go, failure.go (bury)
//
// # How a change is made
//
// Every change of the map, a takeover after a failure included, is a round of its proposer L:
//
//  1. Request: L works out the outcome (whose zones become what) from its neighbourhood, direct and
//     indirect neighbours, and sends Propose to all of it, and to the joiner of a SPLIT.
//  2. Whoever is in no round and finds its own zone's version in the Propose promises to change
//     nothing until the round is over, and says YES. The others say NO.
//  3. The first NO, or a time-out, decides NO-OP; the last YES decides the command. The decision is
//     final.
//  4. L executes, and tells those whose zones grow, with the whole outcome in the Commit; when they
//     have acknowledged, it tells all others. It repeats what is not acknowledged, and begins no
//     other round before. A promise ends with the Commit.
//
// A zone whose owner failed is a hole until it is taken over; the nodes that take shares of it are
// its takers, those across its takeover face (package space). Nodes are across a hole if both lie
// beside it.
//
// Why this is safe: L only begins if the zones that it knows cover its own border and those of its
// direct neighbours without overlap ([State.Known] is then complete), each participant confirms its
// zone's version, and from then on none of them changes. So L decides on the neighbourhood as it
// is. Whatever is stale leads to a NO, and the NO carries the record that was missing.
//
// If L fails in mid-round, a promise is resolved by its holder. MERGE and TAKEOVER have the same
// effect as the takeover that follows the failure, so the promise is void. Whether a SPLIT took
// place the joiner knows, being told first: it is asked, and if it is no member, it gives the round
// up before it answers.
//
// # Guarantees
//
// Checked by the models of package model/can, on the maps and within the bounds and budgets that
// the verdicts state: NoConflict, NoOverlap, OwnerInside, CancelledStays, OneCommand, Truthful,
// ViewsFit in every state; NoGap, NeighboursKnow, ViewsAgree, Routable, NobodyBusy at rest;
// Answered and Granted when requests stop and faults end. Package model/can says what each name
// means. No liveness is claimed while requests keep coming.
//
// # Differences from the printed algorithms
//
// Each is named with the counterexample of the printed core that forces it (in traces/corpus,
// without its ending) or, where the printed core has no such part, with the breakage of this core
// that the checks catch (package internal/mutants).
//
//   - A reply counts only while L proposes that very round; the decision is final (Algorithms 6 and
//     7 take late answers): published-can-row3-leave-early.CancelledStays,
//     published-can-row3-join-dup@fixed+clears.CancelledStays.
//   - Only a YES makes its sender busy, and only to one round (Algorithm 5, line 6 is
//     unconditional). A YES to a round that is over is answered with Release, so that a Propose
//     that comes after its Commit holds nobody for ever; nor does one from a node that has failed:
//     published-can-row3-leave-crash-early@fixed+perchange+except+clears.NobodyBusy.
//   - Participants and outcome are fixed at the request (Algorithms 6 to 8 say N_L, which changes):
//     published-can-square-leave-leave.NobodyBusy, published-can-row4-leave-leave.Routable.
//   - Commit is acknowledged and repeated, and L starts nothing before the last acknowledgement:
//     published-can-row3-join-drop@fixed+clears.NobodyBusy,
//     published-can-row3-join-leave-owner.NoOverlap. A leaver stays, without a zone, until then.
//   - Commit carries the resulting records of all whose zones change and L's neighbourhood; the
//     printed one carries γ and i, and each replica computes from its own view:
//     published-can-row4-leave-leave.Routable.
//   - The printed instance number is two numbers here: a round a request, and a version a change of
//     zone. Records are replaced by larger versions only, and nobody counts for another:
//     published-can-row3-join-leave@fixed+perchange.NobodyBusy,
//     published-can-tee-leave-leave@fixed+perchange.NobodyBusy.
//   - The joiner is a participant: it promises, and gets its zone in the Commit that it
//     acknowledges. Until then nobody else is told:
//     published-can-row3-join-crash-early@fixed+perchange+except+clears.NoOverlap,
//     published-can-row2-join-leave@fixed+perchange+except+clears.NoOverlap.
//   - YES needs the right version of the answerer's zone; the printed Propose asks for no agreement
//     of views: mutant stale-yes.
//   - A takeover is a round too (in print the taker acts alone). Two takers, or a taker and a
//     joiner, thus never build on each other's past.
//   - An empty neighbourhood commits at once; the last node is told that it cannot leave:
//     published-can-row2-leave-leave.NobodyBusy.
//   - A node counts the rounds of others that took effect around it (its epoch). YES tells the
//     count and Commit that of every participant after the round, so that an update from before the
//     round is known to be old although its sender's zone has not changed; section 6.1 compares the
//     zone's number only: mutant epoch-not-compared. And a YES in an epoch of which the proposer
//     has not heard counts as NO: a participant may have promised and failed, and its taker, who
//     was far from the proposer, would not hear of the round: mutant yes-unheard.
//   - Updates list the holes beside their sender too, and a hole beside a neighbour is learnt
//     although its last owner is dead: else two takers, each with the other's hole beside a direct
//     neighbour, wait for each other for ever: mutants holes-not-told, hole-not-heard-of.
//   - A hole is known as it was. Who has taken its share lies across that, and still counts as
//     beside the hole: else others beside it forget that node, or the hole, and see no end of what
//     they are to take: mutants settle-behind-hole, closed-behind-taker.
//   - While a node's own round lasts, its updates say only that it is alive, and from when it is
//     decided a NO says nothing of its zone: what is decided is the joiner's to know first: mutants
//     update-in-round, refuse-in-round. A round that was decided as NO-OP holds nothing back:
//     mutant no-op-not-told.
//   - Who acknowledges a takeover tells its neighbours: the taker comes near nodes that it has
//     never heard of, and without them it could not take over next to them if who acknowledged
//     fails before its next update: mutant takeover-tells-nothing.
//   - Nodes with a hole between them tell each other their news, as direct neighbours do: who stood
//     between them is gone, and may have been the only one who knew both. What is told across a
//     hole counts although its sender need not know the receiver's zone as it is, if it knows of
//     the hole: beside one nothing but takeovers takes place. It counts, too, where the receiver
//     has taken the hole in the meantime: mutants update-not-across, across-not-heard,
//     across-before-hole, across-open-holes.
//   - Who is believed to be where a round puts others is forgotten: it failed, and its taker failed
//     before it could tell. Holes stay, being known as they were: mutants no-supersede,
//     supersede-holes. So is who is believed to be where an update tells of others: a taker across
//     the hole may have let somebody in, when the hole is no business of its own any more, and does
//     not tell those who have yet to take the rest: mutant told-not-superseded.
//   - An update from a node that is not known, or not any more, is old if it tells of this node's
//     zone as it was, or not at all: mutant update-from-afar.
//   - An update adds nobody who would lie where direct neighbours are known to be, and drops
//     indirect neighbours, holes included, that the sender should know and does not; nodes once
//     held for dead stay so, and are told when they speak: the mutants of update.go and failure.go.
//   - A taker whose promise is void because the leaver failed may have been granted its share
//     nevertheless. It hears of that from another taker's update: mutant no-reclaim.
//   - Split lists: the takeover face and the merged list are those of package space.
//
// # Assumptions, and what is not modelled
//
//   - Failure detection is accurate: a MissedTimer fires only for an incarnation that runs no more.
//     A driver gets that with leases: a node that could not renew its lease with its neighbours
//     stops before they may take it for failed. A live node that learns it was buried stops by
//     itself (fence), but that is too late: model can/row3/limit-false-suspicion shows the overlap.
//   - Of two adjacent nodes at most one fails until the takeover is complete: the round is over,
//     and the taker and its neighbours know each other. A joiner counts as adjacent to the owner
//     that admits it, a leaver to its takers. can/row4/limit-adjacent-crashes,
//     can/row2/limit-owner-joiner-crash and can/row2/limit-last-taker-crash show what happens
//     otherwise: a gap, which stays.
//   - Messages may be lost, repeated, delayed and reordered, but are not forged.
//   - The number of neighbours is not bounded by the protocol (Jackson, section 6.3): encodings
//     refuse more than protocol.MaxItems. At most Config.DeadLimit departed nodes are remembered; a
//     message older than that many departures could bring one back.
//
// # What a caller does
//
// Make a state with [New], step it with Start and persist what that asks for; then give orders
// (CommandCreate to the first node, CommandJoin with any member as contact to all others,
// CommandLeave) and obey each Output as package protocol says. After a crash, step with Restart and
// order to join again: the former zone is gone. An [EventRetry] tells the application that its
// request is put off, not lost.
package can
