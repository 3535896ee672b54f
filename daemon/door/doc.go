// Package door decides which connections of strangers a daemon goes on with. Each connection is a
// stranger's until its peer is authenticated, and the places for those are limited.
//
// # Usage
//
//  1. [Door.Enter] for each connection that was accepted. It says which one must be closed.
//  2. [Visit.Reach] when the connection has come further: to the end of the first message of TLS,
//     and to a certificate or a request to join.
//  3. [Visit.Leave] when it has said who it is, or has ended. If that reports false, it was
//     closed in the meantime.
//  4. [Door.Know] with hosts from which members have come.
//
// # Guarantees
//
//   - Bounded: no more connections are inside than there are places.
//   - Open: a connection that comes gets in, no matter how many others do. When all places are
//     taken, one of those inside must go. The one exception: all that may go are of known hosts,
//     none of them has been silent for long, and the new one is of an unknown host.
//   - Fair: the connection that must go has been silent for longer than [Grace], if there is any.
//     Otherwise a silent one goes if half of the places or more are silent, and else one that has
//     [Spoken], so that neither kind crowds out the other. A connection that has [Asked] goes only
//     if there are no others. Among these, connections of unknown hosts go first; of those, of the
//     network (/24 or /64) with the most connections inside; and of those the oldest.
//
// So thousands of connections that stay silent close each other, and a member that speaks at once
// is let in beside them.
//
// # Assumptions
//
//   - A member sends its first message within [Grace] and says who it is before as many others as
//     there are places have come from its own network, or it tries again.
package door
