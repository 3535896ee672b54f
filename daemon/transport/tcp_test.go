package transport_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
)

// TestTCP sends over real sockets in both directions, on all channels.
func TestTCP(t *testing.T) {
	g := newGrid(t)
	real := func(c *transport.Config) { c.Network, c.Listen = nil, "127.0.0.1:0" }
	a, b := g.node(0, 1, real), g.node(1, 1, real)
	defer closeAll(a, b)
	a.Learn(b.card())
	for i := range 100 {
		a.send(b, fmt.Sprint(i))
		a.Send(b.id, transport.ChannelLease, 2, nil)
		a.Send(b.id, transport.ChannelBulk, 3, make([]byte, 1000))
	}
	require.Eventually(t, func() bool { return len(b.messages()) == 300 }, 10*time.Second, time.Millisecond)
	b.send(a, "answer")
	require.Eventually(t, func() bool { return len(a.messages()) == 1 }, 10*time.Second, time.Millisecond)
	require.Equal(t, 1, a.Counters().Connected)
	next := 0
	for _, m := range b.messages() {
		if m == fmt.Sprintf("A 1 %d", next) {
			next++
		}
	}
	require.Equal(t, 100, next)
}
