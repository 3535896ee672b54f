package cluster_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/sim/cluster"
)

// After a failure of some or all nodes clusters are found again: not before the nodes are back
// after a minute, heads have waited for news and clients for suitors, and soon after that.
func TestRecover(t *testing.T) {
	candidates, micros := groups(24, 8)
	candidates = append(candidates, []int{24}) // a node that can be in no cluster
	cfg := refine.DefaultConfig(8, 8, 200)
	for _, permille := range []int{100, 500, 1000} {
		took, err := cluster.Recover(context.Background(), cfg, candidates, micros, 1, permille)
		require.NoError(t, err)
		back := int64(60_000_000)
		assert.Greater(t, took, back)
		if permille == 1000 {
			assert.Greater(t, took, back+int64(cfg.CollectTicks+cfg.WaitTicks)*10_000)
		}
		assert.Less(t, took, back+2*int64(cfg.CollectTicks+cfg.WaitTicks+cfg.RetryTicks)*10_000)
	}
	_, err := cluster.Recover(context.Background(), cfg, candidates, micros, 1, 0)
	require.ErrorContains(t, err, "from 1 to 1,000")
}
