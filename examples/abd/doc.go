// Package abd implements the replicated register of Attiya, Bar-Noy and Dolev (Sharing Memory
// Robustly in Message-Passing Systems, 1995) for many writers. The check decides linearizability.
//
// A client first asks a majority of the replicas for their versions. A writer then stores its value
// under a larger stamp at a majority. A reader stores the latest version that it has seen before it
// returns it, so that no later reader sees an older one.
//
// # Usage
//
// [New] describes a system and compiles it. Pass Model to checker.Check, as the example does.
//
// # Guarantees
//
//   - Linearizable: every history of calls and returns is one of a single register. A monitor
//     records the history, and porcupine decides about each distinct history once.
//
// # Assumptions
//
//   - A majority of the replicas answers. Otherwise operations never end.
//   - Clients begin when they like. Replicas ignore old versions, and clients ignore late answers.
//     Such messages stay in flight and have no effect.
//
// # Differences from the paper
//
//	rule                                 | what breaks without it                | evidence
//	stamps are numbers with the writer's | two writers could use the same stamp  | the paper has one
//	address                              |                                       | writer
//	a reader stores what it returns      | Linearizable: of two reads the second | New(true, …)
//	(also in the paper)                  | may return the older value            |
package abd
