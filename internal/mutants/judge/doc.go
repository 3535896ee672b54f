// Package judge checks models, named on the command line, one after the other, and prints a line of
// JSON for each: a mutants.Verdict. There is a program for each family of models, in package
// mutants/check/FAMILY, so that a mutant of one core needs no more to be built than the models of
// that core.
//
// A program exits with 0 whatever the verdicts are, with 1 when a check cannot be made, and with 2
// when there is no model of a name.
//
// # Guarantees
//
// Panics: a core that panics is a verdict, not a crash.
//
// # Assumptions, and what is not modelled
//
// Everything about mutants is in package mutants.
//
// # What a caller does
//
// Call [Main] with the models of a family, or [Check] with one model.
package judge
