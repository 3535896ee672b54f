// Package renewal keeps the certificate of a node valid, so that a grid lives longer than its first
// certificates.
//
// # Usage
//
// Make a [Keeper] with [New] and call [Keeper.Prepare] before the node speaks to others: it returns
// nil once the certificate is valid, or an error that says why it is not and what to do. Then run
// [Keeper.Run] as long as the node does. [Keeper.Standing] is for metrics, health and people.
//
// # Decision
//
// There is one way to renew, before the end of a certificate and after it: the node connects to the
// daemon that has the key of the authority and shows its certificate, which need no longer be
// valid. The handshake proves that it has the key of the certificate, and that the other side has
// that of the authority. So the authority signs the same key, address and name once more, with a
// later end ([identity.Authority.Renew]). No token, no operator and no list of nodes takes part.
// This is safe since the answer gives the node nothing that it did not have: the thief of a key
// could have renewed in time as well, so a final end would lock out only the honest ones, such as a
// witness that was switched off over the summer. Against a stolen key only revocation helps, which
// is not implemented; the grace ([identity.RenewalGrace]) bounds how long a disk that was thrown
// away is dangerous. The daemon with the key of the authority renews its own certificate itself,
// before it speaks to anybody.
//
// # Guarantees
//
//   - InTime: a certificate is due from day 20 of its 30. The first try comes within 12 hours, at
//     a time that the node's name chooses, so that nodes which joined together do not all ask at
//     once.
//   - Persistent: tries never end. They are a minute apart at first and an hour at most, and closer
//     together when little time is left.
//   - Found: any daemon that the node knows may have the key of the authority. The daemon that
//     renewed last is asked first, then the first node of the grid, then others in turn: at most 8
//     of them in a try.
//   - Same: the key, the address and the name stay. An answer that says anything else is refused,
//     and so is a certificate that is not valid now or ends no later ([identity.Identity.Renewed]).
//   - Durable: a certificate is on the disk, as a whole, before it is used.
//   - Seamless: tasks go on. Connections are replaced one by one ([transport.Transport.Reload]).
//   - Told: from ten days before the end on, after a try that has failed, [Standing.Warning] is a
//     sentence that says when the certificate ends and why it is not renewed.
//
// # Assumptions
//
//   - The daemon with the key of the authority runs for some time in the last ten days of each
//     certificate. If not, the other daemons lose each other when their certificates end, and find
//     each other again once it is back.
//   - Only the validity of certificates and tokens depends on the time of day. A clock that is
//     outside of the validity costs the node its connections until it is set; pauses between tries
//     are measured by Clock.
//   - A copy of the authority's files may renew, too, since a renewal gives out no address.
package renewal
