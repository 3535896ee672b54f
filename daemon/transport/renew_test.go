package transport_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
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

// calendar is the time of day of some nodes, which can be set.
type calendar struct{ ahead atomic.Int64 }

func (c *calendar) now() time.Time            { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *calendar) add(d time.Duration)       { c.ahead.Add(int64(d)) }
func (c *calendar) shown(t *transport.Config) { t.Wall = c.now }
func (g *grid) registry(t *transport.Config) {
	t.Admit, t.Renew, t.Desk = refuseAll, g.renewAt(t.Wall), g.authority.Desk()
}
func refuseAll(transport.JoinRequest) (transport.Admission, error) {
	return transport.Admission{}, identity.ErrTokenUnknown
}

func (g *grid) renewAt(wall func() time.Time) func(*x509.Certificate) ([]byte, error) {
	return func(former *x509.Certificate) ([]byte, error) { return g.authority.Renew(former, wall()) }
}

// renewed is an identity whose certificate was renewed at some time.
func (g *grid) renewed(id *identity.Identity, at time.Time) *identity.Identity {
	certificate, err := g.authority.Reissue(id.Certificate.Leaf, at)
	require.NoError(g.t, err)
	renewed, err := id.Renewed(certificate, at)
	require.NoError(g.t, err)
	return renewed
}

// TestAConnectionEndsWithItsCertificates demands that nothing is delivered once the certificate of
// either side has ended, by the clock of either side, and that an idle connection ends, too.
func TestAConnectionEndsWithItsCertificates(t *testing.T) {
	for _, c := range []struct {
		name     string
		aSees    time.Duration // by how many days the clock of a is set ahead
		bSees    time.Duration
		reissued bool // the certificate of a lasts longer
		sends    bool
		ends     bool
	}{
		{"both, as both see", 31, 31, false, true, true},
		{"both, as both see, idle", 31, 31, false, false, true},
		{"that of b, as both see", 31, 31, true, true, true},
		{"as a sees", 31, 0, false, false, true},
		{"as b sees", 0, 31, false, false, true},
		{"that of b, as it sees itself", 0, 31, true, false, true},
		{"not yet", 29, 29, false, true, false},
		{"a clock that is set back", -400, -400, false, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				var ofA, ofB calendar
				a := g.node(0, 1, ofA.shown, func(config *transport.Config) {
					if c.reissued {
						config.Identity = g.renewed(config.Identity, time.Now().AddDate(0, 0, 9))
					}
				})
				b := g.node(1, 1, ofB.shown)
				defer closeAll(a, b)
				a.Learn(b.card())
				b.Learn(a.card())
				a.send(b, "before")
				time.Sleep(500 * time.Millisecond)
				synctest.Wait()
				require.Equal(t, []string{"A 1 before"}, b.messages())
				const day = 24 * time.Hour
				ofA.add(c.aSees * day)
				ofB.add(c.bSees * day)
				if c.sends {
					a.send(b, "after")
					b.send(a, "after")
				}
				time.Sleep(150 * time.Millisecond)
				synctest.Wait()
				ended := a.Counters().Reset["certificate"] + b.Counters().Reset["certificate"]
				if !c.ends {
					assert.Zero(t, ended)
					assert.Equal(t, []string{"A 1 before", "A 1 after"}, b.messages())
					return
				}
				assert.NotZero(t, ended)
				assert.Equal(t, []string{"A 1 before"}, b.messages())
				assert.Empty(t, a.messages())
			})
		})
	}
}

