// Command lease probes mutants of leases in the models of their cores and in the scenarios
// lease/…, for package mutants, which builds it with one mutant at a time: see package probe for
// what it prints.
package main
