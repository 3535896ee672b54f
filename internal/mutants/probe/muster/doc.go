// Command muster probes mutants of the roll call in the models of their cores and in the scenarios
// muster/…, for package mutants, which builds it with one mutant at a time: see package probe for
// what it prints.
package main
