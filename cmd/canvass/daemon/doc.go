// Package daemon implements the commands of canvass that run daemons and jobs: dev, init, token,
// join, agent, submit, run, wait, status, why, logs, cancel, nodes, events, custody, metrics and
// flight.
//
// # Usage
//
// The program passes what the commands need as an [Env] to [Commands], and adds what it returns.
//
// # Guarantees
//
//   - Passed: run and wait end with the code of the job: that of its first rank that failed, 128
//     and a signal's number, 124 for a time-out, 130 for a cancelled job, 254 if no node can take
//     it, 253 if the grid gave up, and 252 if outputs could not be kept.
//   - Separate: results go to the standard output, all else to the error output.
//
// # Assumptions
//
//   - A daemon is found by --socket, by CANVASS_SOCKET, or as the only grid of "canvass dev" that
//     this user runs.
package daemon
