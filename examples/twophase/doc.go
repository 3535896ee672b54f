// Package twophase is the two-phase commit of Gray and Lamport (Consensus on Transaction Commit,
// 2006, the TLA+ module TwoPhase) as a model of package checker: resource managers that prepare or
// abort on their own, and one transaction manager that commits when all are prepared, or aborts.
// Messages are a set from which nothing is ever taken.
//
// It shows how a model is written for speed, with no core and no network of package model: a state
// is two words of bits, and a successor is made of its parent by setting a few of them.
//
// The number of states is known: 288 with 3 managers, 8,832 with 5, 296,448 with 7, 10,340,352 with
// 9. That makes the package a test of the engine as well, and a benchmark.
package twophase
