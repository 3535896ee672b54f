// Package node puts a daemon together: the cores of a node in one loop, links to other daemons,
// the processes of jobs, the store, the recorder, and the interface for users.
//
//	node.go         begins and ends a life; the one goroutine that owns everything here
//	environment.go  what the loop asks of the machine
//	calls.go        questions that daemons ask each other, beside the messages of the cores
//	attempts.go     attempts of which this node is host or representative
//	process.go      the process of a task
//	entry.go        jobs that were handed in here: submission, permit, outcome, cancellation
//	audit.go        jobs whose owner or hosts have died
//	lease.go        leases: when this life ends, and which others have
//	admit.go        nodes that join the grid, and their tokens
//	near.go         latencies, and which nodes are near
//	views.go        what users see
//
// # Usage
//
//  1. [Open] a folder with an identity (package identity) and a [Config].
//  2. [Node.Run] runs the daemon until its context ends. It serves users on a Unix socket in the
//     folder.
//
// # Guarantees
//
//   - OneGoroutine: cores, jobs and attempts are touched by one goroutine, in turns.
//   - Durable: a job is in the store before its user receives its id. An outcome is in the store
//     before a host is notified that it is safe.
//   - OnePermit: of two attempts at a job the second gets a permit only when every host of the
//     first has said that its processes are gone, or its life is over.
//   - Certain: the map and the clusters suspect a node only when a majority of witnesses has
//     certified its death (package lease).
//   - Fenced: a life ends with all that it runs before others can count it as dead.
//
// # Assumptions
//
//   - A job's record has one copy, at the daemon that took it. While that daemon is down, the job
//     waits.
//   - A turn of the loop takes less than the half second that a life has to end.
package node
