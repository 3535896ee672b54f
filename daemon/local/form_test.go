package local_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/protocol"
)

// forming is a grid of programs that stand in for daemons, of which the first one reports the
// values of the test: how many daemons are up, and how many are in a cluster.
func forming(t *testing.T, nodes int, script string, report func(up int) (known, cluster int)) *local.Grid {
	folder, err := os.MkdirTemp("", "form") // the path of a socket is short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	g := &local.Grid{Folder: folder, Binary: agent(t, script), Nodes: nodes}
	require.NoError(t, g.Make())
	listener, err := net.Listen("unix", g.Socket(0))
	require.NoError(t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		files, _ := filepath.Glob(filepath.Join(folder, "n*", "up"))
		known, cluster := report(len(files))
		all := make([]api.NodeReport, known)
		for i := range all {
			all[i].Zone, all[i].Cluster = "z", make([]protocol.NodeID, cluster)
		}
		_ = json.NewEncoder(w).Encode(all)
	})}
	served := make(chan struct{})
	go func() { _ = server.Serve(listener); close(served) }()
	t.Cleanup(func() { assert.Empty(t, g.End()); _ = server.Shutdown(context.Background()); <-served })
	return g
}

const runs = "touch $4/up; exec sleep 100"

// Sixteen start, and the next ones once those are a grid.
func TestFormStartsFewAtATime(t *testing.T) {
	looks, most := 0, 0
	g := forming(t, 20, runs, func(up int) (known, cluster int) {
		if up >= 16 {
			looks++
		}
		if looks < 5 { // they are not in one cluster yet
			most = max(most, up)
			return up, up - 1
		}
		return up, up
	})
	nodes, err := g.Form(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 16, most)
	assert.Len(t, nodes, 20)
	assert.Equal(t, 20, g.Running())
}

// A daemon whose lease has run out is started again. Any other end ends the attempt.
func TestFormStartsFencedDaemonsAgain(t *testing.T) {
	all := func(up int) (known, cluster int) { return up, up }
	g := forming(t, 2, "test -e $4/fenced && { touch $4/up; exec sleep 100; }; touch $4/fenced; exit 3", all)
	_, err := g.Form(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 2, g.Running())

	g = forming(t, 2, "exit 4", all)
	_, err = g.Form(t.Context())
	require.ErrorContains(t, err, "has ended (exit status 4); its log is "+g.Folder)
}

func TestFormEndsWithItsContext(t *testing.T) {
	for what, report := range map[string]func(up int) (known, cluster int){
		"one is not known":       func(int) (known, cluster int) { return 1, 2 },
		"one is in no cluster":   func(int) (known, cluster int) { return 2, 1 },
		"the first says nothing": func(int) (known, cluster int) { time.Sleep(time.Second); return 2, 2 },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err := forming(t, 2, runs, report).Form(ctx)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, what)
	}
}
