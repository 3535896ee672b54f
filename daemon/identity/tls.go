package identity

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// The purposes of connections, as TLS negotiates them (ALPN).
const (
	ProtocolNode = "canvass"
	ProtocolJoin = "canvass-join"

	// ProtocolRenew is for a node that wants its certificate renewed: the handshake is its request.
	ProtocolRenew = "canvass-renew"
)

// ServerConfig is the configuration of TLS for the side that accepts connections of other nodes.
// The clock is that of the wall. Connections for joining and renewing are accepted too; the
// connection's state has the negotiated protocol. A client that joins shows no certificate. A
// client that renews shows a certificate that was valid once, and proves that it has the key. To
// both the node shows the desk, which is [Authority.Desk]. Without a desk it shows its own
// certificate, and joining and renewing are refused.
func (id *Identity) ServerConfig(clock func() time.Time, desk *tls.Certificate) *tls.Config {
	config := id.config(clock)
	config.Certificates = []tls.Certificate{id.Certificate}
	config.ClientAuth = tls.RequireAnyClientCert // which certificate is one, VerifyConnection decides
	joining := id.config(clock)
	joining.Certificates = config.Certificates
	if desk != nil {
		joining.Certificates = []tls.Certificate{*desk}
	}
	joining.NextProtos = []string{ProtocolJoin}
	joining.VerifyConnection = nil
	renewing := config.Clone()
	renewing.Certificates, renewing.NextProtos = joining.Certificates, []string{ProtocolRenew}
	renewing.VerifyConnection = func(state tls.ConnectionState) error {
		_, err := verify(state, id.Grid, id.Roots, once(state, clock()))
		return err
	}
	config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		for _, other := range []*tls.Config{joining, renewing} {
			if slices.Equal(hello.SupportedProtos, other.NextProtos) {
				return other, nil
			}
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

// RenewConfig is the configuration of TLS for a node that wants its certificate renewed. The
// handshake fails unless the other side has the key of the authority: the error wraps
// [ErrElsewhere].
func (id *Identity) RenewConfig(clock func() time.Time) *tls.Config {
	config := id.ClientConfig(clock)
	config.NextProtos = []string{ProtocolRenew}
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if state.NegotiatedProtocol == "" || len(state.PeerCertificates) == 0 {
			return ErrElsewhere
		}
		for _, root := range id.Roots {
			if bytes.Equal(root.RawSubjectPublicKeyInfo, state.PeerCertificates[0].RawSubjectPublicKeyInfo) {
				return nil
			}
		}
		return ErrElsewhere
	}
	return config
}

// config has the settings of both sides.
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

// verify checks the certificate of a peer against the roots. A node whose own certificate is not
// valid makes no connections: its connections would end at once, and be made again.
func (id *Identity) verify(state tls.ConnectionState, now time.Time) (Peer, error) {
	if err := id.ValidAt(now); err != nil {
		return Peer{}, fmt.Errorf("the certificate of this node itself: %w", err)
	}
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
	if err := validAt(leaf, now); err != nil {
		return Peer{}, err
	}
	roots := x509.NewCertPool()
	for _, root := range trusted {
		roots.AddCert(root)
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return Peer{}, fmt.Errorf("%w: %w", ErrCertificate, uncertified(err, trusted, now))
	}
	peer, err := peerOf(leaf)
	if err == nil && peer.Grid != grid {
		err = fmt.Errorf("%w: it is of grid %s, this node is of grid %s", ErrCertificate, peer.Grid, grid)
	}
	return peer, err
}

// uncertified adds to the reason why no authority certifies a node what to do about it.
func uncertified(err error, trusted []*x509.Certificate, now time.Time) error {
	for _, root := range trusted {
		if ended := validAt(root, now); ended != nil {
			return fmt.Errorf("that of the authority: %w", ended)
		}
	}
	if unknown := (x509.UnknownAuthorityError{}); errors.As(err, &unknown) {
		return fmt.Errorf("%w; the two nodes have joined different grids: look at the address, or join again, with "+
			"an empty "+
			"folder", err)
	}
	return err
}

// PeerOf names the node at the other end of a connection whose handshake is complete.
func PeerOf(state tls.ConnectionState) (Peer, error) {
	if len(state.PeerCertificates) == 0 {
		return Peer{}, fmt.Errorf("%w: the other side sent none", ErrCertificate)
	}
	return peerOf(state.PeerCertificates[0])
}

// ClientConfig is the configuration of TLS for a node that joins with the token. The handshake
// fails unless the other side has the key of the authority whose fingerprint the token has.
func (t Token) ClientConfig(clock func() time.Time) *tls.Config {
	return &tls.Config{
		Time:               clock,
		MinVersion:         tls.VersionTLS13,
		NextProtos:         []string{ProtocolJoin},
		InsecureSkipVerify: true, // a node has no host name; VerifyConnection verifies all else
		VerifyConnection: func(state tls.ConnectionState) error {
			return t.verify(state, clock())
		},
	}
}

// verify checks that the other side of a handshake is the authority of the token.
func (t Token) verify(state tls.ConnectionState, now time.Time) error {
	if state.NegotiatedProtocol == "" || len(state.PeerCertificates) == 0 {
		return fmt.Errorf("%w: the other side is no daemon that lets others join; look at the address: it should be "+
			"that "+
			"of the daemon of canvass node init", ErrCertificate)
	}
	root := state.PeerCertificates[0]
	if sum := sha256.Sum256(root.RawSubjectPublicKeyInfo); !bytes.Equal(sum[:], t.Authority[:]) {
		if peer, err := peerOf(root); err == nil && peer.Grid == t.Grid {
			return fmt.Errorf("%w: node %s does not have the key of the grid's authority; join at the node that "+
				"canvass node init made", ErrCertificate, protocol.NodeID{Address: peer.Address, Incarnation: 1})
		}
		return fmt.Errorf("%w: the node is not the authority of the token; check that token and endpoint are of one "+
			"grid",
			ErrCertificate)
	}
	if grid, err := gridOf(root); err != nil || grid != t.Grid {
		return fmt.Errorf("%w: the authority is that of grid %q, the token is of grid %s", ErrCertificate, grid, t.Grid)
	}
	return validAt(root, now)
}

// Joined is the identity of a node that has joined: with the certificate that it received over a
// connection of [Token.ClientConfig]. The node trusts only the authority that answered there.
func (t Token) Joined(key *ecdsa.PrivateKey, state tls.ConnectionState, certificate []byte) (*Identity, error) {
	if len(state.PeerCertificates) == 0 {
		return nil, fmt.Errorf("%w: the other side sent none", ErrCertificate)
	}
	return New(key, certificate, state.PeerCertificates[0].Raw)
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
