// Command canvass checks distributed protocols by running their own Go code through every
// interleaving of messages, timeouts and crashes, within stated bounds. The same code runs jobs on
// a grid of daemons, and experiments with schedulers.
//
// # Usage
//
//	canvass check, models     check models, and list them: package check
//	canvass simulate          run scenarios on many seeds, with faults: package simulate
//	canvass replay FILE       run a counterexample again and show it: package replay
//	canvass merge FILE...     join the reports of the shards of a check or a simulation
//	canvass new MODULE        write a module to start from
//	canvass run, status, ...  run jobs on a grid: package jobs
//	canvass dev, node         run a grid: package node
//	canvass lab               run scheduling experiments: package lab
//	canvass version           print the version
//	canvass completion SHELL  completion for bash, zsh, fish and PowerShell
//	canvass help TOPIC        exit-codes, json, selections
//
// # Guarantees
//
//   - Results go to standard output, progress and diagnostics to standard error.
//   - Machine-readable: every query has --json, one object a line with a versioned schema.
//   - A mistake is one line on standard error that names the mistake and the remedy.
//   - On a terminal a command overwrites one status line while it runs. Anywhere else, and with
//     NO_COLOR or TERM=dumb, it prints a line every ten seconds, and nothing with --quiet.
//   - A former name of a command works for one release, with one line about it on standard error.
//
// # Assumptions
//
//   - Nothing is read from the environment but NO_COLOR, TERM, the variables of GitHub Actions
//     (GITHUB_ACTIONS, GITHUB_STEP_SUMMARY), CANVASS_SOCKET and CANVASS_DATA, CANVASS_TASK of a
//     shim, and CANVASS_PANIC, which turns an internal error into a stack trace.
package main
