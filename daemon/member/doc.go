// Package member is the membership of a daemon in the grid: which nodes are known, alive, dead or
// departed, the lease of this incarnation, how nodes join and leave, and how a broken map is
// replaced. The decisions are those of the cores lease and peer, which this package obeys: nothing
// here decides about a node by itself, and nothing here is about jobs.
//
//	members.go   known, dead and departed nodes
//	lease.go     leases: when this incarnation ends, and which others have ended
//	admit.go     nodes that join the grid, their tokens, and certificates
//	drain.go     how this node leaves
//	repair.go    replacement of a map that stays broken
//	breaches.go  counters of events that the protocols assume to be impossible or rare
//
// # Usage
//
//  1. Make [NewMembers], and the [Leases], [Admission], [Drain] and [Repair] over it.
//  2. [Admission.OpenAuthority] and [Members.LoadCards] before the incarnation begins.
//  3. [Leases.AddLease] in its first step, before any other core: its timers come first.
//  4. [Members.LoadDeparted] once there are links, and [Repair.Mend] once the incarnation
//     has begun.
//  5. In each turn [Leases.Expire] comes before all else, and [Leases.Extend] after it. All that is
//     put on the disk goes through [Leases.Write].
//
// # Guarantees
//
//   - Fenced: an incarnation ends when its lease has run out, its zone was given away, or a write
//     has outlasted the lease.
//   - Certain: a core suspects an incarnation only after its death certificate, or once a later one
//     has begun.
//   - Bounded: the notes about other incarnations are limited, however many there were.
//
// # Assumptions
//
//   - All methods run on the goroutine of the node, but for those of Admission.
package member