// TestRenew demands that a node gets a new certificate for its key, address and name from the node
// with the authority, and from no other, at any time within the grace after the present one has
// expired. A certificate of another grid, or one that expired too long ago, is not renewed.
func TestRenew(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		name    string
		after   time.Duration // since the certificate was made
		change  func(g *grid, c *transport.RenewConfig)
		refused transport.Reason // 0: renewed
		says    string
	}{
		{"soon", 20 * day, nil, 0, ""},
		{"just ended", 30*day + time.Second, nil, 0, ""},
		{"ended two years ago", 760 * day, nil, 0, ""},
		{"ended nearly five years ago", 30*day + identity.RenewalGrace, nil, 0, ""},
		{"ended more than five years ago", 30*day + identity.RenewalGrace + time.Second, nil, transport.ReasonRenewal,
			"more than 5 years after its end; join the machine again"},
		{"of another grid", 0, func(g *grid, c *transport.RenewConfig) {
			other := newGrid(g.t)
			id, err := other.authority.Enrol(1, time.Now())
			require.NoError(g.t, err)
			id.Grid, id.Roots = c.Identity.Grid, c.Identity.Roots // it would accept the answer
			c.Identity = id
		}, transport.ReasonCertificate, "bad certificate"},
		{"of a stolen certificate without its key", 0, func(g *grid, c *transport.RenewConfig) {
			key, err := identity.NewKey()
			require.NoError(g.t, err)
			thief := *c.Identity
			thief.Certificate.PrivateKey = key
			c.Identity = &thief
		}, transport.ReasonCertificate, "tls: error decrypting message"},
		{"at a node without the authority", 20 * day, func(g *grid, c *transport.RenewConfig) { c.Endpoint = "n2.1:1" },
			0, "the node does not have the key of the grid's authority"},
		{"by a clock that is behind the beginning", -day, nil, transport.ReasonRenewal, "most likely the clock is wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				id, err := g.authority.Enrol(1, time.Now())
				require.NoError(t, err)
				var wall calendar
				wall.add(c.after)
				hub := g.node(0, 1, wall.shown, g.registry, func(config *transport.Config) {
					if c.after > 0 {
						config.Identity = g.renewed(config.Identity, wall.now())
					}
				})
				other := g.node(2, 1, wall.shown, func(config *transport.Config) {
					if c.after > 0 {
						config.Identity = g.renewed(config.Identity, wall.now())
					}
				})
				defer closeAll(hub, other)
				ask := transport.RenewConfig{Endpoint: hub.Endpoint(), Identity: id, Wall: wall.now, Network: g.network}
				if c.change != nil {
					c.change(g, &ask)
				}
				renewed, err := transport.Renew(context.Background(), ask)
				require.Empty(t, other.refusals(), "a node that is not the authority has nothing to tell")
				if c.says != "" {
					require.ErrorContains(t, err, c.says)
					refusal, _ := errors.AsType[*transport.Refusal](err)
					if c.refused != 0 {
						require.Equal(t, c.refused, refusal.Reason)
					}
					return
				}
				require.NoError(t, err)
				require.Equal(t, id.Peer(), renewed.Peer())
				require.Equal(t, id.Certificate.PrivateKey, renewed.Certificate.PrivateKey)
				require.Equal(t, wall.now().Add(identity.NodeLifetime).Unix(), renewed.Ends().Unix())
				require.Equal(t, id.Certificate.Leaf.NotBefore, renewed.Certificate.Leaf.NotBefore)
			})
		})
	}
}

// TestAnEndedCertificateOnlyRenews demands that a certificate that has ended is good for nothing
// but its renewal, which does not depend on that of the node with the authority.
func TestAnEndedCertificateOnlyRenews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		var wall calendar
		wall.add(40 * 24 * time.Hour)
		hub, node := g.node(0, 1, wall.shown, g.registry), g.node(1, 1, wall.shown)
		defer closeAll(hub, node)
		node.Learn(hub.card())
		speaks := func(text string) []string {
			node.send(hub, text)
			time.Sleep(3 * time.Second)
			synctest.Wait()
			return hub.messages()
		}
		require.Empty(t, speaks("both have ended"))
		ask := transport.RenewConfig{Endpoint: hub.Endpoint(), Identity: node.first, Wall: wall.now, Network: g.network}
		renewed, err := transport.Renew(context.Background(), ask)
		require.NoError(t, err)
		hub.Reload(g.renewed(hub.first, wall.now()))
		require.Empty(t, speaks("that of the node has ended"))
		node.Reload(renewed)
		require.Equal(t, []string{"B 1 both are valid"}, speaks("both are valid")[:1])
	})
}

