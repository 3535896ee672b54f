// Package node puts a daemon together: the cores of a node in one loop, links to other daemons,
// the processes of jobs, the store, the recorder, and the interface for users.
//
//	node.go         begins and ends a life; the one goroutine and its turns
//	parts.go        all parts of a daemon, and how they are put together
//	machine.go      the machine, what all parts run on, and what they ask each other
//	step.go         a life without goroutines, which a simulator drives
//	environment.go  what the loop asks of the node, and the hooks that follow its events
//	calls.go        the handlers of calls, and what package rpc needs of the node
//
// Tasks and their files:
//
//	attempts.go     attempts of which this node is host or representative
//	process.go      the process of a task
//	files.go        its inputs and outputs
//	output.go       what tasks have printed
//	library.go      contents that are here, and reading those of others
//	balance.go      jobs that move from a busy node to an idle one
//	health.go       whether the daemon can do its part
//
// Records of jobs:
//
//	entry.go        jobs that are handed in here: their names and custodians
//	custody.go      the part of this node in the record of a job (records, with entry.go and end.go)
//	decide.go       what attempts ask the primary of a job: the permit, and that an outcome is kept
//	submit.go       submission of jobs to the grid; turn.go whose turn it is
//	end.go          time-outs, deadlines, cancellation
//	array.go        arrays
//	contents.go     copies of records and contents at the other custodians
//	forget.go       jobs that nobody wants any more
//	audit.go        jobs whose custodians, owner or hosts have died
//	do.go           what users and operators do with jobs, from cancel to the loss of a disk
//
// The nodes of the grid:
//
//	members.go      which nodes there are, which have died, and which have left
//	lease.go        leases: when this life ends, and which others have
//	near.go         latencies, and which nodes are near
//	drain.go        how this node leaves
//	repair.go       a new map in place of one that stays broken
//	links.go        links to other daemons, and where those are
//	admit.go        nodes that join the grid, their tokens, and certificates
//
// Users, and what they see:
//
//	views.go        jobs and nodes; why.go for what a job waits
//	locate.go       jobs of which other daemons have a copy
//	events.go       what has happened, and users that wait for something to happen
//	metrics.go      what the daemon counts and measures; recorder.go the flight record
//	breaches.go     what the protocols assume to be impossible, counted when it happens
//	fence.go        why a life was fenced, counted over all lives
//	watchdog.go     ends a life whose goroutine hangs, and logs steps that take long
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
//   - Durable: a job is on the disks of its custodians, up to three daemons, before its user
//     receives its id, and with it what it reads. An outcome is on the disks of all that live,
//     before a host is notified that it is safe (package custody).
//   - Kept: a job has succeeded only if each output that it declares is on the disk of a custodian
//     at least: of all that live, but those without room for it, which the record names and which
//     copy it later. An output that no custodian has room for is offered again for a minute, while
//     the job still runs. What can be kept nowhere fails its task, and the record names it.
//   - OnePermit: of two attempts at a job the second gets a permit only when every host of the
//     first has said that its processes are gone, or its life is over.
//   - Certain: the map and the clusters suspect a node only when a majority of witnesses has
//     certified its death (package lease).
//   - Fenced: a life ends with all that it runs before others can count it as dead. A watchdog ends
//     the process if the node's goroutine hangs then. It ends no life whose lease holds: a daemon
//     that waits for a busy processor or a slow disk, or was stopped for a moment, has still kept
//     every promise, and to end it would cost its tasks for nothing.
//
// # Assumptions
//
//   - Of the three custodians of a job two come back with their disks, or live. Grids of two nodes
//     have two custodians: package custody says when one of them goes on alone.
//   - The elements of an array begin only when two of the three custodians of the array live.
//   - A process that was sent SIGKILL runs nothing of its own any more, also if the kernel cannot
//     remove it. One that is not gone after two seconds ends the life, and others go on with its
//     job. The next life begins when it is gone.
//   - A turn of the loop takes less than the half second that a life has to end.
package node
