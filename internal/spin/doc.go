// Package spin builds and runs the verifier that SPIN makes of a Promela model, and reads what it
// prints.
//
// It needs the command spin and a C compiler, cc or what the variable CC names. [Missing] says
// which of them is not there.
//
// The verifier's exit code says nothing about the model, so its output is all there is; a search
// that was cut short in any way is Inconclusive, unless it has found something.
package spin
