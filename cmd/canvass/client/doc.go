// Package client holds what all commands share that ask a daemon: which daemon it is, the flags for
// that, signals and limits, exit codes, completion, and notices about jobs that wait.
//
// # Usage
//
// A command has a [Daemon], whose flags [Env.Flags] adds, and asks it in a function that it passes
// to [Env.Ask]. A command that waits for a job starts [Env.Notice] and ends it when the wait is
// over.
//
// # Guarantees
//
//   - Found: a daemon is the one of --socket, of CANVASS_SOCKET, or of the only grid of canvass dev
//     that this user runs, in a folder that no other user can enter.
//   - Ended: a signal, or --timeout, ends a command within two seconds, also one whose reader does
//     not read.
//   - Coded: the error of a daemon has the exit code that "canvass help exit-codes" lists.
//
// # Assumptions
//
//   - The sockets of canvass dev are where this version puts them.
package client
