// Package node implements the commands that run a grid: dev, and node with init, token, join,
// agent, status, drain, repair, accept-loss, metrics and flight.
//
// # Usage
//
// The program passes a [client.Env] to [Commands], and adds the returned commands to its own.
//
// # Guarantees
//
//   - Atomic: init and join write the whole folder of a daemon, or leave it empty.
//   - Complete: drain returns when the daemon has ended, or counts as dead.
//   - Separate: results go to standard output, everything else to standard error.
//
// # Assumptions
//
//   - Those of package client. The folder of a daemon is on a local disk.
package node
