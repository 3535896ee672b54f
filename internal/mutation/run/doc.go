// Command run tries mutants: see package mutation.
//
//	run [FLAGS]            tries the systematic mutants, and keeps what is known of them
//	run methods [NAME...]  measures how hard mutants that were written by hand are to find
//	run trial              tries mutants that this program was built with, for the other two
//
// It exits with 1 if a mutant survives that has no reason, or a reason is out of date.
package main
