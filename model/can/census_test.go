package can

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/space"
)

// The census of a map, damaged in every way, agrees with the predicates of the models.
func TestCensusAgreesWithThePredicates(t *testing.T) {
	verdicts := map[string]int{}
	for seed := range uint64(120) {
		chance := rand.New(rand.NewPCG(seed, 9))
		sp, owners := drawnMap(t, 2+int(seed%20), chance)
		owners = damaged(owners, chance)
		want := brokenSmall(sp, owners)
		got := newCensus(sp, owners).broken()
		assert.Equal(t, want, got, "seed %d", seed)
		verdicts[want]++
	}
	for _, name := range []string{"", "NoOverlap", "NoGap", "NeighboursKnow", "ViewsAgree"} {
		assert.NotZero(t, verdicts[name], "no map was damaged like that: %q", name)
	}
}

// drawnMap draws the map of some nodes in a space of one to three dimensions.
func drawnMap(t *testing.T, nodes int, c *rand.Rand) (space.Space, []*View) {
	t.Helper()
	sp, err := space.New(0, [][]int32{{64}, {8, 8}, {16, 32}, {4, 4, 4}}[c.IntN(4)]...)
	require.NoError(t, err)
	coordinate := func(int) (p space.Point) {
		for k := range sp.Dims {
			p[k] = c.Int32N(sp.Size[k])
		}
		return p
	}
	cfg := can.DefaultConfig(sp)
	var owners []*View
	for _, f := range founders.New(&cfg, nodes, coordinate) {
		owners = append(owners, ViewOf(f.State))
	}
	return sp, owners
}

// damaged changes one thing about a map, or nothing.
func damaged(owners []*View, c *rand.Rand) []*View {
	v := owners[c.IntN(len(owners))]
	switch c.IntN(6) {
	case 0:
		if len(owners) > 1 {
			return owners[1:]
		}
	case 1:
		v.Self.Zone = owners[c.IntN(len(owners))].Self.Zone
	case 2:
		if len(v.Known) > 0 {
			v.Known = v.Known[1:]
		}
	case 3:
		if len(v.Known) > 0 {
			v.Known[c.IntN(len(v.Known))].Version++
		}
	case 4:
		v.Holes = []Seen{{}}
	}
	return owners
}

func TestVolume(t *testing.T) {
	var z space.Zone
	for k := range z.High {
		z.High[k] = 1 << 15
	}
	assert.Equal(t, [2]uint64{1 << (120 - 64), 0}, volume(z))
	high, low := bits.Mul64(1<<40, 1<<30)
	z = space.Zone{High: space.Point{1 << 20, 1 << 20, 1 << 30, 1, 1, 1, 1, 1}}
	assert.Equal(t, [2]uint64{high, low}, volume(z))
}
