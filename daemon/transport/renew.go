package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// RenewConfig names the certificate to renew, and the authority.
type RenewConfig struct {
	Endpoint string             // of a node that may have the key of the authority
	Identity *identity.Identity // whose certificate may have ended
	Wall     func() time.Time   // for certificates; nil means time.Now
	Network  Network            // nil means TCP
}

// Renew asks a node for a certificate that follows the one of an identity. The handshake is the
// request: it proves that this node has the key. The error wraps a [Refusal] if it was refused.
func Renew(ctx context.Context, c RenewConfig) (*identity.Identity, error) {
	c.Wall, c.Network = completed(c.Wall, c.Network)
	ctx, cancel := context.WithTimeout(ctx, handshakeLimit)
	defer cancel()
	renewed, err := exchange(ctx, c.Network, c.Endpoint, c.renew)
	if err != nil {
		if refusal, ok := refusalOf(err); ok && !errors.Is(err, identity.ErrElsewhere) {
			err = refusal
		}
		return nil, fmt.Errorf("renew the certificate at %s: %w", c.Endpoint, err)
	}
	return renewed, nil
}

func (c *RenewConfig) renew(ctx context.Context, raw net.Conn) (*identity.Identity, error) {
	secure := tls.Client(raw, c.Identity.RenewConfig(c.Wall))
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	body, err := readPreface(secure, prefaceRenewal, maxRenewal)
	if err != nil {
		return nil, err
	}
	certificate, err := parseRenewal(body)
	if err != nil {
		return nil, err
	}
	return c.Identity.Renewed(certificate, c.Wall())
}

// renew answers a node that wants its certificate renewed.
func (t *Transport) renew(secure *tls.Conn, raw net.Conn) {
	former := secure.ConnectionState().PeerCertificates[0]
	peer, err := identity.PeerOf(secure.ConnectionState())
	if err == nil {
		err = t.renewal(secure, former)
	}
	t.finish(secure, raw, peer.Address, err)
}

// renewal sends the certificate that follows a former one.
func (t *Transport) renewal(secure *tls.Conn, former *x509.Certificate) error {
	if t.config.Renew == nil {
		return &Refusal{Reason: ReasonRenewal, Detail: "this node renews no certificates"}
	}
	certificate, err := t.config.Renew(former)
	if err != nil {
		return &Refusal{Reason: ReasonRenewal, Detail: err.Error()}
	}
	return writePreface(secure, prefaceRenewal, appendString(nil, string(certificate)))
}

// maxRenewal bounds the answer to a node that wants its certificate renewed.
const maxRenewal = maxCertificate + 16

func parseRenewal(src []byte) ([]byte, error) {
	r := protocol.NewReader(src)
	certificate := []byte(readString(r, maxCertificate))
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("read a renewed certificate: %w", err)
	}
	return certificate, nil
}
