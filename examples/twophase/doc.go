// Package twophase implements the two-phase commit of Gray and Lamport (Consensus on Transaction
// Commit, 2006, the TLA+ module TwoPhase) as a model of package checker. Resource managers prepare
// or abort on their own. One transaction manager commits when all are prepared, or aborts. Messages
// form a set, and are never removed from it.
//
// It shows how to write a model for speed, without a core and a network of package model. A state
// is two words of bits, and a successor sets a few of them.
//
// # Usage
//
// [New] returns the model for package checker, as the example shows.
//
// # Guarantees
//
//   - Consistent: no manager aborts if another one commits.
//   - Commits, Aborts: all managers can commit, and all can abort.
//
// The number of states is known: 288 with 3 managers, 8,832 with 5, 296,448 with 7 and 10,340,352
// with 9. So the package is also a test of the engine, and a benchmark.
package twophase
