// Package paxos implements single-decree Paxos (Lamport, The Part-Time Parliament, 1998) with three
// servers. Each client writes a value at one server and, after the acknowledgement, reads at the
// next one. Any server may propose. A value is decided when a majority has accepted it under one
// ballot.
//
// # Usage
//
// [New] describes a system and compiles it. Pass Model to checker.Check, as the example does.
//
// # Guarantees
//
//   - Agreement: no two servers decide differently.
//   - Read: a client can read the decided value.
//
// # Assumptions
//
//   - The network keeps every message until it has an effect, in any order, and duplicates none.
//   - A read waits at a server without a decision, and an overtaken proposal is stuck. So not every
//     run ends with an answer to every client, and all ends are accepted.
//
// # Differences from the paper
//
// This is the model of the Paxos example of Stateright without its history, so that the number of
// states is known: 1,194,428 with 3 clients and 9,357,525 with 6. Servers do not send to
// themselves, and a request is identified by its client, which makes one of each kind.
package paxos
