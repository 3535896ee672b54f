package member

import (
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// known are links that know some nodes, which do not answer.
type known struct {
	life.Links
	cards []transport.Card
}

func (k *known) Cards() []transport.Card { return k.cards }

// A node that has left is shown for two minutes, and is not asked for anything unless it keeps jobs
// alone. A daemon that was down at its farewell is notified by a witness, and accepts that once the
// incarnation is over: a running node is never hidden.
func TestANodeThatHasLeft(t *testing.T) {
	here, gone := protocol.NodeID{Address: 4, Incarnation: 1}, protocol.NodeID{Address: 9, Incarnation: 1}
	wall := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	start := func() *Members {
		store, err := disk.Open(filepath.Join(t.TempDir(), "db"))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		r := life.New(slog.New(slog.DiscardHandler))
		r.Self, r.Store, r.Links = here, store, &known{cards: []transport.Card{{Address: 9, Incarnation: 1}}}
		r.Machine.Wall = func() time.Time { return wall }
		r.Loop = driver.New(nil, nil)
		r.Lease = driver.Add(r.Loop, life.LeaseID, &lease.Core{}, driver.Traits[lease.State, lease.Message]{},
			lease.State{}, nil)
		m := NewMembers(r, &config.Settings{})
		m.Commit = store.Commit
		require.NoError(t, m.LoadDeparted())
		return m
	}
	listed := func(s *Members) bool {
		return slices.ContainsFunc(s.Known(), func(id protocol.NodeID) bool { return s.IsListed(id, false) })
	}
	over := func(s *Members) { s.lives = map[protocol.Address]uint16{9: 2} } // a later life proves it

	for _, sole := range []bool{false, true} {
		witness := start()
		_, err := witness.AnswerFarewell(gone, rpc.FarewellReport{Sole: sole})
		require.NoError(t, err)
		assert.Equal(t, !sole, witness.HasNothing(gone))
		assert.True(t, listed(witness))

		back := start()
		told, err := witness.AnswerDeparted(here, rpc.None{})
		require.NoError(t, err)
		told[0].Told = true
		back.keepDeparted(told)
		_, left := back.HasLeft(gone)
		assert.False(t, left, "as far as is known it runs")
		over(back)
		assert.Equal(t, !sole, back.HasNothing(gone))
		assert.Equal(t, "has left the grid", back.OverText(gone))
		require.NoError(t, back.LoadDeparted(), "in the next incarnation")
		assert.Equal(t, "has left the grid", back.OverText(gone))

		for _, s := range []*Members{witness, back} {
			wall = wall.Add(leftShown)
			assert.True(t, listed(s))
			wall = wall.Add(time.Second)
			assert.False(t, listed(s))
			assert.True(t, s.IsListed(gone, true), "the reports of all former nodes have it")
			wall = wall.Add(-leftShown - time.Second)
		}
	}
}
