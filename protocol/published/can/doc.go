// Package can is the conflict detection of Jackson (2015), chapter 6, as printed: Algorithms 4 to
// 9, the instance numbers of section 6.1, and the regular joining, leaving and taking over of a CAN
// around them. It is kept to show, by counterexamples, what is wrong with it. Nobody should run it:
// the corrected protocol is package can.
//
// Each line of each algorithm is to be found by its number ("Algorithm 6, line 3"):
//
//	Algorithm 4  Request(γ, t)      request.go
//	Algorithm 5  Propose(i)         propose.go
//	Algorithm 6  ProposeOK(r, i)    proposeok.go
//	Algorithm 7  ProposeTimeout(R)  proposeok.go
//	Algorithm 8  CommitPhase(γ)     commit.go
//	Algorithm 9  Commit(γ, i)       commit.go
//
// Section 6.1 is offer in update.go; split, merge and takeover face, "the most recent entry on the
// split list", are in splits.go.
//
// # Readings
//
// Where two readings are plausible, both are there, and [Readings] selects. By the letter, which is
// the zero value:
//
//   - N_L in Algorithms 6 to 8 is what it is defined to be, the neighbourhood of L: at that moment.
//     A node that became a neighbour since the request was never asked and its reply is UNDEF.
//     After its MERGE, L has no neighbourhood. With FixedNeighbourhood, N_L is the set that the
//     proposals went to.
//   - The instance number "is incremented when the node may split or merge voluntarily as well as
//     when it takes over for another failed node" (6.2): at the request and at a takeover. With
//     InstancePerChange it also "gets incremented when a node splits or merges" (6.1), that is,
//     when a SPLIT or MERGE changes the node's zone; a replica that computes the change counts
//     along. So this reading also decides what an update compares.
//   - "node_R[Q].state is not STABLE for any Q" (Algorithm 5, line 1) means any Q, R and L
//     included: R says NO if an earlier command of L itself is outstanding at R. With
//     ExceptProposer, L does not count.
//   - cancel(γ) tells whoever initiated the command to retry it. With CancelClears it also clears
//     node_L[L].γ.
//
// # Decisions where the text is silent
//
//   - t, the second parameter of Request, occurs nowhere else and is left out. The second parameter
//     that Algorithm 6 passes to CommitPhase is taken as i_L in Algorithm 8; where Algorithm 7
//     passes none, it is the current instance number. Replies are initialised to UNDEF at each
//     request, those of former neighbours included. An answer from a node that was never asked is
//     ignored.
//   - γ of a SPLIT holds the joiner, its coordinate and the half-space that L keeps. A Propose does
//     not say what is proposed. A Commit carries γ and i and nothing else, so each replica computes
//     the new zones from its own view of L.
//   - "An inconsistency in the known neighborhood": known zones do not cover the border of L's
//     zone, or overlap. "takeover(R) is failed": known zones do not cover what lies across R's
//     takeover face.
//   - Who gets what in a SPLIT: L cuts its zone when it executes, and sends zone, split list and
//     records of its neighbourhood to the joiner in one message, once, unacknowledged. Until it
//     arrives the half belongs to nobody, though the replicas take the joiner for its owner. The
//     joiner is not among those asked. Its instance number begins at 1; a replica that has heard a
//     proposal of it keeps the number of that.
//   - In a MERGE the nodes across L's takeover face grow, each when the Commit reaches it. A node
//     that grew, by a MERGE or by a takeover, sends updates at once: it "notifies all new
//     neighbors".
//   - N_L empty: no proposal, hence no answer, hence no CommitPhase. The only node of a network
//     stays BUSY with its first request.
//   - A node keeps entries for its direct and indirect neighbours only, and for proposers that it
//     does not know otherwise, without a zone, as long as they are BUSY. The entry of a direct
//     neighbour is removed when that node leaves or fails; an indirect neighbour is also dropped,
//     its command included, when an update of a direct neighbour between the two does not list it.
//   - Section 6.1: information is discarded if its number is lower than the known one; of two of
//     the same number the later to arrive counts. The record of a departed node holds the number
//     under which it was known; what has that number or a lower one is discarded, proposals
//     included. A neighbour's number "is updated" when it grows.
//   - ProposeTimeout(R) is pending while reply[R] is UNDEF, in whatever state L is.
//   - Joins are routed greedily to the nearest direct neighbour. A join of a node that is known as
//     a neighbour, or as departed, is ignored.
//
// # What goes wrong
//
// These the tests of this package show step by step, each by the name given here, on small maps.
// The list is what can be shown by hand; the checked models look for the rest.
//
//   - LateYes: an answer that comes after its time-out turns a cancelled round into a committed
//     one. Not with CancelClears.
//   - Overtaken: a Commit that overtakes its Propose is ignored, and the Propose leaves R BUSY
//     until L begins another round, which it may never do.
//   - TwoRounds: L may start a round before the Commit of the one before has arrived everywhere;
//     the number in the new Propose makes the old Commit void, and what it said is lost.
//   - LeaveTellsNobody: N_L at that moment is empty after a MERGE. Not with FixedNeighbourhood.
//   - NeverAsked: a neighbour that L learns of while its round is open was not asked and never
//     answers, and the round never ends. Not with FixedNeighbourhood.
//   - AloneForEver: the only node of a network never finishes a request.
//   - Figure64: the discontinuity of figure 6.4 comes about even if the two leaves happen one after
//     the other, when the second node leaves before its next update.
//   - Zombie: without section 6.1 the stale update of figure 6.3 makes two nodes own one zone.
//   - UpdateFirst: L's update that overtakes its Commit is believed, and then the Commit splits the
//     zone once more, so that the joiner gets half of a half, which is nothing. Not with
//     InstancePerChange.
//   - AnsweredTwice: a repeated YES carries the same SPLIT out again, with the same effect. With
//     FixedNeighbourhood, not with InstancePerChange.
//   - LostFace: after two merges in a row, a node's most recent split is no face of its zone, and
//     nobody takes over for it.
//
// # Guarantees
//
// None of the protocol's: that is the point. Of the code: Step is a pure function; it keeps and
// changes nothing that it is given; every state, message and order has one canonical encoding, and
// decoders accept nothing else.
//
// # Assumptions, and what is not modelled
//
// Messages may be lost, repeated, delayed and reordered. The text assumes that a failed node is
// noticed by its direct neighbours and a live one is never taken for failed; when [MissedTimer]
// fires is up to the driver. A space's virtual dimension is like any other: nothing is drawn, and a
// joiner whose coordinate is taken is refused each time. Byzantine peers are not modelled. There is
// no fence: a node that others hold for failed goes on.
//
// # What a caller does
//
// Obey each Output as package protocol says. A network begins with [Founders], whose pending timers
// [State.Timers] tells, or with an order to create it. [Core] binds a configuration for drivers.
package can
