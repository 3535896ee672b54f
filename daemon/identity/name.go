package identity

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base32"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// Digits is the length of a [Name] and of a [Grid].
const Digits = 20

// Name is the name of a node in logs and for people: the first 20 base32 digits, in lower case, of
// the SHA-256 of its public key in PKIX form.
type Name string

// Grid is the random identifier of a grid: 20 base32 digits in lower case.
type Grid string

// ErrCertificate is wrapped by every error about a certificate that is not one of a node of the
// grid, or not valid now.
var ErrCertificate = errors.New("not a valid certificate of this grid")

var digits = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NameOf names the node that has a public key.
func NameOf(public crypto.PublicKey) (Name, error) {
	sum, err := Fingerprint(public)
	return Name(digits.EncodeToString(sum[:])[:Digits]), err
}

// Fingerprint is the SHA-256 of a public key in PKIX form.
func Fingerprint(public crypto.PublicKey) ([sha256.Size]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return [sha256.Size]byte{}, fmt.Errorf("encode a public key: %w", err)
	}
	return sha256.Sum256(der), nil
}

func newGrid() Grid { return Grid(strings.ToLower(rand.Text()[:Digits])) }

// isDigits reports whether a text has the form of a name or grid.
func isDigits(text string) bool {
	return len(text) == Digits && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// Peer is the description of a node in its certificate.
type Peer struct {
	Grid    Grid
	Address protocol.Address
	Name    Name
}

// String is grid, address and name, as the URI in the certificate has them.
func (p Peer) String() string { return p.uri().String() }

func (p Peer) uri() *url.URL {
	return &url.URL{Scheme: "canvass", Host: string(p.Grid), Path: fmt.Sprintf("/%d/%s", p.Address, p.Name)}
}

// parsePeer takes apart a URI. Only the form that uri writes is accepted.
func parsePeer(u *url.URL) (Peer, error) {
	bad := fmt.Errorf("%w: %q is not of the form canvass://GRID/ADDRESS/NAME", ErrCertificate, u)
	parts := strings.Split(u.Path, "/")
	if u.Scheme != "canvass" || len(parts) != 3 || parts[0] != "" || !isDigits(u.Host) || !isDigits(parts[2]) {
		return Peer{}, bad
	}
	address, err := strconv.ParseUint(parts[1], 10, 32)
	p := Peer{Grid(u.Host), protocol.Address(address), Name(parts[2])}
	if err != nil || p.String() != u.String() {
		return Peer{}, bad
	}
	return p, nil
}

// peerOf reads the node from its certificate, whose signature it does not check.
func peerOf(certificate *x509.Certificate) (Peer, error) {
	if len(certificate.URIs) != 1 {
		return Peer{}, fmt.Errorf("%w: it has %d URIs, one is needed", ErrCertificate, len(certificate.URIs))
	}
	p, err := parsePeer(certificate.URIs[0])
	if err != nil {
		return Peer{}, err
	}
	name, err := NameOf(certificate.PublicKey)
	if err != nil {
		return Peer{}, err
	}
	if p.Name != name {
		return Peer{}, fmt.Errorf("%w: it names %s, but has the key of %s", ErrCertificate, p.Name, name)
	}
	return p, nil
}
