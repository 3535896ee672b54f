package platform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler/platform"
)

// A drawn grid has exactly its nodes, and its name gives it again.
func TestDrawnGridsAreRepeatable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`hetero:[1-9][0-9]{0,4},[1-9][0-9]{0,3}`).Draw(t, "text")
		p, err := platform.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, text, p.Name)
		again, err := platform.Parse(p.Name)
		require.NoError(t, err)
		assert.Equal(t, p, again)
		names := map[string]bool{}
		for _, c := range p.Clusters {
			assert.Positive(t, c.Nodes)
			assert.LessOrEqual(t, c.Nodes, 256)
			assert.Equal(t, c.Nodes == 1, c.DiameterNanos == 0)
			assert.False(t, names[c.Name])
			names[c.Name] = true
		}
	})
	assert.Equal(t, 1234, parse(t, "hetero:5,1234").Nodes())
	assert.NotEqual(t, parse(t, "hetero:1,500").Clusters, parse(t, "hetero:2,500").Clusters)
}

// Half of the clusters are small and slow; each larger or faster kind is rarer.
func TestDrawnGridsAreSkewed(t *testing.T) {
	p := parse(t, "hetero:3,500000")
	sizes, speeds := map[int]int{}, map[int]int{}
	for _, c := range p.Clusters {
		sizes[c.Nodes]++
		speeds[c.SpeedPermille]++
	}
	n := float64(len(p.Clusters))
	assert.InDelta(t, 0.5, float64(sizes[8])/n, 0.02)
	assert.InDelta(t, 0.25, float64(sizes[16])/n, 0.02)
	assert.InDelta(t, 0.5, float64(speeds[1_000])/n, 0.02)
	assert.InDelta(t, 0.0625, float64(speeds[4_000])/n, 0.01)
}

func TestDrawnGridsThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"hetero:1": "want a seed and the number of nodes", "hetero:x,5": "want a seed",
		"hetero:1,0": "want 1 to", "hetero:1,2,3": `"2,3"`,
	} {
		_, err := platform.Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}
