// Package tasks runs the tasks of a node. As a host it prepares, starts and ends one task at a
// time. As a representative it reports the outcome of an attempt to the custodians of its job. The
// task layer of the peer core says which task, and the muster core of an attempt says when: this
// package decides neither. Processes and working folders are those of package host.
//
//	attempts.go   attempts of which this node is host or representative
//	process.go    the process of a task
//	folders.go    its inputs and outputs
//	output.go     the output streams of tasks
//	fitness.go    whether tasks can run here
//
// # Usage
//
//  1. Make [Attempts], [Outputs] and a [Fitness] with the runtime of a daemon.
//  2. Pass on the events of the muster cores (OnMuster) and of the peer core (OnPeer), and the ends
//     of the run timer (EndTask).
//  3. Answer the calls Holds, Halt, Content, Output, Printed and Forget with their methods.
//
// # Guarantees
//
//   - Permitted: a process starts only after the muster core has told this host to go.
//   - Ended: the task layer is notified of the end of a task when its processes are gone. If they
//     are not gone two seconds after SIGKILL, the incarnation ends.
//   - Cordoned: a node that has lost a task takes none until a trial shows that tasks can run.
//
// # Assumptions
//
//   - The host starts one shim for each task, which ends the whole tree of processes.
package tasks
