// Package can implements conflict detection in a content-addressable network (CAN): Jackson (2015),
// chapter 6, Algorithms 4 to 9, with the updates of section 6.1. Package space has the geometry.
//
//	Algorithm 4  Request     request.go    Algorithm 7  ProposeTimeout  propose.go
//	Algorithm 5  Propose     propose.go    Algorithm 8  CommitPhase     commit.go
//	Algorithm 6  ProposeOK   propose.go    Algorithm 9  Commit          commit.go
//	Section 6.1  updates     update.go     Section 6.2  failures        failure.go
//
// Every change of the map is a round of its proposer L: the SPLIT for a joiner, the MERGE of a
// leaver, or the TAKEOVER of a failed node's zone. L works out the outcome and sends Propose to its
// neighbourhood N_L: its direct neighbours and theirs. A receiver R that answers YES promises to
// change nothing until the round is over: it is busy. The last YES decides the change; a NO or a
// timeout decides NO-OP. L executes the decision and sends it to all in Commit. In the code L is of
// type proposer and R of type participant.
//
// A hole is a failed node's zone until the nodes across its takeover face, its takers, have taken
// their shares. docs/protocols/can.md explains all of this with a diagram and example runs.
//
// # Usage
//
//  1. Make the state of each process with [New], and one [Config] for the whole network.
//  2. Step it with Start. Obey every [Output] in the order that package protocol lists.
//  3. Give CommandCreate to the first node, CommandJoin with any member as contact to the others,
//     and CommandLeave to a node that is to leave. [EventJoined] and [EventLeft] report success.
//     [EventRetry] reports a delay: the core tries again, except after [DetailLast].
//  4. Fire a MissedTimer only for an incarnation that runs no more. Stop a node at [EventFenced].
//  5. After a crash, step a new state with Restart and the persisted bytes, then give CommandJoin.
//     The former zone is gone.
//
// The example of this package passes messages between two nodes by hand.
//
// # Guarantees
//
// Package model/can checks them in closed systems; each verdict states its bounds and faults. Two
// rounds conflict if one proposer is in the neighbourhood of the other. In every state:
//
//   - NoConflict: of two conflicting rounds that overlap in time, at most one takes effect.
//   - NoOverlap: the zones of live nodes do not overlap.
//   - OwnerInside: a node's coordinate lies in its zone.
//   - CancelledStays: no node executes a round that any node knows to be cancelled.
//   - OneCommand: all nodes that execute a round execute the same change.
//   - Truthful: after EventJoined a node owns a zone until it leaves, after EventLeft none.
//   - ViewsFit: while R keeps a promise, the outcome builds on R's present zone.
//
// In quiescent states, that is, with no message in flight and no timer pending that matters:
//
//   - NoGap: the zones of the live nodes cover the space.
//   - NeighboursKnow: nodes with adjacent zones know each other, with the right zone.
//   - ViewsAgree: each node knows exactly the nodes within two steps.
//   - Routable: greedy routing leads from every node to the owner of every point.
//   - NobodyBusy: no node runs a round or holds a promise.
//
// When requests stop and faults end (under weak fairness):
//
//   - Answered: every round ends, and its requester is notified.
//   - Granted: every join and leave is executed in the end, after retries at random times.
//
// # Assumptions
//
//   - Failure detection is accurate; a driver uses leases. Otherwise two nodes own one zone until
//     the suspected node is notified and stops: can/row3/limit-false-suspicion.
//   - Of two adjacent nodes, the second does not fail before the first one's zone is taken over.
//     Otherwise a gap stays: can/row4/limit-adjacent-crashes. A joiner counts as adjacent to its
//     owner (can/row2/limit-owner-joiner-crash), a leaver to its takers
//     (can/row2/limit-last-taker-crash).
//   - Messages may be dropped, duplicated, delayed and reordered, but not forged. Otherwise nothing
//     holds. A message that is resent forever must arrive at last, or rounds do not end.
//   - A node remembers Config.DeadLimit departed nodes. A message that is older than that many
//     departures may restore one. Encodings refuse more than protocol.MaxItems neighbours.
//
// # Differences from the paper
//
// docs/protocols/can.md explains each row with an example, and defines L (the proposer of a round),
// R (a participant), N_L (its neighbourhood) and γ (its change). Evidence is a trace of the
// published algorithms (in traces/corpus), or a mutant that lacks the rule and is caught by a model
// or a script (internal/mutants).
//
//	   rule                                        | what breaks without it, and evidence
//	-----------------------------------------------+-------------------------------------------------
//	 1 The first NO or the timeout decides, for    | A late YES commits a cancelled round.
//	   good. Algorithms 6 and 7 accept late        | published-can-row3-leave-early.CancelledStays
//	   replies.                                    |
//	 2 Only a YES makes R busy, to one round; a    | Two rounds change one zone, or the copy is
//	   copy of the Propose gets YES again.         | answered NO and cancels the round.
//	   Algorithm 5: any Propose does.              | mutant promise-twice
//	 3 R resends YES. L answers Release if that    | A Propose that comes after its Commit binds R.
//	   round is over.                              | mutants no-resend-yes, proposeok-no-release
//	 4 Participants and outcome are fixed at the   | L waits for a new neighbour that it never asked.
//	   request. Read literally, Algorithms 6 to 8  | TestNeverAsked of protocol/published/can
//	   use N_L as it is then.                      |
//	 5 L begins only if known zones cover the      | L splits its zone beside a hole; a gap stays.
//	   borders of L and of its direct neighbours,  | mutant request-beside-hole
//	   and beside a hole only a TAKEOVER. R does   |
//	   not check takeover(R).                      |
//	 6 YES needs R's present version in the        | The outcome builds on a zone that has changed.
//	   Propose. A NO carries R's record.           | mutant stale-yes
//	 7 Commit is resent until acknowledged. Before | L's next round voids its Commit.
//	   that L begins no round, and a leaver stays. | published-can-row3-join-leave-owner.NoOverlap
//	 8 Commit carries the resulting records. In    | R uses a stale view: figure 6.4 happens.
//	   Algorithm 9 it carries γ and i.             | published-can-row4-leave-leave.Routable
//	 9 Commit goes first to the nodes whose zones  | Others know of a zone before its owner does.
//	   grow, then to the others.                   | mutants grant-last, proceed-all-at-once
//	10 The joiner is a participant. If L fails, R  | R takes over L's zone and the joiner's half.
//	   asks it whether the SPLIT took place        | mutants orphan-no-query, query-no-orphan
//	   (Query).                                    |
//	11 If L fails, a promise to its MERGE or       | R stays busy.
//	   TAKEOVER is void: the takeover of L has the | mutant failed-no-orphan
//	   same effect.                                |
//	12 A taker that missed its share in this way   | The takers refuse each other forever.
//	   learns of it by another taker's update.     | mutants no-reclaim, give-up-same-epoch
//	13 A round per request and a version per       | A request that changes nothing makes all views
//	   change of a zone, not one instance number.  | of L look outdated. mutant stale-yes
//	14 A TAKEOVER is a round, too, and waits until | Two takers, or a taker and a joiner, overlap.
//	   the taker is free. In the paper it acts     | mutant request-promised
//	   alone.                                      |
//	15 An empty neighbourhood commits at once. The | A CAN of one node admits nobody.
//	   last node may not leave.                    | published-can-row1-join.NobodyBusy
//	16 R refuses dead nodes and notifies them;     | R promises to a dead node; zones overlap.
//	   they stop. A restarted node is a new        | mutants query-no-bury, restart-same-incarnation
//	   incarnation.                                |
//	17 A node counts others' rounds that it        | An update from before a round undoes it: its
//	   executed: its epoch, in YES and Commit. An  | sender's zone has not changed since.
//	   update of an earlier epoch is stale.        | mutants epoch-not-compared, epoch-not-told
//	18 A YES in an epoch that L does not know is a | A participant fails; L's Commit misses its
//	   NO.                                         | taker.
//	                                               | mutant yes-unheard
//	19 Updates list the holes beside their sender. | Takers wait for each other's holes to close.
//	                                               | mutants holes-not-told, hole-not-heard-of
//	20 A hole keeps its shape until it is taken    | Later takers forget the first one, or the hole.
//	   whole. A zone inside it counts as beside    | mutants settle-behind-hole, closed-behind-taker
//	   it.                                         |
//	21 Nodes with a hole between them exchange     | The node that knew both is gone: they never
//	   updates; these count if both know the hole. | meet.
//	                                               | mutants update-not-across, across-not-heard
//	22 CommitOK of a TAKEOVER lists R's            | R fails next; its taker cannot know these.
//	   neighbours.                                 | mutant takeover-tells-nothing
//	23 In its round a node's updates say "alive"   | Others learn of a SPLIT that never takes place.
//	   only; after its decision, unless NO-OP, so  | mutants update-in-round, refuse-in-round
//	   do its NOs.                                 |
//	24 Where a Commit or an update puts nodes,     | Zones seem to overlap: no round begins any more.
//	   indirect neighbours (not holes) are         | mutants no-supersede, told-not-superseded
//	   forgotten.                                  |
//	25 An update of an unknown node is stale if it | It restores a node where others are by now.
//	   does not know R's present version.          | mutant update-from-afar
//	26 An update adds no node that overlaps R or a | Stale records stay. (A second line of defence:
//	   direct neighbour; nodes that it should list | no check is known to need it.)
//	   and does not are forgotten.                 |
//	27 The takeover face is the last entry of the  | After two merges no node takes over.
//	   split list that is still a face (package    | mutants space-entry-first, space-merge-taker
//	   space).                                     |
package can
