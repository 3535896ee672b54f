// Package store keeps registers on the map of package can: each key is a point, and the owner of
// the zone that it lies in keeps its value. Registers are put, got, and compared and set; a lookup
// asks who owns a point. When zones split and merge, items are handed over; nothing is kept twice.
//
// Sources: Ratnasamy et al., A Scalable Content-Addressable Network (2001), for keys at points and
// greedy routing; the changes of the map are those of package can. What is ours: the handover, and
// at most one execution of each operation.
//
// # How it works
//
// A node is a node of package can with its items; [Step] steps the map and reacts to what became of
// the zone.
//
//   - zone.go: a zone shrinks in the step in which its owner decides a split or a merge. In this
//     very step the owner stops serving what it gives away. A zone that grew by such a round awaits
//     the items and serves none of their keys until they came; what fell to a node because its
//     owner failed is served at once, empty.
//   - handover.go: items are sent when the receiver has acknowledged the round, are repeated until
//     it acknowledges them, and are taken once. Giver and round name a handover. What is given on
//     before it came is passed on when it comes.
//   - client.go: a client's node makes one attempt at a time, at the node that greedy routing by
//     its own view, or the hint of a node that refused, leads to. An attempt is addressed to one
//     node. Another attempt follows only when this one was refused, or when its receiver is gone:
//     then the next names who went unanswered.
//   - serve.go: a node decides an attempt once, and copies of it get the same answer. Of an
//     operation that may have been executed by a node that is gone, its heir knows: a leaver hands
//     over all that it decided. Who does not know does not execute it, and says so.
//
// # Guarantees
//
// Checked by the models of package model/store, within the bounds and budgets that the verdicts
// state:
//
//   - Linearizable: without a crash, every history of gets, puts and compare-and-sets is one of
//     registers that take one operation at a time, between call and return (package model/linear:
//     Register).
//   - Linearizable with loss: a crash may make a register revert to 0, once, at one moment after
//     it, if the node that crashed kept its item, was to get it, or is given it before anybody has
//     noticed. No value comes back, none is invented, no operation is executed twice, and no update
//     is lost in any other way (RegisterWithLoss). More cannot be had where items are kept once:
//     store/row3/limit-crash shows it. (An owner that gave items to a node that never got them, and
//     takes that node's zone over itself, could take them back; it does not.)
//   - OneServer: no two nodes serve a key at the same time.
//   - OneOwner: at any time a point has at most one owner (between giver and taker of a zone it has
//     none), and a lookup names a node that was the owner at some time between its call and its
//     return.
//   - ItemsInside: a node holds no item outside its zone.
//   - Ended, Answered: when changes stop and faults end, every operation ends and every handover is
//     complete.
//   - Certain: without a crash, and unless its receiver left before its answer came, and either
//     others than the leaver's heirs own the key by then or the client's own node has left too, an
//     operation ends with an answer, or is rejected. Otherwise it may end with [EventUnknown]: it
//     was executed once or not at all, and nobody can say which.
//
// # Assumptions, and what is not modelled
//
//   - Those of package can. So is GoneTimer as accurate as its MissedTimer, as far as handovers go:
//     it fires only for an incarnation that runs no more. For the receiver of a request it may be
//     wrong: that costs an EventUnknown at most.
//   - Memory has limits. A node remembers Config.DecidedLimit decisions, oldest forgotten first: a
//     copy of a request that arrives after so many others could be executed once more. Of
//     Config.LeftLimit leavers it knows what they decided. Whoever recovers from more than
//     Config.TriedLimit nodes that went unanswered gets EventUnknown.
//   - A value is a number of 32 bits; 0 is no value. Config.ItemLimit bounds what puts add to a
//     node; merges can add it up, and encodings refuse more than protocol.MaxItems.
//   - An operation is lost with the node that it was called at: its client never hears of it, and
//     it may be executed.
//   - A get is not atomic with anything but itself: there are no transactions over several keys.
//
// # What a caller does
//
// Make a state with [New], step it with Start, and give orders: [CommandMap] for what package can's
// callers do, and at members [CommandOperation]. IDs of operations must differ in the life of a
// node. Obey each Output as package protocol says. An operation that is called ends with one of the
// events answered (followed by value, where there is one), unknown, or rejected. After CommandLeave
// keep the process until the event finished: "left" only tells that the map is done.
package store
