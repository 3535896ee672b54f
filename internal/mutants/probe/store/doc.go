// Command store probes mutants of registers in the models of their cores and in the scenarios
// store/…, for package mutants, which builds it with one mutant at a time: see package probe for
// what it prints.
package main
