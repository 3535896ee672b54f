package trials_test

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/trials"
	"github.com/canvass-grid/canvass/protocol"
)

// standIn stands in for canvass: an agent counts its starts, and fences itself once it is asked to.
const standIn = `#!/bin/sh
echo >> $4/starts
while sleep 0.02; do
	test -e $4/fence && rm $4/fence && exit 3
done
`

// serve answers as the first daemon of a grid of one, once its folder is there.
func serve(t *testing.T, socket string) {
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode([]api.NodeReport{{Zone: "z", Cluster: make([]protocol.NodeID, 1)}})
	})}
	served := make(chan struct{})
	go func() {
		defer close(served)
		for t.Context().Err() == nil {
			if listener, err := net.Listen("unix", socket); err == nil {
				_ = server.Serve(listener)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	t.Cleanup(func() { _ = server.Close(); <-served })
}

func TestAFencedDaemonIsStartedAgain(t *testing.T) {
	program := filepath.Join(t.TempDir(), "canvass")
	require.NoError(t, os.WriteFile(program, []byte(standIn), 0o700))
	var left []trials.Process
	err := trials.Try(t.Context(), program, func(trial *trials.Trial) {
		serve(t, filepath.Join(trial.Folder, "g0", "n1", "api.sock"))
		g := trial.Grid(1)
		starts := func() int {
			text, _ := os.ReadFile(filepath.Join(g.Data(1), "starts"))
			return strings.Count(string(text), "\n")
		}
		assert.Equal(t, g.Socket(1), g.Must("echo $CANVASS_SOCKET"))
		g.Until(10*time.Second, "started", func() bool { return starts() == 1 })
		require.NoError(t, os.WriteFile(filepath.Join(g.Data(1), "fence"), nil, 0o600))
		g.Until(10*time.Second, "started again", func() bool { return starts() == 2 })

		g.Kill(1)
		code, ended := g.HasEnded(1)
		assert.True(t, ended)
		assert.Equal(t, -1, code)
		assert.Zero(t, g.PID(1))
		g.Start(1)
		g.Until(10*time.Second, "started by the trial", func() bool { return starts() == 3 })
		g.Signal(1, syscall.SIGTERM)
		g.Gone(1)
		g.Start(1)
		left = trials.WithText(g.Agents())
	})
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.False(t, left[0].IsThere(), "a daemon is left")
}
