package renewal_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/renewal"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

const day = 24 * time.Hour

// grid is an authority, and the time of day at all nodes.
type grid struct {
	t         *testing.T
	authority *identity.Authority
	ahead     time.Duration // of the time of day
	began     time.Time
	down      bool // no node with the key of the authority can be reached
	asked     []string
	askedAt   []time.Duration
	answer    func(id *identity.Identity) (*identity.Identity, error) // nil: as the authority does
}

func newGrid(t *testing.T) *grid {
	g := &grid{t: t, began: time.Now()}
	var err error
	g.authority, err = identity.NewGrid(g.wall())
	require.NoError(t, err)
	return g
}

func (g *grid) wall() time.Time      { return time.Now().Add(g.ahead) }
func (g *grid) clock() time.Duration { return time.Since(g.began) }

// ask is that of a node: the authority is at hub:1.
func (g *grid) ask(_ context.Context, endpoint string, id *identity.Identity) (*identity.Identity, error) {
	g.asked = append(g.asked, endpoint)
	g.askedAt = append(g.askedAt, g.clock())
	switch {
	case endpoint != "hub:1":
		return nil, identity.ErrElsewhere
	case g.down:
		return nil, errors.New("connection refused")
	case g.answer != nil:
		return g.answer(id)
	}
	certificate, err := g.authority.Renew(id.Certificate.Leaf, g.wall())
	if err != nil {
		return nil, &transport.Refusal{Reason: transport.ReasonRenewal, ByPeer: true, Detail: err.Error()}
	}
	return id.Renewed(certificate, g.wall())
}

// node is one whose certificate is kept valid.
type node struct {
	*renewal.Keeper
	folder string
	cards  []transport.Card
	loaded []*identity.Identity
	log    bytes.Buffer
}

func (n *node) Cards() []transport.Card      { return n.cards }
func (n *node) Reload(id *identity.Identity) { n.loaded = append(n.loaded, id) }

// node makes a node. It may have the key of the authority itself.
func (g *grid) node(address protocol.Address, hasAuthority bool) *node {
	id, err := g.authority.Enrol(address, g.wall())
	require.NoError(g.t, err)
	cards := []transport.Card{{Address: 0, Endpoint: "hub:1"}, {Address: 1, Endpoint: "b:1"}}
	n := &node{folder: g.t.TempDir(), cards: cards}
	require.NoError(g.t, id.Save(n.folder))
	c := renewal.Config{
		Folder: n.folder, Identity: id, Ask: g.ask, Clock: g.clock, Wall: g.wall,
		Log: slog.New(slog.NewTextHandler(&n.log, nil)),
	}
	if hasAuthority {
		c.Authority = g.authority
	}
	n.Keeper = renewal.New(c)
	return n
}

// run runs a keeper for some time.
func (n *node) run(d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	n.Run(ctx, n)
}

// onDisk is the identity as it would be loaded.
func (n *node) onDisk(t *testing.T) *identity.Identity {
	id, err := identity.Load(n.folder)
	require.NoError(t, err)
	return id
}

// TestRenewsFromDay20 demands that a certificate is renewed between day 20 and half a day later,
// and not before, that it is on the disk before it is used, and that nothing is asked for
// afterwards.
func TestRenewsFromDay20(t *testing.T) {
	for _, hasAuthority := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			n := g.node(2, hasAuthority)
			g.ahead = 20*day - 2*time.Minute
			n.run(time.Minute)
			require.Empty(t, n.loaded)
			require.Empty(t, g.asked)
			g.ahead = 20*day + 12*time.Hour
			n.run(3 * time.Second)
			require.Len(t, n.loaded, 1)
			require.Equal(t, n.loaded[0].Ends(), n.onDisk(t).Ends())
			require.Equal(t, n.loaded[0], n.Identity())
			require.WithinDuration(t, g.wall().Add(30*day), n.Identity().Ends(), 5*time.Second)
			require.Empty(t, n.Standing().Warning)
			asked := len(g.asked)
			n.run(time.Hour)
			require.Len(t, g.asked, asked)
			require.Len(t, n.loaded, 1)
		})
	}
}

