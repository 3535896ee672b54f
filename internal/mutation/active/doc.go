// Package active holds the switch of the mutants: which one of them is on.
//
// The copies of sources that package mutation writes, and that are never committed, ask for it: a
// function that edits change goes to the body that is on, and at each place with a systematic
// mutant one of the functions of this package is called, which returns what the core computed
// unless that mutant is on.
//
// # Usage
//
// A program that tries mutants in one process calls [Switch]. A test binary gets the mutant from
// the variable CANVASS_MUTANT of its environment.
//
// # Guarantees
//
//   - OneMutant: at most one mutant is on.
//   - Transparent: without a mutant, a core computes the same as its source.
//
// # Assumptions
//
//   - No mutant is switched while a core runs.
package active
