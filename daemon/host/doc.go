// Package host runs the tasks of a daemon on its machine, and keeps their files: working folders,
// streams of output, and the space that all of them take.
//
//	host.go     what a node needs of its host; a simulator has its own
//	machine.go  the host of a real machine: commands, ports, processes
//	confine.go  how far tasks are kept from the daemon
//	work.go     working folders
//	output.go   what tasks have printed
//	space.go    the space on the disk
//	looks.go    looks at files that may never answer
//
// # Usage
//
//  1. [MakeRoom] frees space on a full disk, so that the daemon can begin.
//  2. [Open] ends what a former life has left, and returns the [Machine] of this one.
//  3. The node calls the methods of [Host]. It extends the time of its processes with each lease.
//  4. [Machine.Close] ends all processes.
//
// # Guarantees
//
//   - Prompt: no method that the goroutine of the node calls waits for a removal, or for a file
//     that a job names.
//   - Own: what a task puts in place of its files leads to no file of the daemon.
//   - Once: each process that was started is reported once, when all that it has started is gone.
//
// # Assumptions
//
//   - One machine at a time uses a folder: package runner sees to that.
//   - Only the goroutine of the node calls the methods that [Host] does not name as others.
package host
