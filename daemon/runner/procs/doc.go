// Package procs reads the processes of the machine, and ends exactly those that it has read: a
// number may be that of another process by the time that it is used, so number and start time
// together name one. Only Linux has what it needs.
//
// # Guarantees
//
//   - Exact: [Open] and [Process.Kill] reach the process that was read, or none.
//   - EndedOrError: what cannot be read is an error, and only what has ended is [ErrEnded].
//   - WithoutItsFirstThread: a process goes on as long as one of its threads does, although Linux
//     shows it as a zombie.
//
// # Assumptions
//
//   - /proc shows the processes of the caller's PID namespace. Those that it hides from the caller
//     are none.
//   - Processes start and end while they are read. A caller that must find all of them looks more
//     than once.
package procs
