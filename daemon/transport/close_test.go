package transport_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// TestClose demands that a transport ends in the middle of any activity: dialing, a handshake, a
// refusal, traffic. Leaks are found at the end of all tests.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		other := g.node(2, 1, func(c *transport.Config) { c.Hello.Wire = 9 })
		a.Learn(b.card())
		a.Learn(transport.Card{Address: 9, Incarnation: 1, Endpoint: "nowhere:1"})
		other.Learn(a.card())
		for range 100 {
			a.send(b, "x")
		}
		a.Send(protocol.NodeID{Address: 9, Incarnation: 1}, transport.ChannelCore, 1, nil)
		other.send(a, "x")
		stranger, err := g.network.Dial(context.Background(), a.Endpoint())
		require.NoError(t, err)
		defer stranger.Close()
		before := time.Now()
		require.NoError(t, a.Close())
		require.NoError(t, a.Close())
		require.Zero(t, time.Since(before))
		a.send(b, "after")
		a.Learn(other.card())
		closeAll(b, other)
		require.Zero(t, a.Counters().Connected)
	})
}

// TestLastWords demands that messages received before the peer closed are delivered.
func TestLastWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		b.hold = make(chan struct{})
		a.Learn(b.card())
		a.send(b, "1")
		a.send(b, "2")
		a.send(b, "3")
		synctest.Wait()
		require.NoError(t, a.Close())
		synctest.Wait()
		require.Empty(t, b.messages())
		require.Equal(t, []string{"up A"}, b.changes())
		close(b.hold)
		synctest.Wait()
		require.Equal(t, []string{"A 1 1", "A 1 2", "A 1 3"}, b.messages())
		require.Equal(t, []string{"up A", "down A"}, b.changes())
	})
}

// TestConfig demands an error for each configuration that cannot work.
func TestConfig(t *testing.T) {
	g := newGrid(t)
	for name, change := range map[string]func(*transport.Config){
		"identity":    func(c *transport.Config) { c.Identity = nil },
		"clock":       func(c *transport.Config) { c.Clock = nil },
		"deliver":     func(c *transport.Config) { c.Deliver = nil },
		"incarnation": func(c *transport.Config) { c.Hello.Incarnation = 0 },
		"nonce":       func(c *transport.Config) { c.Hello.Nonce = 0 },
		"build":       func(c *transport.Config) { c.Hello.Build = string(make([]byte, 65)) },
		"endpoint":    func(c *transport.Config) { c.Hello.Endpoint = string(make([]byte, 256)) },
		"age":         func(c *transport.Config) { c.MaxAge = time.Second - 1 },
		"listen":      func(c *transport.Config) { c.Network, c.Listen = nil, "no endpoint" },
	} {
		c := g.config(&node{}, 0, 1)
		change(&c)
		_, err := transport.New(c)
		require.Error(t, err, name)
	}
}
