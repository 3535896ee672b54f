// Package mutants lists deliberate mistakes and demands that the checks notice them: a check that
// always passes is useless.
//
// A [Mutant] is one small edit of one source file of a core, with the model and the property that
// must catch it. Package mutation makes each edit another body of the function that it changes, so
// that all mutants are in one build, and switches one on at a time. Nothing is ever written to the
// tree.
//
// Some mistakes show only in systems that are larger than any model: more neighbours, hops, changes
// of one zone, candidates. Mutants of that kind name a scenario of the simulator (package sim)
// instead of a model, and a number of seeds.
//
// A policy, a metric, a selection of jobs or the loop of a daemon has no model. A [Tested] mutant
// of such code names a test.
//
// # Usage
//
// Run "make mutants" to try all of them. "go test ./internal/mutants" tries a few, and
// CANVASS_MUTANTS chooses others: names separated by commas, or a share such as "2/4". To measure
// the effort of each method to find a mutant, run "go run ./internal/mutation/run methods NAME".
//
// docs/mutants.md has a table of the mutants of [Driver]. After a change of that list, rewrite it:
//
//	go test ./internal/mutants -run TestPage -rewrite
//
// # Guarantees
//
// The tests of this package show, for each mutant of [All]:
//
//   - Applies: the old text occurs exactly once in its file, and the edit changes the body of one
//     function. When the core changes, a mutant that no longer fits fails the test instead of
//     quietly testing nothing.
//   - Compiles: the mutated core builds.
//   - Caught: one of that many seeds, from 1, violates the scenario by something else than a panic;
//     or the script has another result; or the model reports an unexpected violation of the named
//     property, within the level of the breadth-first search on which it finds the first violation
//     of any. (A model that is expected to fail is searched completely.)
//   - Sharp: the same model reports no such violation when no mutant is on, so the mutation is
//     caught. The scenario and the scripts likewise.
//   - Large: no model of the default run of the mutant's core, searched to 10,000 states and the
//     rest of its level, catches a mutant of a scenario. So the simulator is needed.
//
// And for each mutant of [AllTested]:
//
//   - Named: the mutant counts as caught only if the test that it names fails.
//   - Sound: each of these tests passes on the code as it is.
//   - Quick: a test has [TestLimit] to notice the mutant, on top of the time to compile its
//     package.
//   - Complete: the duties of a driver in testdata/duties.txt have a mutant each.
//
// A core that panics is caught too: its property is [Panic]. That is an honest verdict for a core
// whose own encoding refuses its state or that never finishes building the initial map, but it says
// nothing about the properties, so few mutants are of that kind.
//
// # Assumptions
//
// Mutants stand for the mistakes that we thought of. If all of them are caught, others may still
// pass; if one is not, there is a hole. No mutant touches texts, encodings and the lengths of
// timers, which models do not see and unit tests cover, nor code that serves only a node under
// false suspicion (fencing), since models that suspect live nodes are expected to fail.
package mutants
