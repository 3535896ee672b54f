// Canvass checks the protocols of the grid, exhaustively within stated bounds, on the code that
// runs in production, and replays the runs that break them.
//
//	canvass models            what can be checked, and which verdicts are declared
//	canvass check             check everything but the deep models; counterexamples go to out/traces
//	canvass simulate          run worlds on many seeds, with faults; what is found is shrunk and kept
//	canvass replay FILE       make a run again on the real cores, and show it: as text, as a page, for other programs
//	canvass version           which version this is
//	canvass completion SHELL  completion for bash, zsh, fish and PowerShell
//
// # Conventions
//
// Results go to standard output and talk to standard error. Every query has --json: one object a
// line, to which fields are added but never changed. A mistake is one line on standard error that
// says what is wrong and what to do. On a terminal one status line is written over while a check
// runs; anywhere else, and with NO_COLOR or TERM=dumb, a line comes every ten seconds, and with
// --quiet none.
//
// Nothing is read from the environment but NO_COLOR, TERM, the variables by which GitHub Actions is
// known (GITHUB_ACTIONS, GITHUB_STEP_SUMMARY) and CANVASS_PANIC, which turns an internal error into
// a stack trace.
//
// # Verdicts
//
// A model declares which of its properties are violated: those of published algorithms that are
// kept to show what is wrong with them. A verdict is good if it is the declared one. A declared
// violation that does not occur is as bad as one that nobody declared, for a test that cannot fail
// proves nothing; only under a fault budget from the command line it is let pass, since
// declarations are made for the model's own. A check that ends early is inconclusive, never a pass.
//
// A simulation holds on the seeds that were run, and says how many those were. A walk through a
// model that found nothing is inconclusive by name, but ends with 0: nothing else was asked for.
//
// # Exit codes
//
//	0   every verdict is the declared one; a replayed trace still fits
//	1   the tool failed: a file, a panic in a core, a trace that no longer fits
//	2   the command line makes no sense
//	10  a violation that is declared, or a witness, did not occur
//	11  a deadlock that is not declared
//	12  a violation of a safety property (always, quiescent) that is not declared
//	13  a violation of a liveness property (leads to, reaches, almost surely) that is not declared
//	20  inconclusive: stopped by a limit or a signal before everything was decided
//
// If several apply, the first of 1, 12, 11, 13, 10, 20 counts. A replay on another model
// (--against) ends with 11, 12 or 13 if that model shows the violation too.
package main
