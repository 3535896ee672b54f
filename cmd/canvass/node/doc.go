// Package node implements the commands of those who run a grid: dev, and node with init, token,
// join, agent, status, drain, repair, accept-loss, metrics and flight.
//
// # Usage
//
// The program passes a [client.Env] to [Commands], and adds what it returns.
//
// # Guarantees
//
//   - Whole: init and join write the whole folder of a daemon, or leave it empty.
//   - Left: drain returns when the daemon has ended, or counts as dead.
//   - Separate: results go to the standard output, all else to the error output.
//
// # Assumptions
//
//   - Those of package client. The folder of a daemon is on a local disk.
package node
