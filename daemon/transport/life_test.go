package transport_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// TestLaterLife demands that a later incarnation of a node replaces the former one, that a message
// to the former is refused, and that numbering starts again.
func TestLaterLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		a.Learn(b.card())
		a.send(b, "1")
		a.send(b, "2")
		synctest.Wait()
		b.send(a, "from the former")
		b.send(a, "life")
		synctest.Wait()
		require.NoError(t, b.Close())
		synctest.Wait()
		b2 := g.node(1, 2, func(c *transport.Config) { c.Hello.Nonce = 8 })
		defer closeAll(a, b2)
		b2.Learn(a.card())
		b2.send(a, "I am back")
		synctest.Wait()
		require.Equal(t, []string{"B 1 from the former", "B 1 life", "B.2 1 I am back"}, a.messages())
		require.Equal(t, []string{"up B", "down B", "up B.2"}, a.changes())
		a.send(b, "to the former")
		a.send(b2, "to the later")
		synctest.Wait()
		require.Equal(t, []string{"A 1 to the later"}, b2.messages())
		assert.Equal(t, uint64(1), a.Counters().Misaddressed)
		assert.Equal(t, []transport.Card{a.card(), b2.card()}, a.Cards())
	})
}

// TestAnyLife demands that a message to incarnation 0 reaches the incarnation that runs there: the
// first that answers while no incarnation is known, later the latest known.
func TestAnyLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 7)
		defer closeAll(a)
		anyone := func(text string) {
			a.Send(protocol.NodeID{Address: 1}, transport.ChannelCore, 1, []byte(text))
		}
		a.Learn(transport.Card{Address: 1, Endpoint: b.card().Endpoint})
		anyone("who is there?")
		anyone("hello")
		synctest.Wait()
		require.Equal(t, []string{"A 1 who is there?", "A 1 hello"}, b.messages())
		require.Equal(t, []string{"up B.7"}, a.changes())
		require.NoError(t, b.Close())
		b8 := g.node(1, 8, func(c *transport.Config) { c.Hello.Nonce = 8 })
		defer closeAll(b8)
		a.Learn(b8.card())
		anyone("and now?")
		time.Sleep(time.Second) // the next dial
		require.Equal(t, []string{"A 1 and now?"}, b8.messages())
	})
}

// TestLaterLifeIsAnnounced demands that a card of a later incarnation ends the connection to the
// former one, and that the messages that wait for it are lost with it.
func TestLaterLifeIsAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		a.send(b, "x")
		time.Sleep(time.Second)
		g.network.lose()
		a.send(b, "lost")
		b2 := g.node(1, 2, func(c *transport.Config) { c.Hello.Nonce = 8 })
		defer closeAll(b2)
		a.Learn(b2.card())
		a.send(b2, "y")
		synctest.Wait()
		require.Equal(t, []string{"A 1 y"}, b2.messages())
		require.Equal(t, []string{"up B", "down B", "up B.2"}, a.changes())
		require.Equal(t, uint64(1), a.Counters().Outlived)
		require.Equal(t, uint64(1), a.Counters().Reset["former-life"])
	})
}

// TestFormerLife demands that an incarnation is refused once a later one is known: its data was
// restored from a backup. Both sides detect it, no matter which one dials.
func TestFormerLife(t *testing.T) {
	for _, dials := range []string{"former", "other"} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			a, later := g.node(0, 1), g.node(1, 2)
			later.Learn(a.card())
			later.send(a, "first")
			synctest.Wait()
			require.NoError(t, later.Close())
			former := g.node(1, 1)
			defer closeAll(a, former)
			if dials == "former" {
				former.Learn(a.card())
				former.send(a, "x")
			} else {
				g.network.mu.Lock()
				g.network.listeners[later.Endpoint()] = g.network.listeners[former.Endpoint()]
				g.network.mu.Unlock()
				a.Send(protocol.NodeID{Address: 1, Incarnation: 2}, transport.ChannelCore, 1, nil)
			}
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
			require.Equal(t, []string{"B.2 1 first"}, a.messages())
			require.Empty(t, former.messages())
			bothRefuse(t, a, former, transport.ReasonFormerLife)
			require.True(t, former.refusals()[0].Proven || a.refusals()[0].ByPeer)
		})
	}
}

