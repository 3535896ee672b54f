// Package mutants lists deliberate mistakes in the cores, and demands that the models notice them:
// a check that passes whatever the core does is worth nothing.
//
// A [Mutant] is one small edit of one source file, with the model and the property that must catch
// it. Package mutation makes each edit another body of the function that it changes, so that all
// mutants are in one build, and switches one on at a time. Nothing is ever written to the tree.
//
// Some mistakes show only where there is more of something than a model can have: neighbours, hops,
// changes of one zone, candidates. Mutants of that kind name a scenario of the simulator (package
// sim) instead of a model, and a number of seeds.
//
// Mistakes in code that no model has are in package tested, and name a test.
//
// # Guarantees
//
// The tests of this package show, for each mutant of [All]:
//
//   - Applies: the old text occurs exactly once in its file, and the edit changes the body of one
//     function. When the core changes, a mutant that no longer fits fails the test instead of
//     quietly testing nothing.
//   - Compiles: the mutated core builds.
//   - Caught: the scenario is violated by one of that many seeds, from 1, by something else than a
//     panic; or the script comes out differently; or the model reports a violation of the named
//     property that it does not declare, within the level of the breadth-first search on which it
//     finds the first violation of any. (A model that declares a violation is searched through.)
//   - Sharp: the very same model reports no such violation when no mutant is on, so it is the
//     mutation that is caught. The scenario and the scripts likewise.
//   - Large: no model of the default run of the mutant's core, searched to 10,000 states and the
//     rest of its level, catches a mutant of a scenario. So the simulator is needed.
//
// A core that panics is caught too: its property is [Panic]. That is an honest verdict for a core
// whose own encoding refuses its state or that never finishes building the initial map, but it says
// nothing about the properties, so few mutants are of that kind.
//
// # Assumptions
//
// Mutants stand for the mistakes that we thought of. That all of them are caught does not show that
// every mistake would be; that one is not shows a hole. What no mutant touches: texts, encodings
// and the lengths of timers, which models do not see and unit tests cover; and what serves only a
// node that was suspected falsely (fencing), since models that suspect live nodes are expected to
// fail.
//
// # What a caller does
//
// Run "make mutants" to try all of them; "go test ./internal/mutants" tries a few, and
// CANVASS_MUTANTS chooses others: names with commas between them, or a share such as "2/4". To
// measure what each method needs to find a mutant, run "go run ./internal/mutation/run methods
// NAME".
package mutants
