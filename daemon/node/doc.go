// Package node assembles a daemon: the cores of a node in one loop, links to other daemons, the
// processes of jobs, the store, the recorder, and the interface for users. A node obeys its cores:
// protocol decisions belong in packages under protocol, processes and working folders in package
// host, calls and their types in package rpc, records in package jobs, and HTTP in package api. All
// parts share the runtime of package life and the settings of package config. Tasks are in package
// tasks, contents in package library, membership in package member, moves of waiting jobs in
// package balance, and measurements, the flight record and the watchdog in package observe.
//
//	node.go         the start and end of an incarnation; the one goroutine and its turns
//	parts.go        the parts of a daemon and their assembly
//	step.go         an incarnation without goroutines, which a simulator drives
//	environment.go  the loop's view of the node, and the hooks that follow its events
//	calls.go        the handlers of calls, and package rpc's view of the node
//
// Records of jobs:
//
//	entry.go        jobs that users submit here: their names and custodians
//	custody.go      the jobs of which this node is a custodian (records, with entry.go and end.go)
//	decide.go       requests of attempts to the primary of a job: the permit, and to store an outcome
//	submit.go       submission of jobs to the grid, as package placement decides
//	owned.go        jobs that this node owns in the grid
//	end.go          timeouts, deadlines, cancellation
//	array.go        arrays
//	copies.go       copies of records and contents at the other custodians
//	gather.go       outputs of tasks on their way to the custodians
//	forget.go       removal of old and unwanted jobs
//	audit.go        jobs whose custodians, owner or hosts have died
//	do.go           operations on jobs, from cancel to accepting the loss of a disk
//
// The nodes of the grid, with package member:
//
//	near.go         latencies, and nearby nodes
//	links.go        links to other daemons and their endpoints
//
// Users and their views, with packages news and reasons:
//
//	views.go        jobs and nodes
//	locate.go       jobs of which other daemons have a copy
//	users.go        the socket of users, their contents, and the health of the daemon
//	metrics.go      counters and measurements
//
// # Usage
//
//  1. [Open] a folder with an identity (package identity) and a configuration (package
//     config).
//  2. [Node.Run] runs the daemon until its context ends. It serves users on a Unix socket in the
//     folder.
//
// # Guarantees
//
//   - OneGoroutine: cores, jobs and attempts are touched by one goroutine, in turns.
//   - Durable: a job and its inputs are on the disks of its custodians, up to three daemons, before
//     its user receives its id. An outcome is on the disks of all live custodians before a host is
//     notified that it is safe (package custody).
//   - Kept: a job has succeeded only if each declared output is on the disk of at least one
//     custodian: of all live ones, except those without room for it, which the record names and
//     which copy it later. An output that no custodian has room for is offered again for a minute,
//     while the job still runs. An output that no custodian can keep fails its task, and the record
//     names it.
//   - OnePermit: the second of two attempts at a job gets a permit only when every host of the
//     first has reported that its processes are gone, or its incarnation is over.
//   - Certain: the map and the clusters suspect a node only when a majority of witnesses has
//     certified its death (package lease).
//   - Fenced: an incarnation ends with all its tasks before others can count it as dead. A watchdog
//     ends the process if the node's goroutine hangs then. It ends no incarnation whose lease
//     holds: a daemon that waits for a busy processor or a slow disk, or was stopped for a moment,
//     has kept every promise, and ending it would cost its tasks for nothing.
//
// # Assumptions
//
//   - Of the three custodians of a job two stay alive or come back with their disks. Grids of two
//     nodes have two custodians: package custody defines when one of them goes on alone.
//   - The elements of an array begin only while two of the three custodians of the array are alive.
//   - A process that was sent SIGKILL executes no more of its code, even if the kernel cannot
//     remove it. A process that is not gone after two seconds ends the incarnation, and others go
//     on with its job. The next incarnation begins when the process is gone.
//   - A turn of the loop takes less than the half second that an incarnation has to end.
package node
