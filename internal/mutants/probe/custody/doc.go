// Command custody probes mutants of the record of a job in the models of its core and in the
// scenarios custody/…, for package mutants, which builds it with one mutant at a time: see package
// probe for what it prints.
package main
