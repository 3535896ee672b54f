// Package client connects commands to a daemon. It finds the daemon, defines the flags for that,
// handles signals, time limits and exit codes, completes names, and prints notices about waiting
// jobs.
//
// # Usage
//
// A command has a [Daemon], adds its flags with [Env.Flags], and sends requests from a function
// that it passes to [Env.Ask]. A command that waits for a job starts [Env.Notice] and stops it when
// the wait is over.
//
// # Guarantees
//
//   - Found: the daemon is that of --socket, of CANVASS_SOCKET, or of the only grid of canvass dev
//     that this user runs, in a folder that no other user can enter.
//   - Bounded: a signal, or --timeout, ends a command within two seconds, even if the reader of its
//     output does not read.
//   - Documented: the error of a daemon has the exit code that "canvass help exit-codes" lists.
//
// # Assumptions
//
//   - The sockets of canvass dev are where this version puts them.
package client
