package transport_test

import (
	"crypto/tls"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// TestCardsSpread demands that a node in a chain of others can reach a node that it was never
// connected to.
func TestCardsSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		var nodes []*node
		for i := range 6 {
			n := g.node(protocol.Address(i), 1)
			if i > 0 {
				n.Learn(nodes[i-1].card())
				n.send(nodes[i-1], "hello")
			}
			nodes = append(nodes, n)
		}
		defer closeAll(nodes...)
		synctest.Wait()
		for _, n := range nodes {
			require.Len(t, n.Cards(), 6)
		}
		nodes[0].send(nodes[5], "far")
		synctest.Wait()
		require.Contains(t, nodes[5].messages(), "A 1 far")
	})
}

// TestCardsFirst demands that a card that a node knew when it sent a message goes before that
// message, also if both go at once.
func TestCardsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(0, 1)
		defer closeAll(n)
		id, err := g.authority.Enrol(1, time.Now())
		require.NoError(t, err)
		conn := g.dial(n, id)
		defer conn.Close()
		require.NoError(t, transport.Greet(conn, id, g.hello(), unchanged))
		synctest.Wait()
		known := 0
		for i := range 50 {
			n.Learn(g.signed(protocol.Address(10+i), 1, "e:1"))
			n.Send(protocol.NodeID{Address: 1, Incarnation: 1}, transport.ChannelCore, 1, nil)
			for message := false; !message; {
				var cards []transport.Card
				message, cards, err = transport.Receive(conn)
				require.NoError(t, err)
				known += len(cards)
			}
			require.Equal(t, 2+i+1, known) // both nodes, too
		}
	})
}

// TestCardsCompete demands that a later incarnation wins, that a hint is replaced by any
// incarnation, and that nothing else replaces a card.
func TestCardsCompete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(0, 1)
		defer closeAll(n)
		signed := map[string]transport.Card{}
		card := func(incarnation uint16, endpoint string) transport.Card {
			if incarnation == 0 {
				return transport.Card{Address: 5, Endpoint: endpoint}
			}
			if _, is := signed[endpoint]; !is {
				signed[endpoint] = g.signed(5, incarnation, endpoint)
			}
			return signed[endpoint]
		}
		for _, step := range []struct{ learn, want transport.Card }{
			{card(0, "hint"), card(0, "hint")},
			{card(0, "other hint"), card(0, "hint")},
			{card(2, "two"), card(2, "two")},
			{card(2, "two again"), card(2, "two")},
			{card(1, "one"), card(2, "two")},
			{card(3, ""), card(2, "two")},
			{card(3, string(make([]byte, 256))), card(2, "two")},
			{card(9, "nine"), card(9, "nine")},
		} {
			n.Learn(step.learn)
			require.Equal(t, []transport.Card{n.card(), step.want}, n.Cards())
		}
		n.Learn(g.signed(0, 9, "not me"))
		require.Equal(t, n.card(), n.Cards()[0])
	})
}

// TestCardsAreBounded demands that a node keeps 4,096 cards, and that all of them still spread.
func TestCardsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		for i := range transport.MaxCards {
			a.Learn(g.signed(protocol.Address(10+i), 1, "e:1"))
		}
		require.Len(t, a.Cards(), transport.MaxCards)
		a.send(b, "x")
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, b.Cards(), transport.MaxCards)
	})
}

// TestOnlyItsNodeSignsACard demands that a card which its node has not signed changes nothing, and
// ends the connection of the member that passes it on: forged, of another key, of another grid, or
// changed on the way.
func TestOnlyItsNodeSignsACard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, other := newGrid(t), newGrid(t)
		n, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(n, b)
		n.Learn(b.card())
		n.send(b, "before")
		synctest.Wait()
		forger, err := g.authority.Enrol(2, time.Now())
		require.NoError(t, err)
		changed := func(change func(c *transport.Card)) transport.Card {
			c := g.signed(1, 65535, "nowhere")
			change(&c)
			return c
		}
		stolen := transport.Sign(forger, transport.Hello{Incarnation: 65535, Nonce: 1, Endpoint: "nowhere"})
		stolen.Address = 1
		for name, forged := range map[string]transport.Card{
			"unsigned":          {Address: 1, Incarnation: 65535, Endpoint: "nowhere"},
			"key of another":    stolen,
			"another grid":      other.signed(1, 65535, "nowhere"),
			"other incarnation": changed(func(c *transport.Card) { c.Incarnation-- }),
			"other endpoint":    changed(func(c *transport.Card) { c.Endpoint = "elsewhere" }),
			"other address":     changed(func(c *transport.Card) { c.Address = 9 }),
		} {
			conn := g.dial(n, forger)
			hello := g.hello()
			require.NoError(t, transport.Greet(conn, forger, hello, unchanged), name)
			before, cards := n.Counters().Reset["frame"], n.Cards()
			_, err := conn.Write(transport.CardsFrame(n.id, forged))
			require.NoError(t, err)
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
			require.Equal(t, before+1, n.Counters().Reset["frame"], name)
			require.Equal(t, cards, n.Cards(), name)
			n.Learn(forged)
			if name != "unsigned" { // for this node a hint
				require.Equal(t, cards, n.Cards(), name)
			}
			_ = conn.Close()
		}
		b.Learn(n.card())
		b.send(n, "alive")
		n.send(b, "after")
		synctest.Wait()
		require.Equal(t, []string{"A 1 before", "A 1 after"}, b.messages())
		require.Equal(t, []string{"B 1 alive"}, n.messages())
		require.Empty(t, b.refusals())
	})
}

