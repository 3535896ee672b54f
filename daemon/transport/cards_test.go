package transport_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// TestCardsSpread demands that a node in a chain of others can reach one that it never spoke to.
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
			n.Learn(transport.Card{Address: protocol.Address(10 + i), Incarnation: 1, Endpoint: "e:1"})
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

// TestCardsCompete demands that a later life wins, that a hint is replaced by any life, and that
// nothing else replaces a card.
func TestCardsCompete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(0, 1)
		defer closeAll(n)
		card := func(incarnation uint16, endpoint string) transport.Card {
			return transport.Card{Address: 5, Incarnation: incarnation, Endpoint: endpoint}
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
		n.Learn(transport.Card{Address: 0, Incarnation: 9, Endpoint: "not me"})
		require.Equal(t, n.card(), n.Cards()[0])
	})
}

// TestCardsAreBounded demands that a node keeps 4,096 cards, and that so many still spread.
func TestCardsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		for i := range transport.MaxCards {
			a.Learn(transport.Card{Address: protocol.Address(10 + i), Incarnation: 1, Endpoint: "e:1"})
		}
		require.Len(t, a.Cards(), transport.MaxCards)
		a.send(b, "x")
		time.Sleep(time.Second)
		synctest.Wait()
		require.Len(t, b.Cards(), transport.MaxCards)
	})
}
