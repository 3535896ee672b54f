// Command can probes mutants of the map in the models of their cores and in the scenarios can/…,
// for package mutants, which builds it with one mutant at a time: see package probe for what it
// prints.
package main
