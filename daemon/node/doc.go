// Package node puts a daemon together: the cores of a node in one loop, links to other daemons,
// the processes of jobs, the store, the recorder, and the interface for users.
//
//	node.go         begins and ends a life; the one goroutine that owns everything here
//	environment.go  what the loop asks of the machine
//	calls.go        questions that daemons ask each other, beside the messages of the cores
//	attempts.go     attempts of which this node is host or representative
//	process.go      the process of a task
//	entry.go        jobs that were handed in here: submission, permit, outcome, cancellation
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
//     first has said that its processes are gone, or has begun another life.
//
// # Assumptions
//
//   - No node is suspected by the map and the clusters: a node that does not answer stays there,
//     and what it holds waits for it.
//   - A job's record has one copy, at the daemon that took it. While that daemon is down, the job
//     waits.
package node
