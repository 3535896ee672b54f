// Command custody checks models of the family custody/… for package mutants, which builds it with
// one mutant at a time: see package judge for what it prints and how it exits.
package main
