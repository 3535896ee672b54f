// Package jobs implements the commands of those who run jobs: run, submit, wait, status, why, logs,
// ls, get, cancel, hold, release, rm and events.
//
// # Usage
//
// The program passes a [client.Env] to [Commands], and adds what it returns.
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
//   - Those of package client.
package jobs
