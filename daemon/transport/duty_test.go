package transport_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// TestNoSingleMessageIsLost demands that a receiver that is slow for a while misses no message
// between others: a message that does not fit ends the connection, and is sent again over the next
// one.
func TestNoSingleMessageIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		b.hold = make(chan struct{})
		a.Learn(b.card())
		var want []string
		for i := range transport.MaxInbox + 50 {
			want = append(want, fmt.Sprintf("A 1 %d", i))
			a.send(b, fmt.Sprint(i))
		}
		time.Sleep(maxAge / 2) // longer than a connection waits for room
		close(b.hold)
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, want, b.messages())
		assert.NotZero(t, b.Counters().Reset["inbox"])
	})
}

// TestLeasesDoNotWait demands that a lease arrives while other messages of its sender wait to be
// taken.
func TestLeasesDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		hold := make(chan struct{})
		a := g.node(0, 1)
		b := g.node(1, 1, func(c *transport.Config) {
			deliver := c.Deliver
			c.Deliver = func(from protocol.NodeID, channel transport.Channel, kind uint8, payload []byte) {
				if channel != transport.ChannelLease {
					<-hold
				}
				deliver(from, channel, kind, payload)
			}
		})
		defer closeAll(a, b)
		release := sync.OnceFunc(func() { close(hold) })
		defer release()
		a.Learn(b.card())
		for _, channel := range []transport.Channel{transport.ChannelCore, transport.ChannelBulk, transport.ChannelLease} {
			a.Send(b.id, channel, uint8(channel), []byte("x"))
		}
		synctest.Wait()
		require.Equal(t, []string{fmt.Sprintf("A %d x", transport.ChannelLease)}, b.messages())
		release()
		synctest.Wait()
		require.Len(t, b.messages(), 3)
	})
}
