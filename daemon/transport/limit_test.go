package transport_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// dial connects to a node as a member that speaks for itself.
func (g *grid) dial(n *node, id *identity.Identity) *tls.Conn {
	raw, err := g.network.Dial(context.Background(), n.Endpoint())
	require.NoError(g.t, err)
	conn := tls.Client(raw, id.ClientConfig(time.Now))
	require.NoError(g.t, conn.Handshake())
	return conn
}

// hello is that of such a member.
func (g *grid) hello() transport.Hello {
	c := g.config(&node{}, 0, 1)
	c.Hello.Endpoint = "stranger:1"
	return c.Hello
}

func unchanged(b []byte) []byte { return b }

// TestRefusedSends demands that messages that cannot be sent are counted, and never sent.
func TestRefusedSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		a.Send(b.id, transport.ChannelCore, 1, make([]byte, transport.MaxPayload+1))
		a.Send(a.id, transport.ChannelCore, 1, nil)
		a.Send(b.id, transport.ChannelBulk+1, 1, nil)
		a.Send(b.id, transport.ChannelCore, 1, make([]byte, transport.MaxPayload))
		synctest.Wait()
		c := a.Counters()
		assert.Equal(t, uint64(1), c.Oversize)
		assert.Equal(t, uint64(2), c.Misaddressed)
		require.Len(t, b.messages(), 1)
		assert.Len(t, b.messages()[0], len("A 1 ")+transport.MaxPayload)
	})
}

// TestOutboxOverflow demands that a queue that is full is lost as a whole, and that later messages
// arrive.
func TestOutboxOverflow(t *testing.T) {
	for name, size := range map[string]int{"messages": 1, "bytes": 8 << 10} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				a, b := g.node(0, 1), g.node(1, 1)
				defer closeAll(a, b)
				a.Learn(b.card())
				g.network.setCut(b.Endpoint(), true)
				fits := min(transport.MaxOutbox, 1<<20/size)
				for range fits {
					a.Send(b.id, transport.ChannelCore, 1, bytes.Repeat([]byte("."), size))
				}
				require.Zero(t, a.Counters().Overflowed)
				a.send(b, "next")
				require.Equal(t, uint64(fits), a.Counters().Overflowed)
				g.network.setCut(b.Endpoint(), false)
				time.Sleep(time.Second)
				synctest.Wait()
				require.Equal(t, []string{"A 1 next"}, b.messages())
			})
		})
	}
}

// TestSlowReceiver demands that an application that takes nothing makes its transport close the
// connection, that others are not held up, and that nothing young is lost thereby.
func TestSlowReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		hold := make(chan struct{})
		a, b, c := g.node(0, 1), g.node(1, 1), g.node(2, 1)
		defer closeAll(a, b, c)
		var got []string
		slow := g.node(3, 1, func(conf *transport.Config) {
			deliver := conf.Deliver
			conf.Deliver = func(from protocol.NodeID, channel transport.Channel, kind uint8, payload []byte) {
				if from == a.id {
					<-hold
					got = append(got, string(payload))
					return
				}
				deliver(from, channel, kind, payload)
			}
		})
		defer closeAll(slow)
		a.Learn(slow.card())
		b.Learn(slow.card())
		for i := range 200 {
			a.send(slow, fmt.Sprint(i))
		}
		synctest.Wait()
		b.send(slow, "from another")
		synctest.Wait()
		require.Equal(t, []string{"B 1 from another"}, slow.messages())
		close(hold)
		synctest.Wait()
		require.Len(t, got, 200)
		for i, text := range got {
			require.Equal(t, fmt.Sprint(i), text)
		}
	})
}

// TestBurst demands that more messages than an inbox holds arrive without a reset if the receiver
// takes them.
func TestBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		b.hold = make(chan struct{})
		a.Learn(b.card())
		for range transport.MaxOutbox {
			a.send(b, "x")
		}
		time.Sleep(100 * time.Millisecond)
		close(b.hold)
		time.Sleep(time.Second)
		require.Len(t, b.messages(), transport.MaxOutbox)
		require.Empty(t, a.Counters().Reset)
		for range transport.MaxOutbox { // all of the former are acknowledged
			a.send(b, "x")
		}
		time.Sleep(time.Second)
		require.Len(t, b.messages(), 2*transport.MaxOutbox)
	})
}

// TestInboxOverflow demands that more than the inbox holds ends the connection, with that cause.
func TestInboxOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(0, 1)
		n.hold = make(chan struct{})
		defer closeAll(n)
		id, err := g.authority.Enrol(1, time.Now())
		require.NoError(t, err)
		conn := g.dial(n, id)
		defer conn.Close()
		require.NoError(t, transport.Greet(conn, id, g.hello(), unchanged))
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		for i := range transport.MaxInbox + 1 {
			_, err := conn.Write(transport.Data(n.id, uint64(i+1), 0, nil))
			require.NoError(t, err)
			synctest.Wait() // the first is with the application
		}
		require.Empty(t, n.Counters().Reset)
		_, err = conn.Write(transport.Data(n.id, transport.MaxInbox+2, 0, nil))
		require.NoError(t, err)
		time.Sleep(time.Second)
		require.Equal(t, map[string]uint64{"inbox": 1}, n.Counters().Reset)
		close(n.hold)
		synctest.Wait()
	})
}

