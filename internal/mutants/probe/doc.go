// Command probe looks for violations at random, by three methods, in the core that it was built with, and prints a
// mutants.Effort. Package mutants builds it for a mutant: see command methods.
package main
