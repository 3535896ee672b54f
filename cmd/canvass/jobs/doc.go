// Package jobs implements the commands that run and manage jobs: run, submit, wait, status, why,
// logs, ls, get, cancel, hold, release, rm and events.
//
// # Usage
//
// The program passes a [client.Env] to [Commands], and adds the returned commands to its own.
//
// # Guarantees
//
//   - Passed on: run and wait exit with the code of the job: that of the first rank that failed,
//     128 plus a signal's number, 124 for a time-out, 130 for a cancelled job, 254 if no node can
//     take it, 253 if the grid gave up, and 252 if outputs could not be kept.
//   - Separate: results go to standard output, everything else to standard error.
//
// # Assumptions
//
//   - Those of package client.
package jobs
