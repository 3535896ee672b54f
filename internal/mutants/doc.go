// Package mutants breaks the cores on purpose, a line at a time, and demands that the models
// notice: a check that passes whatever the core does is worth nothing.
//
// A [Mutant] is one small edit of one source file, with the model and the property that must catch
// it. The edit is handed to the compiler as an overlay (go build -overlay), so the mutated copy
// lives in a temporary folder and nothing is ever written to the tree. A program of the folder
// check, built with the overlay, runs the named models on the mutated core.
//
// Some mistakes show only where there is more of something than a model can have: neighbours, hops,
// changes of one zone, candidates. Mutants of that kind name a scenario of the simulator (package
// sim) instead of a model, and a number of seeds. A program of the folder probe runs both that
// scenario and the models.
//
// # Guarantees
//
// The test of this package shows, for each mutant of [All]:
//
//   - Applies: the old text occurs exactly once in its file. When the core changes, a mutant that
//     no longer fits fails the test instead of quietly testing nothing.
//   - Compiles: the mutated core builds.
//   - Caught: the scenario is violated by one of that many seeds, from 1, by something else than a
//     panic; or the script comes out differently; or the model reports a violation of the named
//     property that it does not declare, within the level of the breadth-first search on which it
//     finds the first violation of any. (A model that declares a violation is searched through.)
//   - Sharp: the very same model reports no such violation when the core is whole, so it is the
//     mutation that is caught. The scenario likewise.
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
// Run "make mutants" to try all of them; "go test ./internal/mutants" tries a few, and CI a share
// that its commit picks (CANVASS_MUTANTS, such as "2/4"). To look at one mutant by hand, write
// its overlay with [Mutant.Overlay], build check with it, and give it the names of models; the
// command methods does that with every method that the repository has.
package mutants
