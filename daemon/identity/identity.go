package identity

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// Identity has the keys and certificates with which a node proves its identity and checks others.
type Identity struct {
	Grid        Grid
	Address     protocol.Address
	Name        Name
	Certificate tls.Certificate     // with its private key and Leaf
	Roots       []*x509.Certificate // authorities that the node trusts; two while one is replaced
}

// NewKey makes the key of a node.
func NewKey() (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return key, nil
}

// Request makes the request for the certificate of a key, in DER.
func Request(key *ecdsa.PrivateKey) ([]byte, error) {
	request, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate request: %w", err)
	}
	return request, nil
}

// New puts an identity together from a key, its certificate and the roots, in DER. It checks that
// they belong together, but not whether the certificate is valid now.
func New(key *ecdsa.PrivateKey, certificate []byte, roots ...[]byte) (*Identity, error) {
	leaf, err := x509.ParseCertificate(certificate)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificate, err)
	}
	peer, err := peerOf(leaf)
	if err != nil {
		return nil, err
	}
	if public, ok := leaf.PublicKey.(*ecdsa.PublicKey); !ok || !public.Equal(key.Public()) {
		return nil, fmt.Errorf("%w: it is not that of the node's key", ErrCertificate)
	}
	id := &Identity{
		Grid: peer.Grid, Address: peer.Address, Name: peer.Name,
		Certificate: tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: key, Leaf: leaf},
	}
	if len(roots) == 0 {
		return nil, errors.New("an identity needs the certificate of an authority")
	}
	signed := false
	for _, der := range roots {
		root, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, fmt.Errorf("read the certificate of an authority: %w", err)
		}
		if grid, err := gridOf(root); err != nil || grid != id.Grid {
			return nil, fmt.Errorf("%w: an authority of grid %q among those of %s", ErrCertificate, grid, id.Grid)
		}
		signed = signed || leaf.CheckSignatureFrom(root) == nil
		id.Roots = append(id.Roots, root)
	}
	if !signed {
		return nil, fmt.Errorf("%w: none of the %d known authorities signed it", ErrCertificate, len(roots))
	}
	return id, nil
}

// Peer returns the contents of the node's own certificate.
func (id *Identity) Peer() Peer { return Peer{id.Grid, id.Address, id.Name} }
