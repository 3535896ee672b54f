package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/space"
)

// The table of the page is that of a new measurement.
func TestTableIsCurrent(t *testing.T) {
	all, err := rows()
	require.NoError(t, err)
	whole, err := os.ReadFile(filepath.Join("..", "..", canPage))
	require.NoError(t, err)
	_, is, _, err := canParts(string(whole))
	require.NoError(t, err)
	assert.Equal(t, canTable(all), is, "make tables WHAT=can writes it again")
}

// The claims of the page about the table hold for its figures.
func TestWhatTheTableShows(t *testing.T) {
	for _, l := range []layout{grid(4), comb(8, false), comb(4, true)} {
		for _, change := range []string{join, leave, crash} {
			r, err := measuredRow(l, change, 1)
			require.NoError(t, err)
			was, is := r.published[0], r.corrected[0]
			assert.Greater(t, is.bytes, was.bytes, "%s, %s", l.name, change)
			if change == crash {
				assert.Zero(t, was.owned, "%s: a published taker acts alone and at once", l.name)
				assert.GreaterOrEqual(t, is.owned, int64(2*latency), "%s: a round takes two messages at least", l.name)
			} else {
				assert.Equal(t, was.owned, is.owned, "%s, %s: both run a round", l.name, change)
			}
		}
	}
}

// Only takers that disturb each other make a cost depend on the seed.
func TestSeeds(t *testing.T) {
	for _, l := range []layout{grid(4), comb(4, false), comb(4, true)} {
		for _, change := range changes {
			r, err := measuredRow(l, change, 3)
			require.NoError(t, err)
			same := r.corrected[0] == r.corrected[1] && r.corrected[1] == r.corrected[2]
			assert.Equal(t, change != crash || l.takers == 1, same, "%s, %s", l.name, change)
		}
	}
}

func TestLayouts(t *testing.T) {
	for _, l := range layouts() {
		c := corrected(&l)
		subject := c.view(c.members[l.subject].state).Self
		assert.True(t, subject.Zone.Contains(l.joiner), l.name)
		takers, area := 0, int64(0)
		for i := range c.members {
			s := &c.members[i].state
			if _, ok := space.Share(subject.Zone, c.members[l.subject].state.Self.Splits, s.Self.Zone); ok {
				takers++
			}
			area += int64(s.Self.Zone.High[0]-s.Self.Zone.Low[0]) * int64(s.Self.Zone.High[1]-s.Self.Zone.Low[1])
		}
		assert.Equal(t, l.takers, takers, l.name)
		whole := l.space.Whole()
		assert.Equal(t, int64(whole.High[0])*int64(whole.High[1]), area, l.name)
	}
}

func TestSpread(t *testing.T) {
	bytes := func(c cost) int64 { return int64(c.bytes) }
	assert.Equal(t, "5", spread([]cost{{bytes: 5}, {bytes: 5}}, bytes))
	assert.Equal(t, "5 (1–1,234,567)", spread([]cost{{bytes: 5}, {bytes: 1}, {bytes: 1_234_567}}, bytes))
}
