// Package store simulates networks of the register core (package protocol/store) and checks the
// histories of their clients against the specifications of package model/linear.
//
// # Usage
//
// Run the scenarios of [Scenarios] with a sim.Campaign:
//
//   - store/steady: clients get, put, compare-and-set and look owners up on a stable map, under
//     message faults and clock drift.
//   - store/churn: the same, while nodes join and leave, so that items are handed over.
//   - store/crash: the same, while nodes also crash and restart. Most of them own keys that were
//     called a moment before. In half of the runs many messages are dropped.
//   - store/bursts: three to seven nodes, and two to four joins, leaves and crashes at once, again
//     and again, under heavy message faults.
//   - store/duels: three to six nodes, and a key or two that change owners a few times, because the
//     owner leaves or crashes, or a node joins. Calls surround these changes. Requests and answers
//     are dropped, duplicated or delayed by up to twenty seconds.
//   - store/returns: three to five nodes, and a key or two of which a joiner may get one. Its owner
//     crashes soon after a node has refused a request, so that the key returns to its former owner.
//     Up to half of the messages are duplicated, with copies up to twenty seconds later.
//   - store/walks: walks without a clock (package sim/random) through two to four members in a row,
//     with at most two joins, two leaves and one crash, and two to five calls of one key or two.
//
// One to four keys are in use, so that operations overlap. Values are unique. Operations come in
// bursts, each from a drawn node. An operation without an answer stays open in the history, and no
// client waits for it. Spaces, latencies and rates are drawn as in package sim/can.
//
// # Guarantees
//
// Checked after every step that changed something, in addition to the properties of package
// sim/can:
//
//   - OneServer, ItemsInside: as in package model/store.
//   - Certain: if no node leaves or crashes, every operation gets an answer. If none crashes, no
//     node answers that the fate of a request is unknown, although it has the decisions of all
//     possible executors of the request.
//
// Checked at the end:
//
//   - Ended: no operation and no handover is pending. The map is checked as in package sim/can.
//   - Linearizable: the history is one of registers (Register; if a node crashed, RegisterWithLoss,
//     as package protocol/store promises no more).
//   - OneOwner: lookups find owners (Ownership).
//
// A history that porcupine does not decide within ten seconds makes the run inconclusive. A
// violated history is drawn as a page. Walks check what the models check, and Certain only if no
// node leaves or crashes and no timeout is premature.
//
// # Assumptions
//
//   - Those of package sim/can: failure detection is accurate, and crashes are apart.
//   - The history of a key has at most a few dozen operations. Longer ones take too long to decide.
package store