// TestNodesAreSpread demands that nodes with equal certificates do not all ask at once.
func TestNodesAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		hours := map[int]int{}
		var nodes []*node
		for i := range 60 {
			nodes = append(nodes, g.node(protocol.Address(i+2), false))
		}
		for hour := range 13 {
			g.ahead = 20*day + time.Duration(hour)*time.Hour
			for _, n := range nodes {
				before := len(n.loaded)
				n.run(1500 * time.Millisecond)
				hours[hour] += len(n.loaded) - before
			}
		}
		total := 0
		for hour, n := range hours {
			assert.LessOrEqual(t, n, 15, "hour %d", hour)
			total += n
		}
		require.Equal(t, 60, total)
	})
}

// TestGoesOnTrying demands that tries go on while the authority is out of reach, at a pace that is
// bounded both ways, that people are warned from the first failure, and that the first success ends
// it.
func TestGoesOnTrying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(2, false)
		g.ahead, g.down = 20*day+12*time.Hour, true
		n.run(24 * time.Hour)
		require.Empty(t, n.loaded)
		tries := pauses(g)
		require.Greater(t, len(tries), 24)
		for i, pause := range tries {
			assert.LessOrEqual(t, pause, time.Hour)
			assert.GreaterOrEqual(t, pause, 30*time.Second, "try %d", i)
		}
		require.Greater(t, tries[len(tries)-1], 29*time.Minute)
		s := n.Standing()
		require.Equal(t, "The certificate of this node ends on 2000-01-31, in 8 days, and could not be renewed: "+
			"start the "+
			"daemon that has the key of the grid's authority (that of canvass node init), or let this node reach it.",
			s.Warning)
		require.Contains(t, n.log.String(), `msg="the certificate of this node could not be renewed"`)
		require.Contains(t, n.log.String(), "connection refused")

		g.ahead += 9*day - time.Hour // some hours are left
		g.asked, g.askedAt = nil, nil
		n.run(11 * time.Hour)
		require.Greater(t, len(pauses(g)), 15)
		g.ahead += 100 * day // it has ended long ago
		g.asked, g.askedAt = nil, nil
		n.run(time.Hour)
		for _, pause := range pauses(g) {
			assert.LessOrEqual(t, pause, time.Minute+time.Second)
		}
		require.Contains(t, n.Standing().Warning, "cannot be used: not a valid certificate of this grid: it is "+
			"valid from")
		require.Negative(t, n.Standing().Left)

		g.down = false
		n.run(time.Minute + time.Second)
		require.Len(t, n.loaded, 1)
		require.Empty(t, n.Standing().Warning)
		require.Equal(t, n.loaded[0].Ends(), n.onDisk(t).Ends())
	})
}

// pauses are the times between tries: a try begins with the hub.
func pauses(g *grid) (all []time.Duration) {
	last := time.Duration(-1)
	for i, endpoint := range g.asked {
		if endpoint != "hub:1" {
			continue
		}
		if last >= 0 {
			all = append(all, g.askedAt[i]-last)
		}
		last = g.askedAt[i]
	}
	return all
}

// TestAJumpIsNoReasonToWait demands that a node whose pause is long tries soon when its certificate
// has ended at once, since the time of day was set.
func TestAJumpIsNoReasonToWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(2, false)
		g.ahead, g.down = 20*day+12*time.Hour, true
		n.run(24 * time.Hour) // pauses are an hour long
		g.down = false
		g.ahead += 365 * day
		n.run(time.Minute + 2*time.Second)
		require.Len(t, n.loaded, 1)
	})
}

