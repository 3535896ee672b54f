package identity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// How long certificates are valid, and by how much a clock may be slow. A grid lives as long as the
// certificate of its authority, which nothing replaces: longer than its machines.
const (
	AuthorityLifetime = 100 * 365 * 24 * time.Hour
	NodeLifetime      = 30 * 24 * time.Hour
	ClockTolerance    = time.Hour
)

// serialBits is how many bits of an address are the serial number of its issuer.
const serialBits = 24

// ErrRequest is wrapped by every error about a request for a certificate that cannot be met.
var ErrRequest = errors.New("not a valid certificate request")

// Authority issues the certificates of a grid. It is not safe for concurrent use.
type Authority struct {
	grid        Grid
	issuer      uint8
	next        uint32 // the serial number of the next address
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	fingerprint [sha256.Size]byte
}

// NewGrid makes a grid with a new identifier and the key of its authority, the first issuer.
func NewGrid(now time.Time) (*Authority, error) {
	key, err := NewKey()
	if err != nil {
		return nil, err
	}
	grid := newGrid()
	template := &x509.Certificate{
		SerialNumber:          serialNumber(),
		Subject:               pkix.Name{CommonName: "canvass grid " + string(grid)},
		NotBefore:             now.Add(-ClockTolerance),
		NotAfter:              now.Add(AuthorityLifetime),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
		URIs:                  []*url.URL{{Scheme: "canvass", Host: string(grid)}},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make the certificate of a new grid: %w", err)
	}
	return newAuthority(key, der, record{Grid: grid, Next: 0})
}

// newAuthority assembles an authority from its stored parts, and checks that they fit.
func newAuthority(key *ecdsa.PrivateKey, der []byte, r record) (*Authority, error) {
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read the certificate of the authority: %w", err)
	}
	if public, ok := certificate.PublicKey.(*ecdsa.PublicKey); !ok || !public.Equal(key.Public()) {
		return nil, errors.New("certificate and key of the authority do not belong together; restore both from one backup")
	}
	if grid, err := gridOf(certificate); err != nil || grid != r.Grid {
		return nil, fmt.Errorf("the certificate of the authority is that of grid %q, not %q; "+
			"restore both files from one backup", grid, r.Grid)
	}
	fingerprint, err := Fingerprint(key.Public())
	return &Authority{
		grid: r.Grid, issuer: r.Issuer, next: r.Next, key: key, certificate: certificate, fingerprint: fingerprint,
	}, err
}

// gridOf reads the grid from the certificate of its authority.
func gridOf(certificate *x509.Certificate) (Grid, error) {
	if !certificate.IsCA || len(certificate.URIs) != 1 || certificate.URIs[0].Scheme != "canvass" ||
		!isDigits(certificate.URIs[0].Host) {
		return "", fmt.Errorf("%w: not the certificate of an authority", ErrCertificate)
	}
	return Grid(certificate.URIs[0].Host), nil
}

// Grid is the identifier of the grid.
func (a *Authority) Grid() Grid { return a.grid }

// Certificate is that of the authority, in DER: a root of the grid.
func (a *Authority) Certificate() []byte { return a.certificate.Raw }

// Fingerprint is the SHA-256 of the authority's public key, which tokens carry.
func (a *Authority) Fingerprint() [sha256.Size]byte { return a.fingerprint }

// Desk is the certificate that the authority shows to nodes that join: its own, with the key that
// their token names. So no other node can answer them. It may be used concurrently.
func (a *Authority) Desk() *tls.Certificate {
	return &tls.Certificate{Certificate: [][]byte{a.certificate.Raw}, PrivateKey: a.key, Leaf: a.certificate}
}

// Next returns an address that was not returned before. Save the authority before the address is
// used; otherwise another node may get it after a crash.
func (a *Authority) Next() (protocol.Address, error) {
	if a.next >= 1<<serialBits {
		return 0, fmt.Errorf("issuer %d has given all of its %d addresses; make another issuer", a.issuer, 1<<serialBits)
	}
	address := protocol.Address(uint32(a.issuer)<<serialBits | a.next)
	a.next++
	return address, nil
}

// Skip marks an address as used. It is the address of a known node, which the record of the
// authority may lack if it was restored from a backup.
func (a *Authority) Skip(address protocol.Address) {
	if uint8(address>>serialBits) == a.issuer {
		a.next = max(a.next, uint32(address)&(1<<serialBits-1)+1)
	}
}

// FirstOf is the first address of the issuer that gave out an address: most likely that of the node
// with the key of the authority.
func FirstOf(a protocol.Address) protocol.Address { return a >> serialBits << serialBits }

// Issue returns the certificate, in DER, of the node that made the request. It checks that the node
// has the private key. The caller decides whether the node may have the address.
func (a *Authority) Issue(request []byte, address protocol.Address, now time.Time) ([]byte, error) {
	csr, err := x509.ParseCertificateRequest(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	if key, ok := csr.PublicKey.(*ecdsa.PublicKey); !ok || key.Curve != elliptic.P256() {
		return nil, fmt.Errorf("%w: the key is not an ECDSA key on P-256", ErrRequest)
	}
	if err := csr.CheckSignature(); err != nil { // that of a large key of another kind takes long
		return nil, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	name, err := NameOf(csr.PublicKey)
	if err != nil {
		return nil, err
	}
	return a.issue(csr.PublicKey, Peer{a.grid, address, name}, now.Add(-ClockTolerance), now.Add(NodeLifetime))
}

// issue signs the certificate of a key.
func (a *Authority) issue(key crypto.PublicKey, p Peer, begin, end time.Time) ([]byte, error) {
	template := &x509.Certificate{
		SerialNumber: serialNumber(),
		Subject:      pkix.Name{CommonName: string(p.Name)},
		NotBefore:    begin,
		NotAfter:     end,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		URIs:         []*url.URL{p.uri()},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key, a.key)
	if err != nil {
		return nil, fmt.Errorf("issue the certificate of %s: %w", p.Name, err)
	}
	return der, nil
}

// Enrol makes key, certificate and identity of a node at once, for a node on the machine of the
// authority.
func (a *Authority) Enrol(address protocol.Address, now time.Time) (*Identity, error) {
	key, err := NewKey()
	if err != nil {
		return nil, err
	}
	request, err := Request(key)
	if err != nil {
		return nil, err
	}
	certificate, err := a.Issue(request, address, now)
	if err != nil {
		return nil, err
	}
	return New(key, certificate, a.Certificate())
}

func serialNumber() *big.Int {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[0] &= 0x7f           // a serial number is positive
	return new(big.Int).SetBytes(b[:])
}
