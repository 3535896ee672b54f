package node_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A core ignores a restart with an identity that it cannot use. The daemon must then end: it would
// run without an identity.
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
	n, err := node.Open(config.Options{
		Folder: g.Data(0), Binary: self, Build: "test", Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	err = n.Run(context.Background())
	require.ErrorIs(t, err, life.ErrIdentity)
	require.ErrorIs(t, err, disk.ErrStorage)
	require.ErrorContains(t, err, filepath.Join(g.Data(0), "canvass.db")+": the file is damaged: the value of 0x01")
}

// Numbers of owned jobs begin at 1 in each incarnation. A host that asked a later incarnation for
// the job of an earlier one would run another job.
func TestALaterLifeDoesNotAnswerForJobsOfAFormerOne(t *testing.T) {
	former, later := protocol.NodeID{Address: 4, Incarnation: 2}, protocol.NodeID{Address: 4, Incarnation: 3}
	require.NoError(t, node.ClientOf(later, later, 7))
	require.Error(t, node.ClientOf(later, former, 7))
	require.Error(t, node.OrderOf(later, former, 7))
}

// If something in the folder of a daemon is replaced, the daemon starts, or one line names the
// thing and the remedy.
func TestWhatIsWrongInTheFolderIsNamed(t *testing.T) {
	forms := map[string]func(path string) error{
		"a file":       func(path string) error { return os.WriteFile(path, []byte("junk"), 0o600) },
		"a folder":     func(path string) error { return os.MkdirAll(filepath.Join(path, "below"), 0o700) },
		"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a socket": func(path string) error {
			at, err := net.ResolveUnixAddr("unix", path)
			if err != nil {
				return err
			}
			l, err := net.ListenUnix("unix", at)
			if err != nil {
				return err
			}
			l.SetUnlinkOnClose(false)
			return l.Close()
		},
		"a device":      func(path string) error { return os.Symlink("/dev/null", path) },
		"a loop":        func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"leads nowhere": func(path string) error { return os.Symlink("none", path) },
	}
	made := map[string]string{ // and of which kind it is
		"canvass.db": "a file", "blobs": "a folder", "cache": "a folder", "output": "a folder", "flight": "a folder",
		"tasks": "a folder", "ballast": "a folder", "fences.json": "a file", "api.sock": "a socket",
		"config.json": "a file", "node.key": "a file", "node.crt": "a file", "roots.crt": "a file",
		"authority.key": "a file", "authority.crt": "a file", "authority.json": "a file", "tokens.json": "a file",
	}
	for name, kind := range made {
		for form, make := range forms {
			folder := sound(t)
			require.NoError(t, os.RemoveAll(filepath.Join(folder, name)))
			require.NoError(t, make(filepath.Join(folder, name)))
			n, err := node.Open(config.Options{Folder: folder, Log: slog.New(slog.DiscardHandler)})
			if form == kind && kind != "a file" {
				require.NoError(t, err, "%s as %s", name, form)
				require.NoError(t, n.StoreOf().Close())
				continue
			}
			if form == kind && name == "fences.json" { // counts are lost, with a warning
				require.NoError(t, err)
				require.NoError(t, n.StoreOf().Close())
				continue
			}
			require.Error(t, err, "%s as %s", name, form)
			if name == "config.json" && (form == "leads nowhere" || form == "a device") {
				require.ErrorIs(t, err, config.ErrConfig) // it is not there, or empty
				continue
			}
			text := err.Error()
			assert.Contains(t, text, name, form)
			assert.NotContains(t, text, "\n", "%s as %s", name, form)
			assert.Regexp(t, "; .*(move it away|remove the symbolic link|backup)", text, "%s as %s", name, form)
			if form != kind && form != "a loop" && form != "leads nowhere" {
				assert.Contains(t, text, "but "+form, "%s as %s", name, form)
			}
			ofIdentity := strings.HasSuffix(name, ".key") || strings.HasSuffix(name, ".crt") ||
				name == "authority.json" || name == "tokens.json"
			assert.Equal(t, ofIdentity, errors.Is(err, life.ErrIdentity), "%s as %s: %v", name, form, err)
			assert.Equal(t, name == "config.json", errors.Is(err, config.ErrConfig), "%s as %s: %v", name, form, err)
			assert.Equal(t, !ofIdentity && name != "config.json", errors.Is(err, disk.ErrStorage),
				"%s as %s: %v", name, form, err)
		}
	}
}

// sound is the folder of the first daemon of a grid.
func sound(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "sound") // the path of a socket is short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	g := local.Grid{Folder: folder, Nodes: 1}
	require.NoError(t, g.Make())
	return g.Data(0)
}
