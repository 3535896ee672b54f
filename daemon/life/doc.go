// Package life is one incarnation of a daemon as all of its parts see it: its machine, its one
// goroutine and the turns of that, its cores in their loop, and the reasons for its end. Each part
// of a daemon embeds the [Runtime], and package node assembles them. State that only one part uses
// belongs in that part.
//
//	machine.go   the machine: clock, store, links, host, contents; the real chance
//	runtime.go   what all parts share, and how they act on the goroutine of the node
//	ask.go       how other goroutines ask that goroutine, or other daemons through it
//	wire.go      frames, and the names of cores in them
//	fence.go     ends of an incarnation, counted by reason over all incarnations
//
// # Usage
//
//  1. [New] returns a Runtime. Its owner sets Machine, and before the first step Store, Host and
//     Table.
//  2. The first step of the cores sets Self, Loop, Peer and Lease; Links come next.
//  3. One goroutine takes the functions from Urgent and Inbox, and after each turn those of Done.
//  4. The owner closes Stopped when the incarnation is over, after it has set Reason.
//
// # Guarantees
//
//   - OneGoroutine: functions passed to Post, After and Later run on the goroutine of the node.
//   - Answered: [On], [Asked] and [Query] return when Stopped is closed or their context ends.
//
// # Assumptions
//
//   - Fields are written by the goroutine of the node only, once that runs.
package life
