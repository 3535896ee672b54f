package identity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/identity"
)

// TestTokenText demands that a token survives the way through a terminal and a file, and that one
// changed character is noticed.
func TestTokenText(t *testing.T) {
	token := newGrid(t).NewToken(noon.Add(1500 * time.Millisecond))
	text := token.Text()
	back, err := identity.ParseToken("  " + text + "\r\n")
	require.NoError(t, err)
	require.Equal(t, token, back)
	rapid.Check(t, func(t *rapid.T) {
		damaged := []byte(text)
		damaged[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		if got, err := identity.ParseToken(string(damaged)); err == nil {
			require.Equal(t, token, got)
		} else {
			require.ErrorIs(t, err, identity.ErrToken)
			require.NotContains(t, err.Error(), string(damaged[20:60]))
		}
	})
}

// TestTokenHides demands that no way of printing shows a token.
func TestTokenHides(t *testing.T) {
	token := newGrid(t).NewToken(noon)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "token", token)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "token", token)
	secret := fmt.Sprintf("%x", token.Secret[:4])
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		assert.Equal(t, "***", fmt.Sprintf(form, token))
	}
	assert.NotContains(t, log.String(), token.Text())
	assert.NotContains(t, log.String(), secret)
	text, err := json.Marshal(token)
	require.NoError(t, err)
	assert.Equal(t, `"***"`, string(text))
}

// TestRedeem demands that a token is good for its uses, until its expiry, on its own connection.
func TestRedeem(t *testing.T) {
	g := newGrid(t)
	token := g.NewToken(noon)
	tokens := &identity.Tokens{}
	require.NoError(t, tokens.Add(g.NewToken(noon), 1))
	require.NoError(t, tokens.Add(token, 2))
	here, there := []byte("this connection"), []byte("another")
	proof := token.Prove(here)

	require.ErrorIs(t, tokens.Redeem(proof, there, noon), identity.ErrTokenUnknown)
	require.ErrorIs(t, tokens.Redeem(g.NewToken(noon).Prove(here), here, noon), identity.ErrTokenUnknown)
	forged := proof
	forged.Signature[3] ^= 1
	require.ErrorIs(t, tokens.Redeem(forged, here, noon), identity.ErrTokenUnknown)
	require.ErrorIs(t, tokens.Redeem(identity.Proof{}, here, noon), identity.ErrTokenUnknown)
	require.ErrorIs(t, tokens.Redeem(proof, here, noon.Add(time.Second)), identity.ErrTokenExpired)
	require.NoError(t, tokens.Redeem(proof, here, noon))
	require.NoError(t, tokens.Redeem(proof, here, noon))
	require.ErrorIs(t, tokens.Redeem(proof, here, noon), identity.ErrTokenUsed)
	assert.Equal(t, 1, tokens.List()[0].Uses)
	assert.Equal(t, identity.TokenInfo{ID: token.ID(), Expiry: noon, Uses: 0}, tokens.List()[1])
	tokens.Forget(noon)
	assert.Len(t, tokens.List(), 1)
	tokens.Forget(noon.Add(time.Second))
	assert.Empty(t, tokens.List())
}

// TestRevoke demands that a revoked token is unknown, and the others are not.
func TestRevoke(t *testing.T) {
	g := newGrid(t)
	one, two := g.NewToken(noon), g.NewToken(noon)
	tokens := &identity.Tokens{}
	require.NoError(t, tokens.Add(one, 1))
	require.NoError(t, tokens.Add(two, 1))
	require.True(t, tokens.Revoke(one.ID()))
	require.False(t, tokens.Revoke(one.ID()))
	require.ErrorIs(t, tokens.Redeem(one.Prove(nil), nil, noon), identity.ErrTokenUnknown)
	require.NoError(t, tokens.Redeem(two.Prove(nil), nil, noon))
}

// TestTokensAreBounded demands that the list has a limit.
func TestTokensAreBounded(t *testing.T) {
	tokens, token := &identity.Tokens{}, newGrid(t).NewToken(noon)
	for range identity.MaxTokens {
		require.NoError(t, tokens.Add(token, 1))
	}
	require.ErrorIs(t, tokens.Add(token, 1), identity.ErrTokensFull)
}

func FuzzParseToken(f *testing.F) {
	g, err := identity.NewGrid(noon)
	require.NoError(f, err)
	f.Add(g.NewToken(noon).Text())
	f.Add("canvass-1-")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		token, err := identity.ParseToken(text)
		if err != nil {
			require.ErrorIs(t, err, identity.ErrToken)
			return
		}
		require.Equal(t, strings.TrimSpace(text), token.Text())
	})
}
