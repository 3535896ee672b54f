package platform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/platform"
)

func TestGradedGridsGrowByAFactor(t *testing.T) {
	nodes := func(text string) (all []int) {
		for _, c := range parse(t, text).Clusters {
			all = append(all, c.Nodes)
		}
		return all
	}
	assert.Equal(t, []int{16, 64, 256, 1024}, nodes("graded:4"))
	assert.Equal(t, []int{16, 1024}, nodes("graded:2"))
	large := nodes("graded:40")
	assert.Equal(t, 9_981, parse(t, "graded:40").Nodes())
	assert.IsIncreasing(t, large)
	assert.Equal(t, "graded:40", parse(t, "graded:40").Name)
	for _, text := range []string{"graded:1", "graded:1025", "graded:", "graded:4x4"} {
		_, err := platform.Parse(text)
		var invalid *platform.InvalidError
		require.ErrorAs(t, err, &invalid, text)
	}
}
