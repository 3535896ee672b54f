package transport

import (
	"errors"
	"fmt"
	"net"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// Reason says why a handshake failed.
type Reason uint8

// The reasons. Their numbers are part of the wire format.
const (
	ReasonMalformed   Reason = iota + 1 // no hello, or a malformed one
	ReasonWire                          // another version of the messages
	ReasonGrid                          // another grid
	ReasonConfig                        // another configuration of the grid
	ReasonAddress                       // the address of the hello is not that of the certificate
	ReasonSelf                          // the address is the receiver's own: two nodes have it
	ReasonFormerLife                    // a later incarnation of the node is known
	ReasonSecondLife                    // another incarnation with this incarnation is known: a copy
	ReasonCrossing                      // a connection that was dialed from the other side stays
	ReasonChannel                       // an unknown channel
	ReasonBusy                          // too many nodes
	ReasonCertificate                   // TLS failed: no valid certificate of the grid
	ReasonToken                         // a node that wants to join is not admitted
	ReasonRenewal                       // a certificate is not renewed by the authority
	reasons
)

// String is one word, for metrics and logs.
func (r Reason) String() string {
	words := [...]string{
		"unknown", "malformed", "wire", "grid", "config", "address", "self", "former-life", "second-life",
		"crossing", "channel", "busy", "certificate", "token",
		"renewal",
	}
	if int(r) < len(words) {
		return words[r]
	}
	return words[0]
}

// Refusal is a handshake that failed for a reason. Both sides get it.
type Refusal struct {
	Reason Reason
	ByPeer bool             // the other side refused; otherwise this one did
	Peer   protocol.Address // of the other side; 0 also if it is not known
	Detail string           // for people

	// Proven reports that another incarnation at the address of this node has signed the refusal: this
	// incarnation must end. An unsigned claim never ends a node.
	Proven bool
	Other  Card // of that incarnation, from its hello
}

// maxRefusal bounds a refusal on the wire.
const maxRefusal = maxCard + 512

// Error states the reason.
func (r *Refusal) Error() string {
	by := "this node"
	if r.ByPeer {
		by = "the other node"
	}
	return fmt.Sprintf("%s refused the connection (%s): %s", by, r.Reason, r.Detail)
}

// maxDetail bounds the text of a refusal on the wire.
const maxDetail = 256

// append encodes what the other side receives.
func (r *Refusal) append(dst []byte) []byte {
	detail := r.Detail[:min(len(r.Detail), maxDetail)]
	dst = protocol.AppendUint(dst, uint64(r.Reason))
	dst = appendString(dst, detail)
	if r.Other == (Card{}) {
		return dst
	}
	return r.Other.append(dst)
}

// Prove looks whether a refusal of the other side holds what another incarnation at this address
// has signed.
func (r *Refusal) Prove(id *identity.Identity, own *Hello) {
	c := &r.Other
	later := r.Reason == ReasonFormerLife && c.Incarnation > own.Incarnation
	twin := r.Reason == ReasonSecondLife && c.Incarnation == own.Incarnation && c.Proof.nonce != own.Nonce
	r.Proven = r.ByPeer && (later || twin) && c.Address == id.Address && c.check(id) == nil
}

// parseRefusal decodes a refusal of the other side. A reason that is not known stays a number.
func parseRefusal(src []byte) (*Refusal, error) {
	r := protocol.NewReader(src)
	refusal := &Refusal{ByPeer: true, Reason: Reason(r.Uint(255)), Detail: readString(r, maxDetail)}
	if r.Left() > 0 {
		refusal.Other = readCard(r)
	}
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("read a refusal: %w", err)
	}
	if string(refusal.append(nil)) != string(src) {
		return nil, fmt.Errorf("read a refusal: %w", protocol.ErrEncoding)
	}
	return refusal, nil
}

// refusalOf turns the error of a handshake into a refusal, if a certificate is at fault.
func refusalOf(err error) (*Refusal, bool) {
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		return refusal, true
	}
	if errors.Is(err, identity.ErrCertificate) {
		return &Refusal{Reason: ReasonCertificate, Detail: err.Error()}, true
	}
	// This is how crypto/tls reports that the other side ended the handshake.
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "remote error" {
		return &Refusal{Reason: ReasonCertificate, ByPeer: true, Detail: op.Error()}, true
	}
	return nil, false
}

func appendString(dst []byte, s string) []byte {
	return append(protocol.AppendUint(dst, uint64(len(s))), s...)
}

func readString(r *protocol.Reader, limit int) string {
	return string(r.Bytes(int(r.Uint(uint64(limit)))))
}
