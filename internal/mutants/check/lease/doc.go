// Command lease checks models of the family lease/… for package mutants, which builds it with one
// mutant at a time: see package judge for what it prints and how it exits.
package main
