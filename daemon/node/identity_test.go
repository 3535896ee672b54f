package node_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A core ignores a restart with an identity that it cannot use. The daemon must then end: it would
// run on as nobody.
func TestAnIdentityThatCannotBeUsedEndsTheDaemon(t *testing.T) {
	g := local.Grid{Folder: t.TempDir(), Nodes: 1}
	require.NoError(t, g.Make())
	store, err := disk.Open(g.Data(0))
	require.NoError(t, err)
	const peerKind = 1
	key := node.AppendCore(driver.CoreID{Kind: peerKind}, nil)
	require.NoError(t, store.Commit(disk.Put{Bucket: disk.Cores, Key: key, Value: []byte("no identity")}))
	require.NoError(t, store.Close())

	self, err := os.Executable()
	require.NoError(t, err)
	n, err := node.Open(node.Options{
		Folder: g.Data(0), Binary: self, Build: "test", Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	err = n.Run(context.Background())
	require.ErrorIs(t, err, node.ErrIdentity)
	require.ErrorIs(t, err, disk.ErrStorage)
	require.ErrorContains(t, err, filepath.Join(g.Data(0), "canvass.db")+": the file is damaged: the value of 0x01")
}

// Numbers of owned jobs begin at 1 in each life. A host that asked a later life for the job of a
// former one would run another job.
func TestALaterLifeDoesNotAnswerForJobsOfAFormerOne(t *testing.T) {
	former, later := protocol.NodeID{Address: 4, Incarnation: 2}, protocol.NodeID{Address: 4, Incarnation: 3}
	require.NoError(t, node.ClientOf(later, later, 7))
	require.Error(t, node.ClientOf(later, former, 7))
	require.Error(t, node.OrderOf(later, former, 7))
}
