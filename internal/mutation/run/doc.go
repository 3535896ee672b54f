// Command run tries the systematic mutants of the cores, and keeps what is known of them: see
// package mutation.
//
// It exits with 1 if a mutant survives that has no reason, or a reason is out of date.
package main
