// Package replay implements the command replay.
//
// # Usage
//
// The program passes a [verdict.Env] to [Command], and adds the returned command to its own.
//
// # Guarantees
//
//   - Computed: each view shows the run of the present cores, not the states of the file.
//   - Refused: a trace that no longer fits its model is an error that says what to do.
//
// # Assumptions
//
//   - A trace belongs to a model or a scenario of the program, or was merged from the flight
//     records of daemons.
package replay
