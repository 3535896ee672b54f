package space_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/space"
)

// Progress: some neighbour is strictly nearer to a point outside the zone, so that greedy routing
// ends, and ends at the owner, from every zone of every tiling.
func TestProgress(t *testing.T) {
	hops := 0
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.IntRange(1, space.MaxDimensions).Draw(t, "dims")
		s := spaces(dims, dims, rapid.SampledFrom([]int32{4, 100, far}).Draw(t, "size")).Draw(t, "space")
		zones := tiling(t, s, 25)
		target := pointIn(t, s.Whole(), "target")
		for _, at := range zones {
			for left := len(zones); !at.Contains(target); left-- {
				require.Positive(t, left, "routing goes in circles")
				at = nearestNeighbour(t, at, zones, target)
				hops++
			}
		}
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	require.Greater(t, hops, 100)
}

func nearestNeighbour(t *rapid.T, at space.Zone, zones []space.Zone, target space.Point) space.Zone {
	nearest, next := at.Distance(target), space.Zone{}
	for _, z := range zones {
		if _, ok := at.Abuts(z); ok && z.Distance(target) < nearest {
			nearest, next = z.Distance(target), z
		}
	}
	require.False(t, next.Empty(), "no neighbour is nearer")
	return next
}
