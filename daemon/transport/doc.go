// Package transport implements the connections between the nodes of a grid: messages in frames over
// TLS 1.3 over TCP.
//
// A pair of nodes has one connection for each [Channel] that it uses. Both sides first send a
// hello; a difference that matters ends the connection with a typed reason that both sides log and
// count ([Refusal]). Then frames go both ways. Each frame is numbered, and acknowledged once it has
// been delivered. Unacknowledged frames go again over the next connection, so that a reset loses
// nothing that is young enough to count.
//
// # Usage
//
//  1. Fill a [Config] and call [New], which listens. Pass contact cards of other nodes to
//     [Transport.Learn]: a message to an address without a card waits for one.
//  2. Send with [Transport.Send]. It never blocks. A connection is dialed when it is needed.
//  3. [Config.Deliver] receives messages. It may block: then the sender's connection fills and is
//     closed, and no other peer waits.
//  4. Call [Transport.Reject] about a peer whose messages cannot be used.
//  5. End with [Transport.Close]. It waits for calls of Deliver, Up and Down.
//
// A node that joins has no certificate yet. It calls [Join], and the node with the authority
// answers by [Config.Admit]. It answers a node that calls [Renew] by [Config.Renew], also if the
// certificate of that node has ended. [Transport.Reload] takes a renewed certificate into use.
//
// # Guarantees
//
//   - Authentic: the sender of a message has the address of its certificate and the incarnation of
//     its hello. Nothing in a frame changes that.
//   - FIFO: the messages of one incarnation of a node to one incarnation of another, on one
//     channel, are delivered in the order of Send, each at most once, even when connections break.
//   - Kept: a message is lost only if it is older than MaxAge by the clock of its receiver, if one
//     of the two incarnations ends, or if a queue overflows. An overflow loses what waits in that
//     queue, and never a single message of it.
//   - Young: no message is delivered that is older than MaxAge. Its age is measured by the clock
//     of the receiver alone: a frame carries the last reading of that clock that its sender knew.
//     An open connection carries a reading at least each second.
//   - Addressed: a message is delivered to the incarnation that it names, or to none. A message to
//     incarnation 0 is for the incarnation that runs at the address.
//   - One: the newer of two connections of a pair on a channel ends the older before its first
//     frame is delivered. If both sides dial at once, the connection of the smaller
//     address stays.
//   - Valid: a connection ends when the certificate of either side does, by the clock of either
//     side. Later frames are not delivered.
//   - Renewed: after Reload, connections that were made with the former certificate are replaced,
//     at most ten a second. The old one serves until the new one does, so nothing is lost or late.
//   - Signed: a contact card is signed by its own node. It has the address to dial, and nothing
//     else. Only the hello of a connection proves that an incarnation has begun.
//   - Proven: a refusal ends an incarnation only with a signature of another incarnation at its
//     address ([Refusal.Proven]).
//   - CardsFirst: a card that a node knew when it sent a message arrives before that message.
//   - Bounded: to each peer at most 1,024 messages or 1 MiB wait for their acknowledgement, and
//     from each at most 256 messages or 1 MiB for Deliver. A full inbox closes the connection after
//     500 ms, a full outbox at once.
//   - Guarded: before a peer is authenticated at most 4 KiB are read, and no decoder runs but those
//     of TLS and, with Admit, that of a request to join. At most 512 connections wait to be
//     authenticated, each for at most 5 s, and at most half of the processors compute for them.
//
// # Assumptions
//
//   - Members are not malicious. A malicious member can waste resources within the limits. It
//     cannot read or forge messages and cards of others.
//   - A later incarnation of a node has a larger incarnation. An incarnation with a smaller one
//     than its peer knows is refused, and so is a second incarnation with the same one.
//   - Clock is the same clock in all calls and goes on during suspend. Clocks of two nodes run at
//     rates that differ by at most 0.2 percent. Otherwise a message that waited for its first
//     connection can be taken for younger than it is.
//   - Every node can be reached at the endpoint of its card. There is no traversal of NAT.
package transport
