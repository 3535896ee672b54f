package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
)

func TestNodeSetsAreWrittenAsRanges(t *testing.T) {
	s := scheduler.NodesOf([]int{7, 1, 0, 3, 2, 3})
	assert.Equal(t, scheduler.NodeSet{{0, 3}, {7, 7}}, s)
	assert.Equal(t, "0-3 7", s.String())
	assert.Equal(t, 5, s.Count())
	assert.Empty(t, scheduler.NodesOf(nil).String())
	for _, text := range []string{"3-1", "1 1", "5 3", "-1", "a", "1-", "1,2", "0-9999999999"} {
		_, err := scheduler.ParseNodeSet(text)
		assert.ErrorContains(t, err, "as in 0-3 7", text)
	}
}

func TestNodeSetsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOf(rapid.IntRange(0, 30)).Draw(t, "nodes")
		different := map[int]bool{}
		for _, n := range nodes {
			different[n] = true
		}
		s := scheduler.NodesOf(nodes)
		assert.Equal(t, len(different), s.Count())
		again, err := scheduler.ParseNodeSet(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, again)
		for i := 1; i < len(s); i++ {
			assert.Greater(t, s[i].First, s[i-1].Last+1, "a gap between two ranges")
		}
	})
}
