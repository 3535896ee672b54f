package identity

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"
)

// When a certificate is renewed.
const (
	// RenewBefore is how long before its end a certificate is due to be renewed: from day 20 of 30.
	RenewBefore = 10 * 24 * time.Hour

	// RenewalGrace is for how long after its end the authority still renews a certificate.
	RenewalGrace = 5 * 365 * 24 * time.Hour
)

// ErrRenewal is wrapped by every error about a certificate that the authority does not renew, and
// about an answer that renews none.
var ErrRenewal = errors.New("the certificate is not renewed")

// ErrElsewhere says that a node cannot renew certificates.
var ErrElsewhere = fmt.Errorf("%w: the node does not have the key of the grid's authority", ErrCertificate)

// Renew returns a certificate, in DER, with the contents of another one and a later end. The caller
// has seen that the node has the key of the certificate: a connection of [ProtocolRenew] proves it.
//
// The authority has signed the key, the address and the name before. So a renewal
// grants no new right, and needs no list of nodes. Its beginning stays, too: a clock that is slow
// by more than an hour refuses no certificate because it was renewed.
func (a *Authority) Renew(former *x509.Certificate, now time.Time) ([]byte, error) {
	if now.After(former.NotAfter.Add(RenewalGrace)) {
		return nil, fmt.Errorf("%w: it ended on %s; no certificate is renewed more than %d years after its end; "+
			"join the machine again, with an empty folder", ErrRenewal, day(former.NotAfter), RenewalGrace/year)
	}
	return a.Reissue(former, now)
}

// Reissue is [Authority.Renew] for the node that has the key of the authority itself: its
// certificate may have ended at any time.
func (a *Authority) Reissue(former *x509.Certificate, now time.Time) ([]byte, error) {
	if err := former.CheckSignatureFrom(a.certificate); err != nil {
		return nil, fmt.Errorf("%w: another authority has signed it; join the machine again, with an empty folder: %w",
			ErrRenewal, err)
	}
	peer, err := peerOf(former)
	if err == nil && peer.Grid != a.grid {
		err = fmt.Errorf("it belongs to grid %s, the authority to grid %s", peer.Grid, a.grid)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRenewal, err)
	}
	if now.Before(former.NotBefore) {
		return nil, fmt.Errorf("%w by the authority: %w", ErrRenewal, validAt(former, now))
	}
	return a.issue(former.PublicKey, peer, former.NotBefore, now.Add(NodeLifetime))
}

// Renewed is the identity with another certificate, in DER, of the same key, address and name. It
// must be valid now and end later: otherwise one of two clocks is wrong.
func (id *Identity) Renewed(certificate []byte, now time.Time) (*Identity, error) {
	key, ok := id.Certificate.PrivateKey.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%w: the identity has no key", ErrRenewal)
	}
	var roots [][]byte
	for _, root := range id.Roots {
		roots = append(roots, root.Raw)
	}
	renewed, err := New(key, certificate, roots...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRenewal, err)
	}
	if renewed.Peer() != id.Peer() {
		return nil, fmt.Errorf("%w: the answer is the certificate of %v, and this node is %v", ErrRenewal,
			renewed.Peer(), id.Peer())
	}
	if err := renewed.ValidAt(now); err != nil {
		return nil, fmt.Errorf("%w: %w; the authority has just made it, so its clock and that of this machine differ",
			ErrRenewal, err)
	}
	if !renewed.Ends().After(id.Ends()) {
		return nil, fmt.Errorf("%w: the answer ends on %s, and the present one on %s; look at the clock of the machine "+
			"with the authority", ErrRenewal, day(renewed.Ends()), day(id.Ends()))
	}
	return renewed, nil
}

// Ends is when the certificate of the node does.
func (id *Identity) Ends() time.Time { return id.Certificate.Leaf.NotAfter }

// ValidAt returns nil if the certificate of the node is valid at a time of its clock. Otherwise the
// error says which of the two is likelier wrong.
func (id *Identity) ValidAt(now time.Time) error { return validAt(id.Certificate.Leaf, now) }

// Due is the time to renew the certificate.
func (id *Identity) Due() time.Time { return id.Ends().Add(-RenewBefore) }

// validAt checks the validity of a certificate. The error names both times, and which of the two is
// likelier wrong: a certificate is valid from an hour before it is made, until it expires.
func validAt(c *x509.Certificate, now time.Time) error {
	early, late := c.NotBefore.Sub(now), now.Sub(c.NotAfter)
	var likely string
	switch {
	case early > 0:
		likely = fmt.Sprintf("most likely the clock is wrong, and %s behind or more; set it", span(early))
	case late > 0:
		likely = fmt.Sprintf("most likely the certificate has ended, %s ago, and was not renewed in time; if the clock "+
			"is ahead, set it", span(late))
	default:
		return nil
	}
	return fmt.Errorf("%w: it is valid from %s to %s, and the clock of this node says %s: %s", ErrCertificate,
		moment(c.NotBefore), moment(c.NotAfter), moment(now), likely)
}

// once is the time nearest to now at which the certificate of a peer is valid.
func once(state tls.ConnectionState, now time.Time) time.Time {
	if len(state.PeerCertificates) == 0 {
		return now
	}
	switch c := state.PeerCertificates[0]; {
	case now.Before(c.NotBefore):
		return c.NotBefore
	case now.After(c.NotAfter):
		return c.NotAfter
	}
	return now
}

const year = 365 * 24 * time.Hour

// day is a time as people read the end of a certificate.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// moment is the reading of a clock.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// span is a time between two readings, in whole units that fit.
func span(d time.Duration) string {
	const dayLong = 24 * time.Hour
	if d < 2*dayLong {
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%d days", d/dayLong)
}
