// Package member is the membership of a daemon in the grid: which nodes are known, alive, dead or
// gone in order, the lease on which its own life rests, and how nodes join, leave, and mend a map
// that stays broken. The decisions are those of the cores lease and peer; this package obeys them.
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
//  2. [Admission.OpenAuthority] and [Members.LoadCards] before the life begins.
//  3. [Leases.AddLease] in its first step, before any other core: its timers come first.
//  4. [Members.LoadDeparted] once there are links, and [Repair.Mend] once the life has begun.
//  5. In each turn [Leases.Expire] comes before all else, and [Leases.Extend] after it. All that is
//     put on the disk goes through [Leases.Write].
//
// # Guarantees
//
//   - Fenced: a life fails when its lease has run out, its zone was given away, or a write has
//     outlasted the lease.
//   - Certain: a core takes no node for failed unless it is dead by certificate, or since a later
//     life has begun.
//   - Bounded: what is noted of other lives is limited, however many there were.
//
// # Assumptions
//
//   - All methods run on the goroutine of the node, but for those of Admission.
package member
