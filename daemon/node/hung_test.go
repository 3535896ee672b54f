package node_test

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
	"testing"
)

func TestADaemonWhoseGoroutineHangsIsFenced(t *testing.T) {
	g := local.Grid{Folder: t.TempDir(), Nodes: 1}
	require.NoError(t, g.Make())
	self, err := os.Executable()
	require.NoError(t, err)
	hung, ended := make(chan error, 1), make(chan error, 1)
	n, err := node.Open(config.Options{
		Folder: g.Data(0), Binary: self, Build: "test", Log: slog.New(slog.DiscardHandler),
		Hung: func(err error) { hung <- err },
	})
	require.NoError(t, err)
	go func() { ended <- n.Run(context.Background()) }()
	require.Eventually(t, func() bool { return n.LeaseLasts() > 0 }, 30*time.Second, 10*time.Millisecond)
	socket := config.Socket(g.Data(0))
	require.FileExists(t, socket)
	goOn := n.Hang()
	select {
	case err := <-hung:
		require.ErrorIs(t, err, life.ErrFenced)
		require.ErrorContains(t, err, "hangs")
	case <-time.After(30 * time.Second):
		t.Error("the watchdog has not noticed that the daemon hangs")
	}
	assert.Eventually(t, func() bool { _, err := os.Stat(socket); return os.IsNotExist(err) },
		10*time.Second, 10*time.Millisecond, "users find no daemon")
	close(goOn) // a process would have ended
	require.ErrorIs(t, <-ended, life.ErrFenced)
}
