package daemon_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/daemon"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// waiting is a grid with one job, which waits for nodes that are missing.
type waiting struct {
	api.Grid // what the test does not call
	missing  []protocol.NodeID
}

func (w *waiting) Jobs(context.Context) ([]*jobs.Record, error) {
	return []*jobs.Record{{ID: "other"}, {ID: "b4k2", Key: "k"}}, nil
}

func (w *waiting) Why(_ context.Context, id string) (api.Reasons, error) {
	return api.Reasons{Job: id, Missing: w.missing}, nil
}

// A command that waits for a job says once which nodes are missing, if some are.
func TestACommandNamesTheNodesForWhichItWaits(t *testing.T) {
	b, c := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 3}
	grid, said := &waiting{missing: []protocol.NodeID{b, c}}, &buffer{}
	env := daemon.Env{Stderr: said}
	stop := daemon.Notice(env, t.Context(), grid, time.Millisecond, daemon.Keyed(grid, "k"))
	require.Eventually(t, func() bool { return said.String() != "" }, 10*time.Second, time.Millisecond)
	stop()
	want := "canvass: b4k2 waits for one of the nodes B, C.3, which are down; canvass why b4k2 says more\n"
	assert.Equal(t, want, said.String())

	grid.missing, said = nil, &buffer{}
	stop = daemon.Notice(daemon.Env{Stderr: said}, t.Context(), grid, time.Millisecond, daemon.Keyed(grid, "k"))
	time.Sleep(20 * time.Millisecond)
	stop()
	assert.Empty(t, said.String())
}
