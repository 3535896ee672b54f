// Package probe looks for violations in the core that it was built with, by each method: the
// checker on a model, two kinds of random walk through that model, and scenarios of the simulator.
// There is a program for each group of cores that run in the same scenarios, in package
// mutants/probe/GROUP, so that one build of a mutant is enough for all methods.
//
// A program prints a mutants.Effort.
//
// # Guarantees
//
// Panics: a core that panics is found by that, and the program goes on.
//
// Honest: a method that was stopped says how far it had come.
//
// # Assumptions, and what is not modelled
//
// Everything about mutants is in package mutants.
//
// # What a caller does
//
// Call [Main] with the models and scenarios of a group.
package probe
