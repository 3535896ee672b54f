package space_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/space"
)

// Boxes that overlap, leave gaps and come in any order.
func TestCoveredAgreesWithAllPoints(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := spaces(1, 3, 5).Draw(t, "space")
		zones := tiling(t, s, 8)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			i := rapid.IntRange(0, len(zones)-1).Draw(t, "zone")
			zones[i] = boxIn(t, s.Whole(), "box")
		}
		zones = rapid.Permutation(zones).Draw(t, "order")
		target := boxIn(t, s.Whole(), "target")
		want := dumbCovered(target, zones)
		seen[want]++
		require.Equal(t, want, space.Covered(target, zones))
		require.True(t, space.Covered(space.Zone{}, zones), "there is no point to cover")
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	require.NotZero(t, seen[true], "no case was covered")
	require.NotZero(t, seen[false], "every case was covered")
}

func TestBorderCoveredAgreesWithAllPoints(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := spaces(1, 3, 5).Draw(t, "space")
		zones := tiling(t, s, 8)
		z := zones[rapid.IntRange(0, len(zones)-1).Draw(t, "z")]
		for range rapid.IntRange(0, 2).Draw(t, "losses") {
			i := rapid.IntRange(0, len(zones)-1).Draw(t, "lost")
			if len(zones) > 1 {
				zones = slices.Delete(zones, i, i+1)
			}
		}
		want := dumbBorderCovered(s, z, zones)
		seen[want]++
		require.Equal(t, want, s.BorderCovered(z, zones))
	})
	if testing.Short() {
		return // with few cases not everything is drawn
	}
	require.NotZero(t, seen[true], "no border was covered")
	require.NotZero(t, seen[false], "every border was covered")
}

// Partition: any sequence of cuts leaves zones that tile the space, no point twice.
func TestCutsTileTheSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spaces(1, 3, 6).Draw(t, "space")
		zones := tiling(t, s, 10)
		points(s.Whole(), func(p space.Point) {
			owners := 0
			for _, z := range zones {
				if z.Contains(p) {
					owners++
				}
			}
			require.Equal(t, 1, owners)
		})
		require.True(t, space.Covered(s.Whole(), zones))
		for i, z := range zones {
			others := slices.Delete(slices.Clone(zones), i, i+1)
			require.False(t, space.Covered(s.Whole(), others), "each zone is needed")
			require.True(t, s.BorderCovered(z, others))
		}
	})
}
