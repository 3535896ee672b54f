// Package tested lists deliberate mistakes in the scheduling laboratory and in the driver of the
// daemon, each with the test that must notice it.
//
// The mutants of package mutants break cores and are caught by models. A policy, a metric, a
// selection of jobs or the loop of a daemon has no model, so a mutant here names a test.
//
// # Usage
//
// A mutant is a line of [All]. The tests of package mutants, which "make mutants" runs, switch each
// on in the binary of its test. The variable CANVASS_MUTANTS chooses mutants as it does there.
//
// docs/mutants.md has a table of those of [Driver]. After a change of the list write it anew:
//
//	go test ./internal/mutants/tested -run TestPage -rewrite
//
// # Guarantees
//
//   - Named: a mutant counts as caught only if the test that it names fails. A mutant that does not
//     compile is an error of all.
//   - Complete: the duties of a driver that testdata/duties.txt names have a mutant each.
//   - Sound: each of these tests passes on the code as it is.
//   - Quick: a test has [Limit] to notice the mutant, on top of what its package takes to compile.
//
// # Assumptions
//
//   - The old text of a mutant occurs once in its file. Otherwise a test says which mutant does not
//     fit the code any more.
package tested