// TestAClaimOfALaterLifeEndsNobody demands that a node keeps its connection to an incarnation when
// another member claims that there is a later one: only a hello proves an incarnation.
func TestAClaimOfALaterLifeEndsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		a.send(b, "1")
		synctest.Wait()
		a.Send(protocol.NodeID{Address: 1, Incarnation: 65535}, transport.ChannelCore, 1, nil)
		a.send(b, "2")
		synctest.Wait()
		g.network.reset()
		a.send(b, "3")
		b.Learn(a.card())
		b.send(a, "4")
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"A 1 1", "A 1 2", "A 1 3"}, b.messages())
		require.Equal(t, []string{"B 1 4"}, a.messages())
		for _, r := range b.refusals() { // both dial after the reset, perhaps at once
			require.Equal(t, transport.ReasonCrossing, r.Reason)
		}
		require.Equal(t, uint64(1), a.Counters().Expired)

		require.NoError(t, b.Close())
		b2 := g.node(1, 2, func(c *transport.Config) { c.Hello.Nonce = 8 })
		defer closeAll(b2)
		a.Send(protocol.NodeID{Address: 1, Incarnation: 2}, transport.ChannelCore, 1, []byte("5"))
		a.Send(protocol.NodeID{Address: 1, Incarnation: 3}, transport.ChannelCore, 1, []byte("lost"))
		b2.Learn(a.card())
		b2.send(a, "6")
		time.Sleep(10 * time.Second)
		require.Equal(t, []string{"A 1 5"}, b2.messages())
		require.Equal(t, []string{"B 1 4", "B.2 1 6"}, a.messages())
	})
}

// TestARefusalNeedsAProof demands that a member cannot end a node by claiming that a later
// incarnation or a copy exists, unless it shows a signature of that incarnation.
func TestARefusalNeedsAProof(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		liar, err := g.authority.Enrol(0, time.Now())
		require.NoError(t, err)
		nonce := func(n uint64) transport.Card {
			id, err := g.authority.Enrol(1, time.Now())
			require.NoError(t, err)
			return transport.Sign(id, transport.Hello{Incarnation: 1, Nonce: n, Endpoint: "e:1"})
		}
		forged := g.signed(1, 2, "e:1")
		forged.Incarnation = 9
		for _, test := range []struct {
			name   string
			reason transport.Reason
			card   transport.Card
			proven bool
		}{
			{"nothing", transport.ReasonFormerLife, transport.Card{}, false},
			{"own life", transport.ReasonFormerLife, g.signed(1, 1, "e:1"), false},
			{"life of the liar", transport.ReasonFormerLife, g.signed(0, 9, "e:1"), false},
			{"forged", transport.ReasonFormerLife, forged, false},
			{"later life", transport.ReasonFormerLife, g.signed(1, 2, "e:1"), true},
			{"no copy", transport.ReasonSecondLife, nonce(7), false},
			{"later life is no copy", transport.ReasonSecondLife, g.signed(1, 2, "e:1"), false},
			{"copy", transport.ReasonSecondLife, nonce(8), true},
			{"another reason", transport.ReasonBusy, g.signed(1, 2, "e:1"), false},
		} {
			b := g.node(1, 1)
			l, err := g.network.Listen("liar:1")
			require.NoError(t, err)
			b.Learn(transport.Card{Address: 0, Endpoint: "liar:1"})
			b.Send(protocol.NodeID{Address: 0}, transport.ChannelCore, 1, nil)
			raw, err := l.Accept()
			require.NoError(t, err)
			conn := tls.Server(raw, liar.ServerConfig(time.Now, nil))
			require.NoError(t, transport.Refuse(conn, transport.Refusal{Reason: test.reason}, test.card))
			synctest.Wait()
			require.Len(t, b.refusals(), 1, test.name)
			require.Equal(t, test.proven, b.refusals()[0].Proven, test.name)
			_ = l.Close()
			closeAll(b)
			_ = conn.Close()
		}
	})
}