// TestSecondLife demands that a copy of a node is refused by a peer that has met the original.
func TestSecondLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, first := g.node(0, 1), g.node(1, 1)
		copied := g.node(1, 1, func(c *transport.Config) { c.Hello.Nonce, c.Listen = 8, "copy:1" })
		defer closeAll(a, first, copied)
		first.Learn(a.card())
		copied.Learn(a.card())
		first.send(a, "x")
		synctest.Wait()
		copied.send(a, "y")
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		require.Equal(t, []string{"B 1 x"}, a.messages())
		require.Equal(t, []string{"up B"}, a.changes())
		bothRefuse(t, a, copied, transport.ReasonSecondLife)
	})
}

// bothRefuse demands that one node refused the other, and that both report the same reason.
func bothRefuse(t *testing.T, a, b *node, reason transport.Reason) {
	t.Helper()
	one, two := a.refusals(), b.refusals()
	require.NotEmpty(t, one)
	require.NotEmpty(t, two)
	assert.Equal(t, reason, one[0].Reason)
	assert.Equal(t, reason, two[0].Reason)
	assert.NotEqual(t, one[0].ByPeer, two[0].ByPeer)
	assert.Equal(t, one[0].Detail, two[0].Detail)
	assert.NotZero(t, a.Counters().Refused[reason.String()])
	assert.NotZero(t, b.Counters().Refused[reason.String()])
}

// TestRefusals demands a typed reason at both sides for each difference of hellos.
func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		reason transport.Reason
		change func(*transport.Config)
	}{
		{transport.ReasonWire, func(c *transport.Config) { c.Hello.Wire = 2 }},
		{transport.ReasonConfig, func(c *transport.Config) { c.Hello.Config[5] ^= 1 }},
		{transport.ReasonGrid, func(c *transport.Config) { c.Identity.Grid = "abcdefghijklmnopqrst" }},
		{transport.ReasonAddress, func(c *transport.Config) { c.Identity.Address = 9 }},
	} {
		t.Run(test.reason.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				// The other has the smaller address, so that its dial does not cross.
				a, other := g.node(5, 1), g.node(1, 1, test.change)
				defer closeAll(a, other)
				other.Learn(transport.Card{Address: a.id.Address, Endpoint: a.Endpoint()})
				other.send(a, "x")
				time.Sleep(10 * time.Millisecond)
				synctest.Wait()
				require.Empty(t, a.messages())
				require.Empty(t, a.changes())
				if test.reason == transport.ReasonGrid { // found by TLS before the hello
					require.Equal(t, transport.ReasonCertificate, other.refusals()[0].Reason)
					require.Equal(t, transport.ReasonCertificate, a.refusals()[0].Reason)
					return
				}
				bothRefuse(t, a, other, test.reason)
			})
		})
	}
}

// TestOwnAddress demands that a node with the address of another is refused by it.
func TestOwnAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, twin := g.node(0, 1), g.node(1, 1, func(c *transport.Config) { c.Identity.Address = 7 })
		defer closeAll(a, twin)
		id, err := g.authority.Enrol(0, time.Now())
		require.NoError(t, err)
		conn := g.dial(a, id)
		defer conn.Close()
		err = transport.Greet(conn, id, g.hello(), unchanged)
		refusal := &transport.Refusal{}
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, transport.ReasonSelf, refusal.Reason)
	})
}

// TestOtherGrid demands that a node of another grid is refused by its certificate, at both sides.
func TestOtherGrid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, h := newGrid(t), newGrid(t)
		h.network = g.network
		a, b := g.node(0, 1), h.node(1, 1)
		defer closeAll(a, b)
		b.Learn(transport.Card{Address: a.id.Address, Endpoint: a.Endpoint()})
		b.send(a, "x")
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		require.NotZero(t, a.Counters().Refused["certificate"])
		require.NotZero(t, b.Counters().Refused["certificate"])
		require.NotZero(t, a.Counters().Unauthenticated)
	})
}
