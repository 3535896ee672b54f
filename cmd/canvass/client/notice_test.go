package client_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/cmd/canvass/commandtest"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

// waiting is a grid with one job, which waits for nodes that are missing.
type waiting struct {
	api.Grid // methods that the test does not call
	missing  []protocol.NodeID
	reasons  chan string // one for each question; the last one stays
	last     string
	state    jobs.State
	noLease  string
}

func (w *waiting) Jobs(_ context.Context, q api.ListQuery) (l api.Listing, err error) {
	if q.Only && q.Key == "k" {
		l.Jobs = []*jobs.Record{{ID: "b4k2", Key: "k"}}
	}
	return l, nil
}

func (w *waiting) Why(_ context.Context, id string) (api.Reasons, error) {
	select {
	case w.last = <-w.reasons:
	default:
	}
	return api.Reasons{Job: id, Missing: w.missing, Reasons: []string{w.last, "more"}}, nil
}

func (w *waiting) Report(context.Context, string) (api.NodeReport, error) {
	return api.NodeReport{NoLease: w.noLease}, nil
}

func (w *waiting) Job(_ context.Context, id string) (*jobs.Record, error) {
	return &jobs.Record{ID: id, State: w.state}, nil
}

// A command that waits for a job says once which nodes are missing, if some are.
func TestACommandNamesTheNodesForWhichItWaits(t *testing.T) {
	b, c := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 3}
	grid, said := &waiting{missing: []protocol.NodeID{b, c}, last: "It waits for B (dead) or C.3 (no answer)."},
		&commandtest.Buffer{}
	env := saying(said)
	stop := env.Notice(t.Context(), grid, client.Soon(false), client.Keyed(grid, "k"))
	require.Eventually(t, func() bool { return said.String() != "" }, 10*time.Second, time.Millisecond)
	stop()
	want := "canvass: b4k2 waits. It waits for B (dead) or C.3 (no answer).\n"
	assert.Equal(t, want, said.String())

	grid.missing, said = nil, &commandtest.Buffer{}
	stop = saying(said).Notice(t.Context(), grid, client.Soon(false), client.Keyed(grid, "k"))
	time.Sleep(20 * time.Millisecond)
	stop()
	assert.Empty(t, said.String())
}

// A command that changes a job which has ended says that the daemon has no lease.
func TestACommandSaysThatTheDaemonHasNoLease(t *testing.T) {
	grid, said := &waiting{last: "It waits for nothing.", state: jobs.Failed, noLease: "It has no lease."},
		&commandtest.Buffer{}
	stop := saying(said).Notice(t.Context(), grid, client.Soon(false), client.Named("b4k2"))
	require.Eventually(t, func() bool { return said.String() != "" }, 10*time.Second, time.Millisecond)
	stop()
	assert.Equal(t, "canvass: It has no lease.\n", said.String())
}

// A command that waits for a job that does not run says why: once, and when the reason changes.
func TestACommandSaysWhyItWaits(t *testing.T) {
	grid, said := &waiting{reasons: make(chan string), state: jobs.Accepted}, &commandtest.Buffer{}
	stop := saying(said).Notice(t.Context(), grid, client.Soon(true), client.Named("b4k2"))
	for _, reason := range []string{
		"It is held.", "It is held.", "It needs 9, and 3 are there.", "It needs 9, and 4 are there.",
	} {
		grid.reasons <- reason
	}
	require.Eventually(t, func() bool { return len(said.String()) > 40 }, 10*time.Second, time.Millisecond)
	stop()
	want := "canvass: b4k2 waits. It is held.\ncanvass: b4k2 waits. It needs 9, and 3 are there.\n"
	assert.Equal(t, want, said.String())

	grid, said = &waiting{last: "It does not wait.", state: jobs.Running}, &commandtest.Buffer{}
	stop = saying(said).Notice(t.Context(), grid, client.Soon(true), client.Named("b4k2"))
	time.Sleep(20 * time.Millisecond)
	stop()
	assert.Empty(t, said.String())
}

// saying is an environment whose messages go to a writer.
func saying(to io.Writer) client.Env { return client.Env{Stderr: cli.NewMessages(to)} }

// Grids are looked for only in a folder that no other user can change or enter.
func TestOwnFolder(t *testing.T) {
	name := filepath.Join(t.TempDir(), "canvass")
	require.NoError(t, client.OwnFolder(name), "there is none")
	require.NoError(t, os.Mkdir(name, 0o700))
	require.NoError(t, client.OwnFolder(name))
	for _, mode := range []os.FileMode{0o755, 0o770, 0o702, 0o1777, 0o701} {
		require.NoError(t, os.Chmod(name, mode))
		require.ErrorContains(t, client.OwnFolder(name), "not a folder that only this user can enter")
	}
	require.NoError(t, os.Chmod(name, 0o700))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(name, link))
	require.Error(t, client.OwnFolder(link))
	require.NoError(t, os.WriteFile(link+"-file", nil, 0o600))
	require.Error(t, client.OwnFolder(link+"-file"))
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(name, 12345, 12345))
		require.Error(t, client.OwnFolder(name), "that of another user, even for root")
	}
}
