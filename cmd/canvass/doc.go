// Command canvass checks distributed protocols by running their own Go code through every
// interleaving of messages, timeouts and crashes, within stated bounds, and replays the runs that
// violate a property.
//
// # Usage
//
//	canvass models            list what can be checked
//	canvass check             check all models but the deep ones; counterexamples go to out/traces
//	canvass simulate          run scenarios on many seeds, with faults; findings are shrunk and saved
//	canvass replay FILE       run a counterexample again on the real cores and show it
//	canvass merge FILE...     join the reports of the shards of a swarm
//	canvass version           print the version
//	canvass completion SHELL  completion for bash, zsh, fish and PowerShell
//	canvass help TOPIC        exit-codes; json: the fields of the JSON output
//
// # Guarantees
//
//   - Results go to standard output, progress and diagnostics to standard error.
//   - Quiet: a check in which every verdict is the expected one prints a line for each family of
//     models, and one with the totals. An unexpected verdict is described in full, with the command
//     that replays the counterexample.
//   - Honest: a check that ends early is inconclusive, never a pass. An expected violation that
//     does not occur is a failure, since a test that cannot fail proves nothing. It is accepted
//     only under a fault budget from the command line, which the expectation is not about. A
//     simulation holds on the seeds that were run, and says how many they were.
//   - Machine-readable: every query has --json, one object a line with a versioned schema.
//   - A mistake is one line on standard error that names the mistake and the remedy.
//   - Early: flags and folders are checked before the first model.
//   - On a terminal one status line is overwritten while a check runs. Anywhere else, and with
//     NO_COLOR or TERM=dumb, a line comes every ten seconds, and with --quiet none.
//
// # Assumptions
//
//   - Nothing is read from the environment but NO_COLOR, TERM, the variables of GitHub Actions
//     (GITHUB_ACTIONS, GITHUB_STEP_SUMMARY), CANVASS_SOCKET and CANVASS_DATA, CANVASS_TASK of a
//     shim, and CANVASS_PANIC, which turns an internal error into a stack trace.
//   - A model lists the properties that it is expected to violate: those of published algorithms
//     that are transcribed to show their errors, and those of models that drop an assumption.
package main
