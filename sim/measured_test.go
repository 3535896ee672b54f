package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/catalog"
)

// row is a file in which site i lies i milliseconds from site 0, and the way back takes a
// millisecond longer.
type row int

func (r row) Sites() int { return int(r) }

func (r row) Micros(from, to protocol.Address, _ *sim.Chance) int64 {
	a, b := int64(from)%int64(r), int64(to)%int64(r)
	if a < b {
		return 1 + 1000*(b-a)
	}
	return 1 + 1000*(a-b+1)
}

func TestMeasuredText(t *testing.T) {
	for _, m := range []sim.Measured{{"0123456789abcdef", 0, "x"}, {"ffffffffffffffff", 1 << 62, "../a b/c.tsv"}} {
		again, measured, err := sim.ParseMeasured(m.String())
		require.NoError(t, err)
		assert.True(t, measured)
		assert.Equal(t, m, again)
	}
	_, measured, err := sim.ParseMeasured("constant 5")
	assert.False(t, measured)
	assert.NoError(t, err)
	for _, text := range []string{
		"measured", "measured file", "measured 0123456789abcdef 1 ", "measured 0123456789abcde 1 x",
		"measured 0123456789ABCDEF 1 x",
		"measured 0123456789abcdef 01 x", "measured 0123456789abcdef -1 x", "measured 0123456789abcdef 9999999999999999999 x",
		"measured 0123456789abcdef 1 a\nb",
	} {
		_, measured, err := sim.ParseMeasured(text)
		assert.True(t, measured)
		assert.ErrorIs(t, err, sim.ErrLatency, text)
	}
}

func TestNodesArePlacedAtSites(t *testing.T) {
	own := sim.Place(row(4), 0)
	assert.Equal(t, int64(2001), own.Micros(1, 3, nil))
	assert.Equal(t, int64(3001), own.Micros(3, 5, nil), "node 5 lies where node 1 does")
	assert.Equal(t, int64(2501), own.Way(1, 3))
	different := false
	for salt := range uint64(20) {
		p, seen := sim.Place(row(4), salt), map[int64]bool{}
		for i := range protocol.Address(4) {
			for j := range i {
				seen[p.Micros(i, j, nil)] = true
			}
			assert.Equal(t, p.Micros(0, i, nil), p.Micros(4, i+8, nil))
			different = different || p.Micros(0, i, nil) != own.Micros(0, i, nil)
		}
		assert.Contains(t, seen, row(4).Micros(0, 3, nil), "all sites are taken")
	}
	assert.True(t, different)
}

// Every scenario runs with measured latencies, the same way each time, and not without them.
func TestScenariosWithMeasuredLatencies(t *testing.T) {
	differ := 0
	for _, w := range catalog.All() {
		p := w.Draw(2)
		p.UntilMicros = min(p.UntilMicros, 10_000_000)
		p.Latency = sim.Measured{Digest: "0123456789abcdef", Salt: 7, File: "row"}.String()
		require.NoError(t, p.Validate())
		_, err := w.Run(p, sim.RunOptions{})
		require.ErrorIs(t, err, sim.ErrNotGiven, w.Name)
		require.ErrorIs(t, err, sim.ErrPlan)
		p.Sites = row(90)
		first, err := w.Run(p, sim.RunOptions{})
		require.NoError(t, err)
		second, err := w.Run(p.Clone(), sim.RunOptions{})
		require.NoError(t, err)
		assert.Equal(t, first.Digest, second.Digest, w.Name)
		assert.Equal(t, sim.Holds, first.Verdict, "%s: %s", w.Name, first.Property)
		p.Sites = row(3)
		other, err := w.Run(p, sim.RunOptions{})
		require.NoError(t, err)
		if first.Digest != other.Digest { // a single node sends nothing
			differ++
		}
	}
	assert.Greater(t, differ, len(catalog.All())/2)
}
