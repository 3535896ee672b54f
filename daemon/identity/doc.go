// Package identity implements the identities of a grid: its certificate authority, the key and
// certificate of each node, and the tokens with which nodes join.
//
// A node has an ECDSA P-256 key. Its [Name] is the first 20 base32 digits of the SHA-256 of the
// public key. The certificate carries the number that the protocols use, since a truncated hash of
// 32 bits would collide: a URI canvass://GRID/ADDRESS/NAME. The authority gives addresses out, the
// upper 8 bits being the number of the issuer and the lower 24 a serial number.
//
// # Usage
//
//  1. [NewGrid] makes a grid, [Authority.Save] keeps it, [LoadAuthority] reads it again.
//  2. [Authority.Enrol] makes the identity of a node on the machine of the authority. On any other
//     machine the node makes its key with [NewKey], sends [Request], and passes the certificate of
//     [Authority.Issue] to [New]. [Identity.Save] and [Load] keep it.
//  3. [Identity.ServerConfig] and [Identity.ClientConfig] configure TLS; [PeerOf] names the peer
//     of a connection.
//  4. [Authority.Renew] makes a certificate that ends later, and [Identity.Renewed] takes it.
//     Package renewal does it in time.
//  5. [Authority.NewToken] makes a token and [Tokens] the list of valid ones. The joining node
//     proves with [Token.Prove] that it has one, and [Tokens.Redeem] checks the proof. TLS with
//     [Token.ClientConfig] comes first, so that the joining node has proof that it talks to the
//     authority, which shows [Authority.Desk]. [Token.Joined] ends the joining.
//
// # Guarantees
//
//   - Mutual: a handshake succeeds only if both sides have a certificate of an authority that the
//     other trusts, of the same grid, valid now, with an address and the name of its key. The
//     configuration for joining asks no certificate of the node that joins.
//   - Appointed: only the authority that a token names can answer a node that joins with it, and
//     the node then trusts no other authority.
//   - Signed: a text that a node signs for a purpose is its own for that purpose alone, no matter
//     which node passes it on.
//   - Pinned: system roots are never used. There is no resumption, so each connection checks again.
//   - Private: files with a secret have mode 0600 from the start; a file that others can read is
//     refused. A [Token] prints as "***"; [Token.Text] is the token.
//   - Unrelayed: a proof is a signature over the keying material of the connection. Another
//     connection refuses it.
//   - OneWay: the list of tokens keeps only hashes of public keys. A copy of the list is no token.
//   - Counted: a token is redeemed at most as often as it was made for, and not after its expiry.
//   - Renewed: a renewal changes the end of a certificate, and nothing else: neither key, address,
//     name nor beginning. It needs a certificate of this authority that ended at most
//     [RenewalGrace] ago; an expired one is good for nothing else.
//   - Clockless: the package reads no clock. The caller passes the time in.
//
// # Assumptions
//
//   - The key of the authority is secret. A thief of it can be any node.
//   - The certificate of an authority is valid for 100 years, and no other one takes its place: a
//     grid whose authority is to have another key is made again.
//   - Clocks of nodes are within the validity of certificates. A certificate is valid from an hour
//     before it is issued, so a clock may be up to an hour slow. Otherwise the error gives both
//     times, and says whether the clock or the certificate is more likely wrong.
//   - An address is given to one key. Two authorities with one issuer number break that: both
//     nodes then hold valid certificates of one address.
//   - Members are not malicious. A member that is can impersonate no other, but it can lie.
package identity
