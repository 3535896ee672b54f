// Package mutation switches deliberate mistakes on in one build of the repository, and says which
// of them nothing notices.
//
// There are two kinds. An [Edit] was written by hand (packages mutants and tested list them): it
// becomes another body of the function that it changes, and [Edited] tries it in the model, the
// scenario or the test that must catch it. A [Mutant] is systematic: each operator is applied at
// each place of [Packages] where it fits. [Operators] lists them: conditions that are always true
// or false, comparisons and constants off by one, statements, fields and encodings left out,
// arguments swapped, values read from the wrong place.
//
// Both kinds work in the same way. The compiler reads instrumented copies of the sources through an
// overlay. They are never committed, and ask package active which mutant is on. The command run,
// built with them, checks models and runs scenarios; test binaries get the mutant from their
// environment. Code without a systematic mutant in it is as fast as it is, but for one comparison
// in each function that an edit changes.
//
// # Systematic mutants
//
// One is tried in three steps, until something kills it:
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
//   - Whole: an edit that changes more than the body of one function is refused, and says so.
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
//     binaries, and of edits, the mutant is on from the beginning.
package mutation
