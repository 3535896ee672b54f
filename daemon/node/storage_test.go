package node_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
)

// fullDisk is a store whose disk has no space for a job with the key "large".
type fullDisk struct{ node.Store }

func (d fullDisk) Commit(puts ...disk.Put) error {
	for _, p := range puts {
		if bytes.Contains(p.Value, []byte(`"large"`)) {
			return disk.Failed("writing to", "canvass.db", syscall.ENOSPC)
		}
	}
	return d.Store.Commit(puts...)
}

// A daemon ends when its disk fails, and its users hear why at once: it will not come back by
// itself.
func TestADiskThatFailsEndsTheDaemon(t *testing.T) {
	g := local.Grid{Folder: t.TempDir(), Nodes: 1}
	require.NoError(t, g.Make())
	self, err := os.Executable()
	require.NoError(t, err)
	n, err := node.Open(node.Options{
		Folder: g.Data(0), Binary: self, Build: "test", Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	n.SetStore(fullDisk{n.StoreOf()})
	ended := make(chan error, 1)
	go func() { ended <- n.Run(context.Background()) }()

	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	client := api.NewClient(g.Socket(0))
	job := api.Submission{Key: "small", Spec: jobs.Spec{Command: []string{"true"}, Tasks: 1, Hold: true}}
	require.Eventually(t, func() bool {
		_, err = client.Submit(ctx, job)
		return err == nil
	}, 20*time.Second, 50*time.Millisecond)
	job.Key = "large"
	_, err = client.Submit(ctx, job)
	require.ErrorIs(t, err, disk.ErrStorage)
	require.ErrorContains(t, err, "the daemon of node A has ended")
	require.ErrorIs(t, <-ended, disk.ErrStorage)
}
