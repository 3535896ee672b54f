package transport_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/transport"
)

// TestResets lets two nodes send to each other while connections break at any moment. All that was
// sent must arrive, once and in order, as long as no message waits for MaxAge.
func TestResets(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		type act struct {
			kind  string
			pause time.Duration
		}
		acts := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) act {
			kind := rapid.SampledFrom([]string{"a", "a", "b", "b", "both", "burst", "reset", "lose"}).Draw(r, "kind")
			pause := rapid.SampledFrom([]int{0, 0, 1, 20, 60, 300}).Draw(r, "pause")
			return act{kind, time.Duration(pause) * time.Millisecond}
		}), 1, 15).Draw(r, "acts")
		size := rapid.SampledFrom([]int{0, 0, 3000, 100_000}).Draw(r, "size")
		var sentA, sentB, gotA, gotB []string
		var lost, old uint64
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			a, b := g.node(0, 1), g.node(1, 1)
			defer closeAll(a, b)
			a.Learn(b.card())
			b.Learn(a.card())
			sent := map[*node][]string{}
			send := func(from, to *node) {
				text := fmt.Sprintf("%d%s", len(sent[from]), strings.Repeat(".", size))
				sent[from] = append(sent[from], fmt.Sprintf("%v 1 %s", from.id, text))
				from.send(to, text)
			}
			for _, act := range acts {
				switch act.kind {
				case "a":
					send(a, b)
				case "b":
					send(b, a)
				case "both":
					send(a, b)
					send(b, a)
				case "burst":
					for range 8 {
						send(a, b)
					}
				case "reset":
					g.network.reset()
				case "lose":
					g.network.lose()
					time.Sleep(100 * time.Millisecond)
					g.network.reset()
				}
				if act.pause > 0 {
					time.Sleep(act.pause)
				}
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
			lost = a.Counters().Overflowed + b.Counters().Overflowed
			old = a.Counters().TooOld + b.Counters().TooOld
			sentA, sentB, gotA, gotB = sent[a], sent[b], a.messages(), b.messages()
		})
		if size < 100_000 {
			require.Zero(r, lost)
		} else if lost > 0 {
			return // the queue has room for ten of these
		}
		require.Equal(r, sentA, gotB)
		require.Equal(r, sentB, gotA)
		require.Zero(r, old)
	})
}

// TestCrossing demands that of two connections that are dialed at once one is refused before it
// replaces the other, that the other stays, and that nothing is lost.
func TestCrossing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		g.network.latency = 10 * time.Millisecond // so that both sides are always equally far
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		const rounds = 24 // in each, both dials cross with a probability of about a half
		for i := range rounds {
			a.Learn(b.card())
			b.Learn(a.card())
			a.send(b, fmt.Sprint(i))
			b.send(a, fmt.Sprint(i))
			time.Sleep(time.Second)
			synctest.Wait()
			require.Len(t, a.messages(), i+1)
			require.Len(t, b.messages(), i+1)
			dials := g.network.dialed()
			time.Sleep(10 * time.Second)
			require.Equal(t, dials, g.network.dialed())
			require.Equal(t, 1, a.Counters().Connected)
			g.network.reset()
			time.Sleep(time.Second)
		}
		require.Equal(t, map[string]uint64{"peer": rounds}, a.Counters().Reset)
		require.Equal(t, map[string]uint64{"peer": rounds}, b.Counters().Reset)
		require.NotZero(t, a.Counters().Refused["crossing"])
	})
}

// TestHalfOpen demands that a node that has lost a connection is not refused by a peer that still
// holds the connection for open, no matter which of the two dialed it.
func TestHalfOpen(t *testing.T) {
	for _, smaller := range []bool{true, false} {
		for _, dialed := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				first, second := g.node(0, 1), g.node(1, 1)
				defer closeAll(first, second)
				if !smaller {
					first, second = second, first
				}
				first.Learn(second.card())
				first.send(second, "x")
				time.Sleep(time.Second)
				g.network.resetHalf(dialed)
				loses, keeps := first, second
				if !dialed {
					loses, keeps = second, first
				}
				loses.send(keeps, "y")
				time.Sleep(100 * time.Millisecond)
				synctest.Wait()
				require.Equal(t, fmt.Sprintf("%v 1 y", loses.id), last(keeps.messages()))
				require.Equal(t, uint64(1), keeps.Counters().Reset["replaced"])
				require.Equal(t, []string{"up " + loses.id.String()}, keeps.changes())
			})
		}
	}
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// TestResetWhileDelivering demands that a connection delivers nothing before the last message of
// the former one is done.
func TestResetWhileDelivering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		b.hold = make(chan struct{})
		a.Learn(b.card())
		a.send(b, "1")
		synctest.Wait()
		g.network.reset()
		a.send(b, "2")
		time.Sleep(time.Second)
		close(b.hold)
		synctest.Wait()
		require.Equal(t, []string{"A 1 1", "A 1 2"}, b.messages())
		require.Equal(t, []string{"up A"}, b.changes())
		require.Equal(t, uint64(1), b.Counters().Duplicates)
	})
}

