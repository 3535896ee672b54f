package transport_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// desk admits nodes that have a token.
func (g *grid) desk(tokens *identity.Tokens) func(*transport.Config) {
	var mu sync.Mutex
	next := protocol.Address(100)
	return func(c *transport.Config) {
		c.Desk = g.authority.Desk()
		c.Admit = func(r transport.JoinRequest) (transport.Admission, error) {
			mu.Lock()
			defer mu.Unlock()
			if err := tokens.Redeem(r.Proof, r.Exporter, time.Now()); err != nil {
				return transport.Admission{}, err
			}
			next++
			certificate, err := g.authority.Issue(r.Request, next, time.Now())
			return transport.Admission{
				Certificate: certificate, Config: []byte("grid"),
			}, err
		}
	}
}

// TestJoin lets a node join with a token, and demands that it can then exchange messages with
// another node, that a used-up token is refused, and that a node without an authority admits no
// node.
func TestJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		tokens, token := &identity.Tokens{}, g.authority.NewToken(time.Now().Add(time.Hour))
		require.NoError(t, tokens.Add(token, 1))
		hub, other := g.node(0, 1, g.desk(tokens)), g.node(1, 1)
		defer closeAll(hub, other)
		other.Learn(hub.card())
		other.send(hub, "x")
		synctest.Wait()

		key, err := identity.NewKey()
		require.NoError(t, err)
		config := transport.JoinConfig{Endpoint: hub.Endpoint(), Token: token, Key: key, Network: g.network}
		wrong := config
		wrong.Token = g.authority.NewToken(time.Now().Add(time.Hour))
		requireRefused(t, wrong, transport.ReasonToken)

		joined, err := transport.Join(context.Background(), config)
		require.NoError(t, err)
		require.Equal(t, []byte("grid"), joined.Config)
		require.Len(t, joined.Cards, 2)
		for i, card := range hub.Cards() {
			card.Proof = transport.Proof{}
			require.Equal(t, card, joined.Cards[i])
		}
		require.Equal(t, protocol.Address(101), joined.Identity.Address)
		requireRefused(t, config, transport.ReasonToken)
		config.Endpoint = other.Endpoint()
		requireRefused(t, config, transport.ReasonCertificate)

		n := g.node(101, 1, func(c *transport.Config) { c.Identity = joined.Identity })
		defer closeAll(n)
		for _, card := range joined.Cards {
			n.Learn(card)
		}
		n.send(other, "I have joined")
		synctest.Wait()
		require.Equal(t, []string{"n101 1 I have joined"}, other.messages())
	})
}

func requireRefused(t *testing.T, config transport.JoinConfig, reason transport.Reason) {
	t.Helper()
	_, err := transport.Join(context.Background(), config)
	refusal, ok := errors.AsType[*transport.Refusal](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, reason, refusal.Reason)
}

// TestAForgingMemberLetsNobodyJoin demands that a member cannot give a newcomer its own root or
// certificate: it neither stands in for the authority, nor passes on the authority's certificate.
func TestAForgingMemberLetsNobodyJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, evil := newGrid(t), newGrid(t)
		token := g.authority.NewToken(time.Now().Add(time.Hour))
		key, err := identity.NewKey()
		require.NoError(t, err)
		member, err := g.authority.Enrol(7, time.Now())
		require.NoError(t, err)
		own := member.Certificate.PrivateKey
		for i, desk := range []*tls.Certificate{
			evil.authority.Desk(),
			&member.Certificate,
			{Certificate: [][]byte{member.Certificate.Leaf.Raw, g.authority.Certificate()}, PrivateKey: own},
			{Certificate: [][]byte{g.authority.Certificate()}, PrivateKey: own},
		} {
			forger := g.node(protocol.Address(7+i), 1, func(c *transport.Config) {
				c.Identity, c.Desk = member, desk
				c.Admit = func(r transport.JoinRequest) (transport.Admission, error) {
					certificate, err := evil.authority.Issue(r.Request, 3, time.Now())
					return transport.Admission{Certificate: certificate, Config: []byte("evil")}, err
				}
			})
			_, err = transport.Join(context.Background(), transport.JoinConfig{
				Endpoint: forger.Endpoint(), Token: token, Key: key, Network: g.network,
			})
			require.Error(t, err, "%d", i)
			closeAll(forger)
		}
	})
}

// The error names a peer that is no daemon, and a remedy.
func TestWhatIsNoDaemonLetsNobodyJoin(t *testing.T) {
	authority, err := identity.NewGrid(time.Now())
	require.NoError(t, err)
	token := authority.NewToken(time.Now().Add(time.Hour))
	key, err := identity.NewKey()
	require.NoError(t, err)
	for _, answer := range []string{"", "HTTP/1.1 400 Bad Request\r\n\r\n"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Write([]byte(answer))
				_ = c.Close()
			}
		}()
		_, err = transport.Join(t.Context(), transport.JoinConfig{Endpoint: l.Addr().String(), Token: token, Key: key})
		assert.ErrorIs(t, err, transport.ErrNoDaemon, answer)
		assert.ErrorContains(t, err, "look at the address", answer)
		require.NoError(t, l.Close())
		<-ended
	}
}