// TestPrepare demands that a daemon whose certificate has ended waits for the authority for a
// while, and then says which certificate has ended, and what to do; and that one whose clock is
// wrong says so, without asking anybody.
func TestPrepare(t *testing.T) {
	for _, c := range []struct {
		name    string
		ahead   time.Duration
		change  func(g *grid, n *node)
		later   func(g *grid) // after ten seconds
		says    []string
		renews  bool
		instant bool
	}{
		{name: "valid", ahead: 29 * day, instant: true},
		{name: "ended", ahead: 31 * day, renews: true, instant: true},
		{name: "ended two years ago", ahead: 730 * day, renews: true, instant: true},
		{name: "ended, and the authority comes", ahead: 730 * day, renews: true,
			change: func(g *grid, _ *node) { g.down = true }, later: func(g *grid) { g.down = false }},
		{name: "ended, and the authority does not come", ahead: 32 * day, change: func(g *grid,
			_ *node) {
			g.down = true
		},
			says: []string{"valid from 1999-12-31T23:00:00Z to 2000-01-31T00:00:00Z",
				"most likely the certificate has ended",
				"the clock of this node says 2000-02-02", "start the daemon that has the key of the grid's authority",
				"connection refused"}},
		{name: "ended, and no node is known", ahead: 32 * day, change: func(_ *grid, n *node) { n.cards = nil },
			says: []string{"no other daemon is known"}},
		{name: "ended, and no node has the key", ahead: 32 * day, change: func(_ *grid, n *node) { n.cards = n.cards[1:] },
			says: []string{"none of the 1 daemons that were asked has the key"}},
		{name: "ended too long ago", ahead: 7 * 365 * day, instant: true, says: []string{
			"in time; if the clock is ahead, set it; the authority refuses: ",
			"more than 5 years after its end; join the machine again"}},
		{name: "a clock that is behind", ahead: -400 * day, change: func(g *grid, _ *node) {
			g.answer = func(*identity.Identity) (*identity.Identity, error) { panic("it cannot help") }
		}, says: []string{"most likely the clock is wrong, and 399 days behind or more; set it"}},
		{name: "a clock that is set in time", ahead: -400 * day, later: func(g *grid) { g.ahead = 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				n := g.node(2, false)
				g.ahead = c.ahead
				if c.change != nil {
					c.change(g, n)
				}
				if c.later != nil {
					time.AfterFunc(10*time.Second, func() { c.later(g) })
				}
				began := time.Now()
				err := n.Prepare(context.Background(), n.cards)
				took := time.Since(began)
				for _, text := range c.says {
					require.ErrorContains(t, err, text)
				}
				if len(c.says) == 0 {
					require.NoError(t, err)
					require.NoError(t, n.Identity().ValidAt(g.wall()))
					require.Equal(t, n.Identity().Ends(), n.onDisk(t).Ends())
				}
				assert.LessOrEqual(t, took, 21*time.Second)
				assert.Equal(t, c.instant, took == 0, "%v", took)
				if c.renews {
					require.WithinDuration(t, g.wall().Add(30*day), n.Identity().Ends(), time.Second)
				}
			})
		})
	}
}

// TestPrepareOfTheAuthority demands that the node with the key of the authority renews its own
// certificate at its start, however long ago that has ended, as soon as it is due, and asks no
// other node.
func TestPrepareOfTheAuthority(t *testing.T) {
	for after, renews := range map[time.Duration]bool{
		19 * day: false, 21 * day: true, 31 * day: true, 730 * day: true, 20 * 365 * day: true,
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newGrid(t)
			n := g.node(0, true)
			first := n.Identity()
			g.ahead = after
			require.NoError(t, n.Prepare(context.Background(), n.cards))
			require.Equal(t, renews, n.Identity() != first)
			require.NoError(t, n.onDisk(t).ValidAt(g.wall()))
			require.Empty(t, g.asked)
		})
	}
}