// TestOneWay demands that two nodes can exchange messages if only one can dial the other, no matter
// which has the smaller address.
func TestOneWay(t *testing.T) {
	for _, blocked := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			nodes := []*node{g.node(0, 1), g.node(1, 1)}
			defer closeAll(nodes...)
			nodes[0].Learn(nodes[1].card())
			nodes[1].Learn(nodes[0].card())
			g.network.setCut(nodes[blocked].Endpoint(), true)
			nodes[0].send(nodes[1], "x")
			nodes[1].send(nodes[0], "y")
			time.Sleep(time.Second)
			synctest.Wait()
			require.Len(t, nodes[0].messages(), 1)
			require.Len(t, nodes[1].messages(), 1)
		})
	}
}

// TestAge demands that a message that is older than MaxAge is not delivered, and a younger one is,
// though its connection had to wait.
func TestAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		g.network.setCut(b.Endpoint(), true)
		a.send(b, "old")
		time.Sleep(maxAge - 500*time.Millisecond)
		a.send(b, "young")
		time.Sleep(600 * time.Millisecond)
		g.network.setCut(b.Endpoint(), false)
		time.Sleep(2200 * time.Millisecond) // it dials after two seconds at the latest, and young lasts for 2.4
		synctest.Wait()
		require.Equal(t, []string{"A 1 young"}, b.messages())
		assert.Equal(t, uint64(1), a.Counters().Expired)
	})
}

// TestAgeOfResent demands that a message that was on its way when its connection broke counts from
// when it was made.
func TestAgeOfResent(t *testing.T) {
	for _, wait := range []time.Duration{time.Second, maxAge + time.Second} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			a, b := g.node(0, 1), g.node(1, 1)
			defer closeAll(a, b)
			a.Learn(b.card())
			a.send(b, "first")
			time.Sleep(time.Second)
			g.network.lose()
			a.send(b, "second")
			time.Sleep(100 * time.Millisecond)
			g.network.setCut(b.Endpoint(), true)
			g.network.setCut(a.Endpoint(), true)
			g.network.reset()
			time.Sleep(wait - 100*time.Millisecond)
			g.network.setCut(b.Endpoint(), false)
			time.Sleep(2 * time.Second)
			synctest.Wait()
			require.Equal(t, wait < maxAge, len(b.messages()) == 2)
		})
	}
}

// TestAgeInInbox demands that a message grows old at its receiver, too.
func TestAgeInInbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		b.hold = make(chan struct{})
		a.Learn(b.card())
		a.send(b, "taken at once")
		synctest.Wait()
		a.send(b, "waits")
		time.Sleep(maxAge + time.Second)
		close(b.hold)
		synctest.Wait()
		require.Equal(t, []string{"A 1 taken at once"}, b.messages())
		require.Equal(t, uint64(1), b.Counters().TooOld)
	})
}

// TestAgeBeforeConnection demands that the time that a message waits for its first connection
// counts, also where its receiver measures.
func TestAgeBeforeConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		b.hold = make(chan struct{})
		a.send(b, "taken at once")
		a.send(b, "waits here and there")
		time.Sleep(2 * time.Second)
		a.Learn(b.card())
		time.Sleep(maxAge - time.Second)
		a.send(b, "waits there")
		synctest.Wait()
		close(b.hold)
		synctest.Wait()
		require.Equal(t, []string{"A 1 taken at once", "A 1 waits there"}, b.messages())
	})
}

// TestAgeAcrossReset demands the same of the time before a message is sent again.
func TestAgeAcrossReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		b.hold = make(chan struct{})
		a.Learn(b.card())
		a.send(b, "taken at once")
		synctest.Wait()
		g.network.lose()
		a.send(b, "sent twice")
		time.Sleep(time.Second)
		g.network.reset()
		time.Sleep(maxAge - 500*time.Millisecond)
		a.send(b, "young")
		synctest.Wait()
		close(b.hold)
		synctest.Wait()
		require.Equal(t, []string{"A 1 taken at once", "A 1 young"}, b.messages())
		require.NotZero(t, a.Counters().Resent)
		require.Equal(t, uint64(1), b.Counters().TooOld)
	})
}

// TestClocksDiffer demands that ages need no common clock.
func TestClocksDiffer(t *testing.T) {
	for _, offset := range []time.Duration{-time.Hour, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			a := g.node(0, 1)
			b := g.node(1, 1, func(c *transport.Config) {
				c.Clock = func() time.Duration { return g.clock() + offset }
			})
			defer closeAll(a, b)
			a.Learn(b.card())
			for i := range 5 {
				a.send(b, "x")
				time.Sleep(time.Second)
				b.send(a, "y")
				time.Sleep(time.Second)
				require.Len(t, a.messages(), i+1)
				require.Len(t, b.messages(), i+1)
			}
		})
	}
}

// TestSilence demands that a connection over which nothing arrives any more is given up, and that
// the next carries on.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		a, b := g.node(0, 1), g.node(1, 1)
		defer closeAll(a, b)
		a.Learn(b.card())
		a.send(b, "x")
		time.Sleep(time.Second)
		g.network.lose()
		time.Sleep(maxAge + time.Second)
		synctest.Wait()
		require.Equal(t, []string{"up B", "down B"}, a.changes())
		require.Equal(t, []string{"up A", "down A"}, b.changes())
		require.Equal(t, uint64(1), a.Counters().Reset["silent"])
		b.send(a, "y")
		synctest.Wait()
		require.Equal(t, []string{"B 1 y"}, a.messages())
	})
}
