// Package store simulates networks of the register core (package protocol/store) and holds the
// histories of their clients to the specifications of package model/linear.
//
// # The worlds
//
//   - store/steady: the map is at rest while clients get, put, compare and set, and look owners up,
//     under loss, repetition and delay of messages and drifting clocks.
//   - store/churn: the same while nodes join and leave, so that items are handed over.
//   - store/crash: the same while nodes fail, too, and come back; most of them are owners of keys
//     that were called for a moment before. In half of the runs many messages are lost.
//   - store/bursts: three to seven places, and two to four joins, leaves and failures at once,
//     again and again, under many faults of messages.
//   - store/duels: three to six places, a key or two that change hands a few times, and the owner
//     of a key leaves or fails; calls all around that, of which somebody reads now and then.
//     Requests and answers are up to twenty seconds late, lost or twice.
//   - store/returns: three to five places, and a key or two of which nodes that join may get one.
//     Its owner fails soon after somebody refuses a request, so that the key returns to whoever had
//     it before. Up to half of the messages come twice, the second time up to twenty seconds later.
//   - store/walks: two to four members in a row, at most two who join, two who leave and one who
//     fails, and two to five calls of one key or two, without a clock: walks through the actions of
//     the checker (package sim/walks). What is demanded is what the models of package model/store
//     demand; Certain where nobody leaves, fails or has a timer early.
//
// One to four keys are in use, so that operations meet. Values are unique. Operations come in
// bursts from nodes drawn for each; what a client does not hear the end of stays open in the
// history, and nobody waits for it. Spaces, latencies and rates are drawn as in package sim/can.
//
// # What is demanded
//
// After every step that changed anything: what package sim/can demands of the map (but for
// store/walks), OneServer, and ItemsInside. Certain: where no node leaves or fails, every operation
// ends with an answer; and where none fails, nobody says that it is unknown what became of an
// operation who has got what all those had decided that may have executed it. When faults have
// stopped: what package sim/can demands at rest, and Ended: no operation is pending and nothing is
// left to be handed over. Of the whole history: Linearizable (Register; RegisterWithLoss if a node
// failed, as package protocol/store promises no more), and OneOwner (Ownership). A history that
// porcupine does not decide within ten seconds makes the run inconclusive. One that is not
// linearizable is drawn as a page.
//
// # Assumptions
//
// Those of package sim/can: failure detection is accurate, and failures are apart as described
// there. The history of a key has at most a few dozen operations: to decide longer ones takes too
// long.
//
// # What a caller does
//
// Run the worlds of [Worlds] with a sim.Campaign.
package store
