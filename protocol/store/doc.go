// Package store implements registers on the map of package can: Ratnasamy et al., A Scalable
// Content-Addressable Network (2001), where a key is a point and the owner of its zone keeps the
// value. Clients get, put, compare-and-set, and look up owners. Each value is kept once.
//
// The paper has keys and greedy routing. Handover of items when zones change, and at-most-once
// execution, are of this package:
//
//	zone.go      a part of the zone is given away, or arrives
//	handover.go  items go from giver to receiver
//	client.go    the client's side of an operation: attempts, hints, retries
//	serve.go     the owner's side: an attempt is decided once
//
// [Step] steps the map's core and reacts to changes of the zone. docs/protocols/store.md explains
// handovers and attempts with examples.
//
// # Usage
//
//  1. Make the state of each process with [New], and one [Config] for the whole network.
//  2. Step it with Start. Obey every [Output] in the order that package protocol lists.
//  3. Give [CommandMap] for the commands of package can: create, join, leave.
//  4. Give [CommandOperation] at members. IDs of operations differ during the incarnation of a
//     node. Each operation ends with one event: EventAnswered (then EventValue, where there is
//     one), EventUnknown, or EventRejected.
//  5. After CommandLeave keep the process until [EventFinished]. EventLeft of package can reports
//     only that the map is done.
//
// The example puts a value, lets a node join, and gets the value from there.
//
// # Guarantees
//
// Package model/store checks them in closed systems; each verdict states its bounds and faults.
//
//   - Linearizable: without a crash, the history of gets, puts and compare-and-sets is one of
//     registers that take one operation at a time (Register of package model/linear).
//   - Linearizable with loss: a crash may make a register revert to 0 once, if the crashed node had
//     its item, was to get it, or is given it before any node notices. No other update is lost, and
//     no operation is executed twice (RegisterWithLoss).
//   - OneServer: no two nodes serve a key at the same time.
//   - OneOwner: a point has at most one owner at a time. A lookup names a node that was the owner
//     between call and return.
//   - ItemsInside: a node holds no item outside its zone.
//   - Ended: in quiescent states no operation is pending and every handover is complete.
//   - Answered: when changes stop and faults end, every operation ends.
//   - Certain: without a crash an operation is answered or rejected. There is one exception: its
//     receiver left before the answer came, and either the key has an owner that is no heir of the
//     leaver by then, or the client's node has left too. Then it may end with [EventUnknown]: it
//     was executed once or not at all.
//
// # Assumptions
//
//   - Those of package can. A GoneTimer is as accurate as a MissedTimer where it concerns a
//     handover; otherwise items are lost. It may be wrong about the receiver of a request,
//     which costs an EventUnknown.
//   - Crashes lose items, since each is kept once: store/row3/limit-crash.
//   - A node remembers Config.DecidedLimit decisions; a copy of a request that is older than that
//     may be executed again. It keeps the decisions of Config.LeftLimit leavers, and an operation
//     survives Config.TriedLimit failed nodes; beyond that it ends with EventUnknown.
//   - Config.ItemLimit bounds what puts add to a node. Merges may exceed it, and encodings refuse
//     more than protocol.MaxItems.
//   - A client fails with its node: its operation may be executed, and no event reports it.
//   - Values are numbers of 32 bits, 0 is no value, and an operation concerns one key.
//
// # Differences from the paper
//
// The paper has no protocol for any of this. Evidence is a mutant (internal/mutants) that lacks the
// rule; a model or a script catches it.
//
//	   rule                                        | what breaks without it, and evidence
//	-----------------------------------------------+-------------------------------------------------
//	 1 An owner stops serving a part of its zone   | Two nodes serve a key.
//	   in the step that decides to give it away.   | mutant store-giver-serves
//	 2 A zone that grows by SPLIT or MERGE serves  | A get misses what was put.
//	   none of the new keys until the items        | mutants store-serves-before-items,
//	   arrive.                                     | store-merge-not-awaited
//	 3 Items are sent when the receiver has        | The items are lost, or never arrive.
//	   acknowledged the round, and resent until    | mutants store-gift-before-ack, store-give-once
//	   GiveOK.                                     |
//	 4 Giver and round name a handover. It is      | A copy undoes newer puts; or the giver never
//	   taken once, and every copy is acknowledged. | ends.
//	                                               | mutants store-handover-twice, store-ack-once
//	 5 Items that arrive for a part that was given | They are lost.
//	   away in the meantime are passed on.         | mutants store-not-passed-on,
//	                                               | store-needs-forgotten
//	 6 A client makes one attempt at a time, at    | Two owners execute the same operation.
//	   one node; another follows a refusal or a    | mutant store-retry-elsewhere
//	   failure.                                    |
//	 7 A node decides an attempt once, and         | A copy is executed again, or late.
//	   remembers also what it refused.             | mutants store-no-dedup, store-refusal-forgotten
//	 8 An attempt lists the nodes that failed with | The next owner executes it again.
//	   one. A node that cannot know what these     | mutants store-gone-forgets-tried,
//	   executed answers "unknown".                 | store-vouches-for-all
//	 9 A leaver hands over its decisions with its  | Its takers execute again, or cannot tell.
//	   items.                                      | mutants store-decisions-not-inherited,
//	                                               | store-left-not-noted
//	10 A leaver's process ends when all items      | Items are lost.
//	   arrived.                                    | mutant store-leaver-departs-early
package store