// TestANodeWithoutAValidCertificateKeepsAPace demands that a node whose own certificate has expired
// by its clock, but which takes those of others for valid, does not reconnect again and again, no
// matter which side dials.
func TestANodeWithoutAValidCertificateKeepsAPace(t *testing.T) {
	for _, dials := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			g.network.latency = 10 * time.Millisecond
			var wall calendar
			other := g.node(1, 1, func(c *transport.Config) { c.Identity = g.renewed(c.Identity, time.Now().AddDate(0, 0, 9)) })
			node := g.node(0, 1, wall.shown)
			defer closeAll(other, node)
			wall.add(31 * 24 * time.Hour)
			from, to := node, other
			if !dials {
				from, to = other, node
			}
			from.Learn(to.card())
			for range 60 {
				from.send(to, "x")
				time.Sleep(time.Second)
			}
			synctest.Wait()
			require.Empty(t, to.messages())
			require.Less(t, g.network.dialed(), 80)
			require.Equal(t, transport.ReasonCertificate, node.refusals()[0].Reason)
			require.Contains(t, node.refusals()[0].Detail, "the certificate of this node itself")
		})
	}
}

// TestReloadLosesNothing has nodes speak while the certificates of all of them are renewed, in any
// order, until long after the end of the former ones. Every message arrives, once and in order, and
// no connection ends with a certificate.
func TestReloadLosesNothing(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {0}, {2}, {1, 1, 1}} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			var wall calendar
			var nodes []*node
			for i := range 3 {
				nodes = append(nodes, g.node(protocol.Address(i), 1, wall.shown))
			}
			defer closeAll(nodes...)
			sent := 0
			speak := func(d time.Duration) {
				for end := time.Now().Add(d); time.Now().Before(end); sent++ {
					for i, n := range nodes {
						n.send(nodes[(i+1)%3], fmt.Sprint(sent))
					}
					time.Sleep(20 * time.Millisecond)
				}
			}
			for i, n := range nodes {
				n.Learn(nodes[(i+1)%3].card())
			}
			speak(time.Second)
			wall.add(20 * 24 * time.Hour)
			for _, i := range order {
				nodes[i].Reload(g.renewed(nodes[i].first, wall.now()))
				speak(time.Second)
			}
			if len(order) == 3 && order[0] != order[1] { // all of them
				wall.add(11 * 24 * time.Hour)
				speak(time.Second)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			for i, n := range nodes {
				from := nodes[(i+2)%3]
				var want []string
				for number := range sent {
					want = append(want, fmt.Sprintf("%v 1 %d", from.id, number))
				}
				got := n.messages()
				require.Equal(t, want, got)
				require.Zero(t, n.Counters().Reset["certificate"])
				require.Zero(t, n.Counters().TooOld+n.Counters().Expired)
			}
		})
	}
}

// TestReloadIsStaggered demands that the connections of a node are not replaced all at once, and
// that one which cannot be replaced stays, and is not dialed without end.
func TestReloadIsStaggered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		var wall calendar
		hub := g.node(0, 1, wall.shown)
		nodes := []*node{hub}
		for i := range 20 {
			n := g.node(protocol.Address(i+1), 1, wall.shown)
			n.Learn(hub.card())
			n.send(hub, "x")
			nodes = append(nodes, n)
		}
		defer closeAll(nodes...)
		time.Sleep(time.Second)
		wall.add(20 * 24 * time.Hour)
		g.network.setCut(nodes[20].Endpoint(), true)
		before := g.network.dialed()
		hub.Reload(g.renewed(hub.first, wall.now()))
		time.Sleep(time.Second)
		synctest.Wait()
		require.InDelta(t, 10, g.network.dialed()-before, 1)
		time.Sleep(9 * time.Second)
		synctest.Wait()
		require.Equal(t, 20, g.network.dialed()-before, "each once")
		require.Equal(t, 20, hub.Counters().Connected)
		time.Sleep(40 * time.Second) // no connection is idle yet
		require.LessOrEqual(t, g.network.dialed()-before, 21)
		reset := hub.Counters().Reset // the side that notices first
		require.Equal(t, uint64(19), reset["replaced"]+reset["peer"])
	})
}
