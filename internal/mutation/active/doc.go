// Package active holds the switch of the systematic mutants: which one of them is on.
//
// The instrumented copies of the cores, which package mutation writes and which are never
// committed, call its functions at each place that can be mutated. With no mutant on, each returns
// what the core computed.
//
// # Usage
//
// A program that tries mutants in one process calls [Switch]. A test binary gets the mutant from
// the variable CANVASS_MUTANT of its environment.
//
// # Guarantees
//
//   - OneMutant: at most one mutant is on.
//   - Transparent: with none on, a core computes what its source says.
//
// # Assumptions
//
//   - Nobody switches while a core runs.
package active
