// Command peer probes mutants of the refinement, of tasks and of peers in the models of their cores
// and in the scenarios refine/…, reptask/… and peer/…, for package mutants, which builds it with
// one mutant at a time: see package probe for what it prints.
package main