// TestAWrongAnswerIsNotTaken demands that a member which answers with anything but the same key,
// address and name, valid now and longer, changes nothing.
func TestAWrongAnswerIsNotTaken(t *testing.T) {
	other := func(g *grid, id *identity.Identity, address protocol.Address) []byte {
		forged, err := g.authority.Enrol(address, g.wall())
		require.NoError(g.t, err)
		return forged.Certificate.Certificate[0]
	}
	for name, certificate := range map[string]func(g *grid, id *identity.Identity) []byte{
		"of another key": func(g *grid, id *identity.Identity) []byte { return other(g, id, id.Address) },
		"of another address": func(g *grid, id *identity.Identity) []byte {
			request, err := identity.Request(id.Certificate.PrivateKey.(*ecdsa.PrivateKey))
			require.NoError(g.t, err)
			der, err := g.authority.Issue(request, id.Address+1, g.wall())
			require.NoError(g.t, err)
			return der
		},
		"the same again": func(_ *grid, id *identity.Identity) []byte { return id.Certificate.Certificate[0] },
		"of another authority": func(g *grid, id *identity.Identity) []byte {
			forger := newGrid(g.t)
			forged, err := forger.authority.Enrol(id.Address, g.wall())
			require.NoError(g.t, err)
			return forged.Certificate.Certificate[0]
		},
		"of an authority whose clock is three weeks behind": func(g *grid, id *identity.Identity) []byte {
			der, err := g.authority.Reissue(id.Certificate.Leaf, g.wall().Add(-21*day))
			require.NoError(g.t, err)
			return der
		},
		"no certificate": func(*grid, *identity.Identity) []byte { return []byte("x") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGrid(t)
				n := g.node(2, false)
				first := n.Identity()
				g.ahead = 21 * day
				_, err := first.Renewed(certificate(g, first), g.wall())
				require.ErrorIs(t, err, identity.ErrRenewal)
				require.Equal(t, first.Ends(), n.onDisk(t).Ends())
			})
		})
	}
}

// TestTheDiskIsFirst demands that a certificate which cannot be kept is not used.
func TestTheDiskIsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(2, false)
		first := n.Identity()
		g.ahead = 21 * day
		away := n.folder + "-away"
		require.NoError(t, os.Rename(n.folder, away))
		require.NoError(t, os.WriteFile(n.folder, nil, 0o600)) // no folder
		n.run(5 * time.Second)
		require.NoError(t, os.Remove(n.folder))
		require.NoError(t, os.Rename(away, n.folder))
		require.Empty(t, n.loaded)
		require.Equal(t, first, n.Identity())
		require.Contains(t, n.Standing().Warning, "could not be renewed")
		n.run(2 * time.Minute)
		require.Len(t, n.loaded, 1)
	})
}

// TestAnyoneMayHaveTheAuthority demands that it is found among many daemons, within a few tries,
// and asked first from then on.
func TestAnyoneMayHaveTheAuthority(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		n := g.node(2, false)
		n.cards = nil
		for i := range 40 {
			n.cards = append(n.cards, transport.Card{Address: protocol.Address(i + 1), Endpoint: fmt.Sprintf("n%d:1",
				i+1)})
		}
		n.cards[33].Endpoint = "hub:1"
		g.ahead = 21 * day
		n.run(time.Hour)
		require.Len(t, n.loaded, 1)
		require.LessOrEqual(t, len(g.asked), 40)
		require.NotContains(t, strings.Join(g.asked, " "), "n2:1", "itself")
		g.ahead += 21 * day
		g.asked = nil
		n.run(time.Minute)
		require.Equal(t, []string{"hub:1"}, g.asked)
	})
}

// TestTwoYears runs a grid of three through two years, a day at a time, with clocks that jump by
// hours, days and a year, in both directions. No certificate ever ends while the clock is right.
func TestTwoYears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGrid(t)
		g.ahead += day // the grid is a day old when clocks begin to jump
		nodes := []*node{g.node(0, true), g.node(1, false), g.node(2, false)}
		jumps := []time.Duration{-3 * time.Hour, 5 * time.Hour, -12 * day, 9 * day, -20 * time.Hour,
			13 * 365 * day / 12}
		renewals := 0
		for today := range 730 {
			g.ahead += day
			for _, n := range nodes {
				before := len(n.loaded)
				n.run(1500 * time.Millisecond)
				renewals += len(n.loaded) - before
				require.NoError(t, n.Identity().ValidAt(g.wall()), "day %d of node %v", today, n.Identity().Address)
				require.Empty(t, n.Standing().Warning)
			}
			if today%50 == 49 { // and back
				jump := jumps[min(today/120, len(jumps)-1)]
				g.ahead += jump
				for _, n := range nodes {
					n.run(3 * time.Second)
				}
				for _, n := range nodes {
					n.run(3 * time.Second)
					require.NoError(t, n.Identity().ValidAt(g.wall()), "day %d, %v", today, jump)
				}
				g.ahead -= jump
			}
		}
		require.Greater(t, renewals, 3*(600-30)/21)
	})
}
