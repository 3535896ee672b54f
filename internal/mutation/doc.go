// Package mutation breaks the cores, and parts of the daemon around them, in systematic ways, and
// says which breakages nothing notices. [Packages] lists what is broken.
//
// The mutants of package mutants were written by the authors of the cores, for checks that catch
// them. These were chosen by nobody: each operator is applied at each place of the cores where it
// fits. [Operators] lists them: conditions that are always true or false, comparisons and constants
// off by one, statements, fields and encodings left out, arguments swapped, values read from the
// wrong place.
//
// All mutants are in one build. [Instrument] writes copies of the cores in which each mutant has a
// number and package active switches it on. One process then tries one mutant after the other.
//
// A mutant is tried in three steps, until something kills it:
//
//  1. Models of the default run, as "canvass check" judges them: a verdict that is not the expected
//     one, a panic, or a search that has ten times the states that the model has without a mutant.
//  2. Tests of the packages of [Packages] and of some that drive them: the quick ones in one
//     process, then each of the others, the shortest first.
//  3. Scenarios, on their first seeds. Those of whole simulated daemons come before tests.
//
// One run of everything without a mutant notes which mutants would have computed another value
// somewhere. A mutant is not tried where it makes no difference: it cannot be noticed there. A test
// that draws its input may miss a mutant that it reaches in another run. Models that have killed
// many mutants in little time come first.
//
// Tests that start and kill processes run in namespaces of their own, with a machine that is
// read-only but for a scratch folder, since a mutant may kill or remove anything.
//
// # Usage
//
//	go run ./internal/mutation/run -only can.node.propose   # the mutants of one function
//	go run ./internal/mutation/run -shard 1/8               # a share of all
//
// Results are kept in out/mutation; a run that is interrupted goes on when it is started again. A
// mutant that survives needs a reason in reasons/: that it is equivalent, or that no property
// speaks of the difference, by design.
//
// # Guarantees
//
//   - OneMutant: at most one mutant is on.
//   - Repeatable: a mutant is tried in the same binary as all others, and is named by the function,
//     the operator and the source that it changes.
//
// # Assumptions
//
//   - Assertions are not mutated: without a mutant they never fail. Nor are texts for people, logs,
//     arguments of events, and the published algorithms, whose models expect them to fail.
//   - Models and scenarios that take long are left out unless asked for (-states, -check,
//     -simulate). So "survives" means: within these bounds.
//   - What a model computes while a package is initialised is computed without the mutant. In test
//     binaries the mutant is on from the beginning.
package mutation
