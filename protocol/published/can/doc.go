// Package can implements the conflict detection of Jackson (2015), chapter 6, as published:
// Algorithms 4 to 9, the instance numbers of section 6.1, and joining, leaving and takeover of a
// CAN around them.
//
// It is a transcription, kept to check the algorithm as published. Do not run it. The corrected
// protocol is package protocol/can.
//
// A comment in the code names each line of each algorithm ("Algorithm 6, line 3"):
//
//	Algorithm 4  Request(γ, t)      request.go
//	Algorithm 5  Propose(i)         propose.go
//	Algorithm 6  ProposeOK(r, i)    proposeok.go
//	Algorithm 7  ProposeTimeout(R)  proposeok.go
//	Algorithm 8  CommitPhase(γ)     commit.go
//	Algorithm 9  Commit(γ, i)       commit.go
//
// Section 6.1 is offer in update.go. Split, merge and takeover face, "the most recent entry on the
// split list", are in splits.go.
//
// # Usage
//
// A driver starts a network with [Founders], whose pending timers [State.Timers] returns, or gives
// CommandCreate to the first node. It gives CommandJoin and CommandLeave, and obeys each Output as
// package protocol prescribes. [Core] binds a configuration. The example of this package shows a
// flaw.
//
// # Guarantees
//
// None of the protocol's. Package model/can states for each property whether it is expected to
// fail, and why. traces/corpus holds a shortest run for each failure, and docs/findings.md lists
// them. The tests of this package show these flaws step by step, on small maps:
//
//	flaw             | what happens                                              | not with
//	-----------------+-----------------------------------------------------------+-------------------
//	LateYes          | an answer after its timeout turns a cancelled round into  | CancelClears
//	                 | a committed one                                           |
//	Overtaken        | a Commit that overtakes its Propose is ignored, and the   |
//	                 | Propose leaves its receiver BUSY until the sender begins  |
//	                 | another round                                             |
//	TwoRounds        | a round begins before the last Commit has arrived         |
//	                 | everywhere; the new Propose invalidates that Commit, and  |
//	                 | its content is lost                                       |
//	LeaveTellsNobody | only with CurrentNeighbourhood: after a MERGE the         |
//	                 | neighbourhood is empty, so the Commit has no receivers    |
//	NeverAsked       | only with CurrentNeighbourhood: a neighbour that was      |
//	                 | learnt of during a round never answers, and the round     |
//	                 | never ends                                                |
//	AloneForEver     | the only node of a network never completes a request, and | AloneCommits
//	                 | admits nobody                                             |
//	Figure64         | the discontinuity of figure 6.4 happens even if one leave |
//	                 | follows the other, if the second node leaves before its   |
//	                 | next update                                               |
//	UndetectedSplits | without section 6.2 two nodes side by side split at once,  |
//	                 | and the new zones, which touch, never find each other     |
//	Zombie           | without section 6.1 the stale update of figure 6.3 makes  |
//	                 | two nodes own one zone                                    |
//	UpdateFirst      | an update that overtakes its Commit is believed; then the | InstancePerChange
//	                 | Commit splits the zone again, and the joiner gets half of |
//	                 | its half                                                  |
//	AnsweredTwice    | a duplicated YES executes the same SPLIT again, with the  | InstancePerChange
//	                 | same effect (not with CurrentNeighbourhood)                |
//	LostFace         | after two merges in a row, the most recent split of a     |
//	                 | node is no face of its zone, and no node takes over for   |
//	                 | it                                                        |
//
// In the code, Step is pure. Every state, message and command has one canonical encoding, and
// decoders accept nothing else.
//
// # Assumptions
//
//   - Messages may be dropped, duplicated, delayed and reordered. Losses and duplicates break
//     properties, for example published-can-row3-join-drop@clears.NobodyBusy.
//   - Direct neighbours notice a failed node, as the text has it. It does not say that suspicions
//     are accurate; the models suspect no live node. The driver decides when [MissedTimer] fires. A
//     suspected live node goes on: there is no fence.
//   - Nothing is drawn in a virtual dimension of the space: a joiner whose coordinate is taken is
//     refused each time.
//
// # Differences from the paper
//
// There are no intended differences. Where a passage allows two interpretations, both are there,
// and a field of [Readings] selects; its zero value is the interpretation that prose and algorithms
// share, and otherwise that of the algorithms. The name is that in models and traces, after an @.
// docs/protocols/published.md lists the decisions where the text is silent.
//
//	name, field          | passage                 | zero value               | with the field
//	---------------------+-------------------------+--------------------------+--------------------
//	current              | N_L in Algorithms 6 to  | "every node to which a   | the neighbourhood
//	CurrentNeighbourhood | 8                       | command proposal is      | of L at that
//	                     |                         | sent", "all              | moment: a new one
//	                     |                         | participating nodes"     | was never asked,
//	                     |                         |                          | and after a MERGE
//	                     |                         |                          | there is none
//	perchange            | the instance number     | at the request and at a  | also when a SPLIT
//	InstancePerChange    | "gets incremented when  | takeover                 | or MERGE changes
//	                     | a node splits or        |                          | the node's own zone
//	                     | merges" (6.1); at       |                          |
//	                     | requests and takeovers  |                          |
//	                     | (6.2)                   |                          |
//	except               | "node_R[Q].state is not | any Q, R and L included  | L does not count
//	ExceptProposer       | STABLE for any Q"       |                          |
//	                     | (Algorithm 5, line 1)   |                          |
//	clears               | cancel(γ)               | notifies the initiator,  | also clears
//	CancelClears         |                         | which retries            | node_L[L].γ
//	alone                | CommitPhase "when all   | an answer or a timeout   | at once if there
//	AloneCommits         | neighbors have          | leads to it              | are no neighbours
//	                     | responded to the        |                          |
//	                     | proposal or timed out"  |                          |
package can