// TestBadFrames demands that a member that sends what is no frame loses its connection.
func TestBadFrames(t *testing.T) {
	good := func(n *node) []byte { return transport.Data(n.id, 1, 0, []byte("ok")) }
	for name, frames := range map[string]func(n *node) []byte{
		"type": func(n *node) []byte {
			b := good(n)
			b[4] = 99
			return b
		},
		"short":             func(*node) []byte { return make([]byte, transport.HeadBytes) },
		"oversize":          func(n *node) []byte { return transport.Data(n.id, 1, 0, make([]byte, transport.MaxPayload+1)) },
		"gap":               func(n *node) []byte { return append(good(n), transport.Data(n.id, 3, 0, nil)...) },
		"again":             func(n *node) []byte { return append(good(n), good(n)...) },
		"acknowledges more": func(n *node) []byte { return transport.Data(n.id, 1, 1, nil) },
		"other incarnation": func(n *node) []byte {
			return transport.Data(protocol.NodeID{Address: n.id.Address, Incarnation: 2}, 1, 0, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				n := g.node(0, 1)
				defer closeAll(n)
				id, err := g.authority.Enrol(1, time.Now())
				require.NoError(t, err)
				conn := g.dial(n, id)
				defer conn.Close()
				require.NoError(t, transport.Greet(conn, id, g.hello(), unchanged))
				require.Zero(t, n.Counters().Reset["frame"])
				_, _ = conn.Write(frames(n)) // which may fail before the end of a large one
				synctest.Wait()
				require.Equal(t, uint64(1), n.Counters().Reset["frame"])
				_, _ = io.Copy(io.Discard, conn) // ends, since the connection does
			})
		})
	}
}

// TestBadHello demands that a member whose hello is damaged is refused.
func TestBadHello(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(0, 1)
		defer closeAll(n)
		id, err := g.authority.Enrol(1, time.Now())
		require.NoError(t, err)
		for _, change := range []func([]byte) []byte{
			func(b []byte) []byte { return b[:len(b)-1] },
			func(b []byte) []byte { return append(b, 0) },
			func(b []byte) []byte { return append(b, make([]byte, 2000)...) },
			func([]byte) []byte { return nil },
		} {
			conn := g.dial(n, id)
			err := transport.Greet(conn, id, g.hello(), change)
			refusal := &transport.Refusal{}
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, transport.ReasonMalformed, refusal.Reason)
			require.True(t, refusal.ByPeer)
			require.NoError(t, conn.Close())
		}
	})
}

// meetsBeside demands that no more than 512 strangers wait, and that a member gets through while
// others come all the time: 522 before it, and 100 meanwhile.
func meetsBeside(t *testing.T, a, b *node, stranger func()) {
	for range 512 + 10 {
		stranger()
	}
	require.Equal(t, uint64(10), b.Counters().Unauthenticated)
	a.send(b, "meanwhile")
	for range 100 {
		stranger()
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, []string{"A 1 meanwhile"}, b.messages())
}

// TestStrangers demands that connections that say nothing keep no member out, and end after 2 s.
func TestStrangers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		var silent []net.Conn
		stranger := func() {
			conn, err := g.network.Dial(context.Background(), b.Endpoint())
			require.NoError(t, err)
			silent = append(silent, conn)
			synctest.Wait()
		}
		meetsBeside(t, a, b, stranger)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Equal(t, uint64(512+10+100), b.Counters().Unauthenticated)
		for _, conn := range silent {
			_, err := conn.Read(make([]byte, 1))
			require.ErrorIs(t, err, io.EOF)
		}
	})
}

// deaf is a connection whose peer does not read.
type deaf struct {
	net.Conn
	over chan struct{}
}

func (d deaf) Read([]byte) (int, error) {
	<-d.over
	return 0, io.EOF
}

// TestStrangersThatSpeak demands the same of connections that begin to shake hands and then stop:
// none keeps a member out, or lasts for more than 5 s.
func TestStrangersThatSpeak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		over := make(chan struct{})
		defer close(over)
		stranger := func() {
			conn, err := g.network.Dial(context.Background(), b.Endpoint())
			require.NoError(t, err)
			config := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{identity.ProtocolNode}}
			go func() { _ = tls.Client(deaf{conn, over}, config).Handshake() }()
			synctest.Wait()
		}
		meetsBeside(t, a, b, stranger)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		require.Equal(t, uint64(512+10+100), b.Counters().Unauthenticated)
	})
}

