package identity

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// ErrToken is wrapped by every error about a text that is not a token.
var ErrToken = errors.New("not a token")

const (
	secretBytes   = 16
	checksumBytes = 4
	idDigits      = 10
	tokenPrefix   = "canvass-1-"
	tokenBytes    = Digits + sha256.Size + secretBytes + 8 + checksumBytes
	seedContext   = "canvass token seed\x00"
	proofContext  = "canvass token proof\x00"
)

// Token lets a node join a grid. It is a secret.
type Token struct {
	Grid      Grid
	Authority [sha256.Size]byte // fingerprint of the authority's key
	Secret    [secretBytes]byte
	Expiry    time.Time // whole seconds
}

// NewToken makes a token with a random secret. Add it to the [Tokens] of the node that redeems it.
func (a *Authority) NewToken(expiry time.Time) Token {
	t := Token{Grid: a.grid, Authority: a.fingerprint, Expiry: time.Unix(expiry.Unix(), 0).UTC()}
	_, _ = rand.Read(t.Secret[:]) // never fails
	return t
}

// Text is the token as a person passes it on: one word of letters, digits and hyphens.
func (t Token) Text() string {
	b := append([]byte(nil), t.Grid...)
	b = append(append(b, t.Authority[:]...), t.Secret[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(t.Expiry.Unix()))
	sum := sha256.Sum256(b)
	return tokenPrefix + digits.EncodeToString(append(b, sum[:checksumBytes]...))
}

// ParseToken reads what [Token.Text] wrote; white space around it is ignored. The error does not
// quote the text, which may be a damaged secret.
func ParseToken(text string) (Token, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), tokenPrefix)
	if rest == "" {
		return Token{}, fmt.Errorf("%w: it is empty; give the line that canvass node token create has printed",
			ErrToken)
	}
	if !ok {
		return Token{}, fmt.Errorf("%w: it does not begin with %q; copy the whole line", ErrToken, tokenPrefix)
	}
	b, err := digits.DecodeString(rest)
	if err != nil || len(b) != tokenBytes {
		return Token{}, fmt.Errorf("%w: %d characters after the prefix do not decode to %d bytes; copy the whole line",
			ErrToken, len(rest), tokenBytes)
	}
	body, checksum := b[:tokenBytes-checksumBytes], b[tokenBytes-checksumBytes:]
	if sum := sha256.Sum256(body); string(sum[:checksumBytes]) != string(checksum) {
		return Token{}, fmt.Errorf("%w: the checksum is wrong; copy it again", ErrToken)
	}
	t := Token{Grid: Grid(body[:Digits])}
	body = body[Digits:]
	copy(t.Authority[:], body)
	copy(t.Secret[:], body[sha256.Size:])
	seconds := int64(binary.BigEndian.Uint64(body[sha256.Size+secretBytes:]))
	t.Expiry = time.Unix(seconds, 0).UTC()
	if !isDigits(string(t.Grid)) || t.Text() != tokenPrefix+rest {
		return Token{}, fmt.Errorf("%w: it is not in the form that this program writes", ErrToken)
	}
	return t, nil
}

// ID names the token in lists and logs. It is no secret.
func (t Token) ID() string {
	return idOf(hashOf(t.key().Public().(ed25519.PublicKey)))
}

// String hides the secret; see [Token.Text].
func (t Token) String() string { return "***" }

// GoString hides the secret.
func (t Token) GoString() string { return "***" }

// LogValue hides the secret.
func (t Token) LogValue() slog.Value { return slog.StringValue("***") }

// MarshalText hides the secret.
func (t Token) MarshalText() ([]byte, error) { return []byte("***"), nil }

// Proof shows that a node has a token, on one connection.
type Proof struct {
	Public    [ed25519.PublicKeySize]byte
	Signature [ed25519.SignatureSize]byte
}

// Prove signs the keying material of a connection ([Exporter]) with a key derived from the secret.
func (t Token) Prove(exporter []byte) Proof {
	key := t.key()
	var p Proof
	copy(p.Public[:], key.Public().(ed25519.PublicKey))
	copy(p.Signature[:], ed25519.Sign(key, proven(exporter)))
	return p
}

// key derives a key of signatures from the secret, so that the side that checks needs no secret.
func (t Token) key() ed25519.PrivateKey {
	seed := sha256.Sum256(append([]byte(seedContext), t.Secret[:]...))
	return ed25519.NewKeyFromSeed(seed[:])
}

// holds reports whether the proof was made for the connection with this keying material.
func (p Proof) holds(exporter []byte) bool {
	return ed25519.Verify(p.Public[:], proven(exporter), p.Signature[:])
}

func proven(exporter []byte) []byte { return append([]byte(proofContext), exporter...) }

// hashOf returns the hash of a token's public key, for lists.
func hashOf(public []byte) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:])
}

// idOf shortens the hash of a token's key so that people can type it.
func idOf(hash string) string { return hash[:min(len(hash), idDigits)] }
