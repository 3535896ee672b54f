package identity

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// What a connection is for, as TLS negotiates it (ALPN).
const (
	ProtocolNode = "canvass"
	ProtocolJoin = "canvass-join"
)

// ServerConfig is the configuration of TLS for the side that accepts connections of other nodes.
// The clock is that of the wall. With join, a connection for joining is accepted, too: its client
// shows no certificate, and what was negotiated is in the connection's state.
func (id *Identity) ServerConfig(clock func() time.Time, join bool) *tls.Config {
	config := id.config(clock)
	config.Certificates = []tls.Certificate{id.Certificate}
	config.ClientAuth = tls.RequireAnyClientCert // which certificate is one, VerifyConnection decides
	if !join {
		return config
	}
	joining := id.config(clock)
	joining.Certificates = []tls.Certificate{id.chain()}
	joining.NextProtos = []string{ProtocolJoin}
	joining.VerifyConnection = nil
	config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if slices.Equal(hello.SupportedProtos, joining.NextProtos) {
			return joining, nil
		}
		return nil, nil // the configuration itself
	}
	return config
}

// ClientConfig is the configuration of TLS for the side that dials. The handshake fails unless the
// other side has one of the addresses; none means that any will do. The clock is that of the wall.
func (id *Identity) ClientConfig(clock func() time.Time, want ...protocol.Address) *tls.Config {
	config := id.config(clock)
	config.Certificates = []tls.Certificate{id.Certificate}
	config.InsecureSkipVerify = true // a node has no host name; VerifyConnection verifies all else
	config.VerifyConnection = func(state tls.ConnectionState) error {
		peer, err := id.verify(state, clock())
		if err == nil && len(want) > 0 && !slices.Contains(want, peer.Address) {
			return fmt.Errorf("%w: it is that of address %d, and the endpoint should be that of %d",
				ErrCertificate, peer.Address, want[0])
		}
		return err
	}
	return config
}

// config is what both sides have in common.
func (id *Identity) config(clock func() time.Time) *tls.Config {
	return &tls.Config{
		Time:                   clock,
		MinVersion:             tls.VersionTLS13,
		NextProtos:             []string{ProtocolNode},
		SessionTicketsDisabled: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			_, err := id.verify(state, clock())
			return err
		},
	}
}

// chain is the node's certificate with that of the authority that signed it, for a node that knows
// only the fingerprint of the authority.
func (id *Identity) chain() tls.Certificate {
	certificate := id.Certificate
	for _, root := range id.Roots {
		if certificate.Leaf.CheckSignatureFrom(root) == nil {
			certificate.Certificate = append(slices.Clone(certificate.Certificate), root.Raw)
		}
	}
	return certificate
}

// verify checks the certificate of a peer against the roots.
func (id *Identity) verify(state tls.ConnectionState, now time.Time) (Peer, error) {
	return verify(state, id.Grid, id.Roots, now)
}

func verify(state tls.ConnectionState, grid Grid, trusted []*x509.Certificate, now time.Time) (Peer, error) {
	if state.NegotiatedProtocol == "" {
		return Peer{}, fmt.Errorf("%w: the other side negotiated no protocol (ALPN)", ErrCertificate)
	}
	if len(state.PeerCertificates) == 0 {
		return Peer{}, fmt.Errorf("%w: the other side sent none", ErrCertificate)
	}
	leaf := state.PeerCertificates[0]
	if now.Before(leaf.NotBefore) || now.After(leaf.NotAfter) {
		return Peer{}, fmt.Errorf("%w: it is valid from %s to %s, and the clock of this node says %s; "+
			"set the clock or renew the certificate", ErrCertificate, leaf.NotBefore.UTC().Format(time.RFC3339),
			leaf.NotAfter.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	roots := x509.NewCertPool()
	for _, root := range trusted {
		roots.AddCert(root)
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return Peer{}, fmt.Errorf("%w: %w", ErrCertificate, err)
	}
	peer, err := peerOf(leaf)
	if err == nil && peer.Grid != grid {
		err = fmt.Errorf("%w: it is of grid %s, this node is of grid %s", ErrCertificate, peer.Grid, grid)
	}
	return peer, err
}

// PeerOf names the node at the other end of a connection whose handshake is complete.
func PeerOf(state tls.ConnectionState) (Peer, error) {
	if len(state.PeerCertificates) == 0 {
		return Peer{}, fmt.Errorf("%w: the other side sent none", ErrCertificate)
	}
	return peerOf(state.PeerCertificates[0])
}

// ClientConfig is the configuration of TLS for a node that joins with the token. The handshake
// fails unless the other side is a node of the token's grid, certified by the authority whose
// fingerprint the token has.
func (t Token) ClientConfig(clock func() time.Time) *tls.Config {
	return &tls.Config{
		Time:               clock,
		MinVersion:         tls.VersionTLS13,
		NextProtos:         []string{ProtocolJoin},
		InsecureSkipVerify: true, // a node has no host name; VerifyConnection verifies all else
		VerifyConnection: func(state tls.ConnectionState) error {
			root, err := t.root(state.PeerCertificates)
			if err != nil {
				return err
			}
			_, err = verify(state, t.Grid, []*x509.Certificate{root}, clock())
			return err
		},
	}
}

// root finds the certificate of the token's authority among those that a node sent.
func (t Token) root(sent []*x509.Certificate) (*x509.Certificate, error) {
	for _, c := range sent {
		if sum := sha256.Sum256(c.RawSubjectPublicKeyInfo); c.IsCA && bytes.Equal(sum[:], t.Authority[:]) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%w: the node is not certified by the authority of the token; "+
		"check that token and endpoint are of one grid", ErrCertificate)
}

// exporterLabel and exporterBytes define the keying material that a proof signs.
const (
	exporterLabel = "EXPORTER-canvass-join"
	exporterBytes = 32
)

// Exporter is the keying material of a connection for joining, the same at both ends and at no
// other connection.
func Exporter(state tls.ConnectionState) ([]byte, error) {
	material, err := state.ExportKeyingMaterial(exporterLabel, nil, exporterBytes)
	if err != nil {
		return nil, fmt.Errorf("export keying material: %w", err)
	}
	return material, nil
}
