package identity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
)

// Purpose is the use of a signature of a node. A signature is invalid for any other purpose.
type Purpose string

// CardPurpose is that of contact cards.
const CardPurpose Purpose = "canvass card\x00"

// ErrSignature is wrapped by every error about a text that its node has not signed.
var ErrSignature = errors.New("not signed by the node that it names")

func (p Purpose) digest(text []byte) []byte {
	sum := sha256.Sum256(append([]byte(p), text...))
	return sum[:]
}

// Sign signs a text with the key of the node.
func (id *Identity) Sign(p Purpose, text []byte) ([]byte, error) {
	signer, ok := id.Certificate.PrivateKey.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("sign: the key of %s is of type %T", id.Name, id.Certificate.PrivateKey)
	}
	signature, err := signer.Sign(rand.Reader, p.digest(text), crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return signature, nil
}

// CheckSigned checks that the node of a certificate has signed a text. The caller has verified the
// certificate, as that of a connection.
func CheckSigned(p Purpose, leaf *x509.Certificate, text, signature []byte) error {
	key, ok := leaf.PublicKey.(*ecdsa.PublicKey)
	if !ok || !ecdsa.VerifyASN1(key, p.digest(text), signature) {
		return ErrSignature
	}
	return nil
}

// Signer is the node of a certificate, in DER, that has signed a text. The certificate must be one
// of the grid. It may have ended: the key of a node outlives it.
func (id *Identity) Signer(p Purpose, certificate, text, signature []byte) (Peer, error) {
	leaf, err := x509.ParseCertificate(certificate)
	if err != nil {
		return Peer{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if err := CheckSigned(p, leaf, text, signature); err != nil {
		return Peer{}, err
	}
	for _, root := range id.Roots {
		if leaf.CheckSignatureFrom(root) != nil {
			continue
		}
		peer, err := peerOf(leaf)
		if err == nil && peer.Grid != id.Grid {
			err = fmt.Errorf("%w: it is of grid %s", ErrCertificate, peer.Grid)
		}
		if err != nil {
			return Peer{}, fmt.Errorf("%w: %w", ErrSignature, err)
		}
		return peer, nil
	}
	return Peer{}, fmt.Errorf("%w: no authority of the grid has certified it", ErrSignature)
}
