// Package host runs the tasks of a daemon on its machine, and keeps their files: working folders,
// output streams, and the disk space for all of them. It runs tasks when package node asks for it,
// and decides about no job.
//
//	host.go     the node's view of its host; a simulator has its own host
//	machine.go  the host of a real machine: commands, ports, processes
//	confine.go  how far tasks are kept from the daemon
//	work.go     working folders
//	output.go   output streams
//	space.go    disk space
//	looks.go    access to files whose file system may hang
//
// # Usage
//
//  1. [MakeRoom] frees space on a full disk, so that the daemon can begin.
//  2. [Open] ends the remains of an earlier incarnation, and returns a [Machine].
//  3. The node calls the methods of [Host]. It extends the time of its processes with each lease.
//  4. [Machine.Close] ends all processes.
//
// # Guarantees
//
//   - Prompt: no method that the goroutine of the node calls waits for a removal, or for a file
//     that a job names.
//   - Own: a task that replaces its files, by links for example, exposes no file of the daemon.
//   - Once: each process is reported once, when it and all its descendants are gone.
//
// # Assumptions
//
//   - One machine at a time uses a folder: package runner enforces it.
//   - The goroutine of the node calls the methods, except those marked in [Host].
package host
