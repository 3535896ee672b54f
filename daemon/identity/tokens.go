package identity

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"time"
)

// MaxTokens bounds the list of tokens.
const MaxTokens = 256

// Reasons why a token is not redeemed. The joining node receives no more than that.
var (
	ErrTokenUnknown = errors.New("the token is unknown, revoked or not proven; " + anew)
	ErrTokenExpired = errors.New("the token has expired; " + anew)
	ErrTokenUsed    = errors.New("the token was used as often as it may be; " + anew)
	ErrTokensFull   = fmt.Errorf("%d tokens are valid, and no more are kept; use one of them, or wait until one "+
		"expires",
		MaxTokens)
)

// anew is the remedy for a token that is not redeemed.
const anew = "make another one with canvass node token create, at the daemon of canvass node init"

// Tokens is the list of tokens that a node redeems. It is not safe for concurrent use.
type Tokens struct {
	list []entry
}

// entry is the record of a token. It does not suffice to join.
type entry struct {
	Hash   string    `json:"sha256"` // of the public key that is derived from the secret, in hex
	Expiry time.Time `json:"expiry"`
	Uses   int       `json:"uses"` // left
}

// Add makes a token valid for a number of uses.
func (s *Tokens) Add(t Token, uses int) error {
	if len(s.list) >= MaxTokens {
		return ErrTokensFull
	}
	proof := t.Prove(nil)
	s.list = append(s.list, entry{Hash: hashOf(proof.Public[:]), Expiry: t.Expiry, Uses: uses})
	return nil
}

// Redeem takes one use of the token that the proof shows for the connection with this keying
// material. Save the list before the node receives its certificate.
func (s *Tokens) Redeem(p Proof, exporter []byte, now time.Time) error {
	hash, found := hashOf(p.Public[:]), -1
	for i := range s.list { // all of them, so that the time does not depend on which it is
		if subtle.ConstantTimeCompare([]byte(s.list[i].Hash), []byte(hash)) == 1 {
			found = i
		}
	}
	switch {
	case !p.holds(exporter) || found < 0:
		return ErrTokenUnknown
	case now.After(s.list[found].Expiry):
		return fmt.Errorf("redeem token %s: %w", idOf(hash), ErrTokenExpired)
	case s.list[found].Uses <= 0:
		return fmt.Errorf("redeem token %s: %w", idOf(hash), ErrTokenUsed)
	}
	s.list[found].Uses--
	return nil
}

// Revoke removes the token with an ID and reports whether there was one.
func (s *Tokens) Revoke(id string) bool {
	before := len(s.list)
	s.list = slices.DeleteFunc(s.list, func(e entry) bool { return idOf(e.Hash) == id })
	return len(s.list) < before
}

// Forget removes the tokens that can be redeemed no more.
func (s *Tokens) Forget(now time.Time) {
	s.list = slices.DeleteFunc(s.list, func(e entry) bool { return e.Uses <= 0 || now.After(e.Expiry) })
}

// TokenInfo describes a token of the list.
type TokenInfo struct {
	ID     string
	Expiry time.Time
	Uses   int // left
}

// List describes the tokens in the order in which they were added.
func (s *Tokens) List() []TokenInfo {
	var infos []TokenInfo
	for _, e := range s.list {
		infos = append(infos, TokenInfo{idOf(e.Hash), e.Expiry, e.Uses})
	}
	return infos
}