// TestSlowHandshake demands that a member whose handshake takes longer than it takes silent
// strangers to fill all places gets through beside them.
func TestSlowHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		g.network.latency = 60 * time.Millisecond
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		for i := range 6000 {
			if i == 2000 {
				a.send(b, "meanwhile")
			}
			go func() {
				conn, err := g.network.Dial(context.Background(), b.Endpoint())
				if assert.NoError(t, err) {
					_, _ = io.ReadAll(conn)
				}
			}()
			time.Sleep(time.Millisecond / 4)
		}
		require.Equal(t, []string{"A 1 meanwhile"}, b.messages())
		time.Sleep(5 * time.Second)
	})
}

// TestFlood demands that at most 4 KiB are taken from a stranger, with any contents. A record of
// TLS may be larger than that.
func TestFlood(t *testing.T) {
	record := append([]byte{22, 3, 1, 0x3f, 0xff, 1, 0, 0x3f, 0xfb}, make([]byte, 1<<15)...)
	for name, flood := range map[string][]byte{
		"TLS": record, "text": []byte(strings.Repeat("GET / HTTP/1.1\r\n", 2000)), "hello": []byte("CNVS\x01\x00\x00"),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				n := g.node(0, 1)
				defer closeAll(n)
				conn, err := g.network.Dial(context.Background(), n.Endpoint())
				require.NoError(t, err)
				defer conn.Close()
				_, _ = conn.Write(flood)
				time.Sleep(6 * time.Second)
				synctest.Wait()
				require.Equal(t, uint64(1), n.Counters().Unauthenticated)
				require.LessOrEqual(t, conn.(*end).out.taken(), 4<<10)
				require.Zero(t, n.Counters().Refused["malformed"]) // the decoder of hellos did not run
			})
		})
	}
}

// TestNoCards demands that a message to an unknown address waits for a card, for MaxAge.
func TestNoCards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.send(b, "early")
		time.Sleep(2 * time.Second)
		a.send(b, "late")
		time.Sleep(2 * time.Second)
		a.Learn(b.card())
		synctest.Wait()
		require.Equal(t, []string{"A 1 late"}, b.messages())
		require.Equal(t, uint64(1), a.Counters().Expired)
	})
}

// TestBackoff demands that a node that cannot be reached is not dialed more often than the backoff
// allows, and not at all once no message waits.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a := g.node(0, 1)
		defer closeAll(a)
		a.Learn(transport.Card{Address: 1, Incarnation: 1, Endpoint: "nowhere:1"})
		for range 60 {
			a.Send(protocol.NodeID{Address: 1, Incarnation: 1}, transport.ChannelCore, 1, nil)
			time.Sleep(time.Second)
		}
		require.Greater(t, g.network.dialed(), 29)
		require.Less(t, g.network.dialed(), 70)
		time.Sleep(10 * time.Second)
		before := g.network.dialed()
		time.Sleep(time.Minute)
		require.Equal(t, before, g.network.dialed())
	})
}

// TestLargeMessagesAreAcknowledged demands that large messages do not wait in the outbox, once they
// are delivered, for others or for time to pass.
func TestLargeMessagesAreAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		for range 8 {
			a.Send(b.id, transport.ChannelBulk, 1, make([]byte, 200<<10))
			synctest.Wait()
		}
		require.Len(t, b.messages(), 8)
		require.Zero(t, a.Counters().Overflowed)
		time.Sleep(time.Second) // the last one is acknowledged, too
		g.network.reset()
		time.Sleep(time.Second)
		require.Zero(t, a.Counters().Resent)
	})
}

// TestStrangersTakeTurns demands that of connections whose peers are not known only a limited
// number compute at once, and that a connection whose peer does not send or read keeps no other
// from it.
func TestStrangersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := make(chan struct{}, 1)
		var computing, most atomic.Int32
		var running sync.WaitGroup
		for i := range 6 {
			ours, theirs := net.Pipe()
			defer ours.Close()
			defer theirs.Close()
			conn := transport.Guard(ours, turns)
			if i == 0 { // sends nothing
				go func() {
					defer conn.Done()
					_, _ = conn.Read(make([]byte, 1))
				}()
				continue
			}
			go func() { _, _ = theirs.Write([]byte{1}) }()
			if i == 1 { // reads nothing
				go func() {
					defer conn.Done()
					_, _ = conn.Read(make([]byte, 1))
					_, _ = conn.Write([]byte{1})
				}()
				continue
			}
			running.Go(func() {
				defer conn.Done()
				_, _ = conn.Read(make([]byte, 1))
				most.Store(max(most.Load(), computing.Add(1)))
				time.Sleep(time.Second)
				computing.Add(-1)
			})
		}
		began := time.Now()
		running.Wait()
		require.Equal(t, int32(1), most.Load())
		require.Equal(t, 4*time.Second, time.Since(began))
	})
}
