package transport_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
)

// TestSend demands that a message arrives with the sender's identity, over a connection that the
// message itself brings about, and that the answer needs no card.
func TestSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 3)
		defer closeAll(a, b)
		a.Learn(b.card())
		a.send(b, "question")
		synctest.Wait()
		require.Equal(t, []string{"A 1 question"}, b.messages())
		require.Equal(t, []string{"up A"}, b.changes())
		b.send(a, "answer")
		synctest.Wait()
		require.Equal(t, []string{"B.3 1 answer"}, a.messages())
		assert.Equal(t, 1, g.network.dialed())
		assert.Equal(t, 1, a.Counters().Connected)
		assert.Equal(t, []transport.Card{a.card(), b.card()}, b.Cards())
	})
}

// TestIdle demands that a connection without messages stays for a minute, alive, and then ends.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		a.send(b, "x")
		time.Sleep(59 * time.Second)
		synctest.Wait()
		require.Equal(t, []string{"up B"}, a.changes())
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Equal(t, []string{"up B", "down B"}, a.changes())
		a.send(b, "y")
		synctest.Wait()
		require.Equal(t, []string{"A 1 x", "A 1 y"}, b.messages())
		assert.Zero(t, a.Counters().Resent)
	})
}
