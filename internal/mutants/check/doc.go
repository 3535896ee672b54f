// Command check checks models of the catalogue, named as its arguments, one after the other, and prints a
// line of JSON for each: a mutants.Verdict. Package mutants builds it again for every mutant.
//
// It exits with 0 whatever the verdicts are, with 1 when a check cannot be made, and with 2 when there is no
// model of a name.
package main
