// Package procs reads the processes of the machine, and ends exactly the processes that it has
// read: by the time that a number is used, another process may have it, so number and start time
// together identify a process. It needs Linux.
//
// # Guarantees
//
//   - Exact: [Open] and [Process.Kill] reach the process that was read, or none.
//   - EndedOrError: a process that cannot be read is an error, and only a process that has ended is
//     [ErrEnded].
//   - WithoutItsFirstThread: a process goes on as long as one of its threads does, although Linux
//     shows it as a zombie.
//
// # Assumptions
//
//   - /proc shows the processes of the caller's PID namespace. Processes that it hides from the
//     caller do not exist for this package.
//   - Processes start and end while they are read. A caller that must find all of them looks more
//     than once.
package procs
