package node_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// fullDisk is a store whose disk has no space for a job with the key "large".
type fullDisk struct{ life.Store }

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
	n, err := node.Open(config.Options{
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

// running runs the daemons of a grid in this process, and returns their users once all are members.
func running(t *testing.T, nodes int) []*api.Client {
	t.Helper()
	g := local.Grid{Folder: t.TempDir(), Nodes: nodes}
	require.NoError(t, g.Make())
	self, err := os.Executable()
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	t.Cleanup(ended.Wait)
	t.Cleanup(stop)
	var clients []*api.Client
	for i := range nodes {
		n, err := node.Open(config.Options{
			Folder: g.Data(i), Binary: self, Build: "test", Log: slog.New(slog.DiscardHandler), AllowRoot: true,
		})
		require.NoError(t, err)
		ended.Go(func() { assert.NoError(t, n.Run(ctx)) })
		clients = append(clients, api.NewClient(g.Socket(i)))
	}
	require.Eventually(t, func() bool {
		all, err := clients[nodes-1].Nodes(ctx)
		return err == nil && len(all) == nodes && !slices.ContainsFunc(all, func(n api.NodeReport) bool {
			return n.Error != "" || len(n.Cluster) < nodes
		})
	}, time.Minute, 20*time.Millisecond)
	return clients
}

// text reads a content or an output of a daemon.
func text(t *testing.T, from io.ReadCloser, err error) string {
	t.Helper()
	require.NoError(t, err)
	all, err := io.ReadAll(from)
	require.NoError(t, err)
	require.NoError(t, from.Close())
	return string(all)
}

// Two real daemons run jobs in real processes, and let another node join.
func TestTwoRealDaemons(t *testing.T) {
	all := running(t, 2)
	t.Run("job", func(t *testing.T) { runsAJob(t, all) })
	t.Run("failures", func(t *testing.T) { failsJobs(t, all) })
	t.Run("join", func(t *testing.T) { letsJoin(t, all) })
	for _, c := range all {
		h, err := c.Health(t.Context())
		require.NoError(t, err)
		require.True(t, h.Live && h.Ready, "%v", h.Reasons)
		shown, err := c.Metrics(t.Context())
		require.NoError(t, err)
		require.Equal(t, "1", values(shown)["member"])
		require.Equal(t, "1", values(shown)["loop_answers"])
		require.NotEqual(t, "0", values(shown)["link_frames_sent_total"])
	}
}

// A job has its input, environment and peers, and its files and output are at both
// daemons.
func runsAJob(t *testing.T, all []*api.Client) {
	ctx := t.Context()
	here, there := all[0], all[1]
	in, err := there.Put(ctx, strings.NewReader("an input\n"))
	require.NoError(t, err)
	script := `cat in/put; echo $WORD; wc -l < $CANVASS_PEERS_FILE; echo to stderr >&2
mkdir out; echo rank $CANVASS_RANK > out/file; test $PWD = $CANVASS_WORKDIR || exit 9; test $HOME = $PWD || exit 8`
	spec := jobs.Spec{
		Tasks: 2, Command: []string{"sh", "-c", script}, Env: []string{"WORD=word"},
		Inputs:  []jobs.File{{Path: "in/put", Digest: in.Digest, Size: in.Size, Mode: 0o600}},
		Outputs: []string{"out/*", "in/put"},
	}
	r, err := there.Submit(ctx, api.Submission{Spec: spec, Key: "k"})
	require.NoError(t, err)
	r, err = here.Wait(ctx, r.ID)
	require.NoError(t, err)
	require.Equal(t, jobs.Succeeded, r.State, "%+v", r)
	for rank := range 2 {
		told := r.Last().Ranks[rank]
		require.Len(t, told.Outputs, 2)
		for _, c := range all {
			want := "an input\nword\n2\n"
			out, err := c.Output(ctx, r.ID, api.OutputQuery{Attempt: -1, Rank: rank, Stream: "stdout"})
			require.Equal(t, want, text(t, out, err))
			out, err = c.Output(ctx, r.ID, api.OutputQuery{Attempt: -1, Rank: rank, Stream: "stderr", Offset: 3, Most: 4})
			require.Equal(t, "stde", text(t, out, err))
			for _, f := range told.Outputs {
				want := "an input\n"
				if f.Path == "out/file" {
					want = fmt.Sprintf("rank %d\n", rank)
				}
				content, err := c.Open(ctx, f.Digest)
				require.Equal(t, want, text(t, content, err))
			}
		}
	}
}

// A failed job has the last lines of its error stream, and a job that cannot start has a reason.
func failsJobs(t *testing.T, all []*api.Client) {
	ctx := t.Context()
	here, there := all[0], all[1]
	stdin, err := here.Put(ctx, strings.NewReader("nothing is well\n"))
	require.NoError(t, err)
	spec := jobs.Spec{Tasks: 1, Command: []string{"sh", "-c", "cat >&2; exit 3"}, Stdin: stdin.Digest}
	r, err := here.Submit(ctx, api.Submission{Spec: spec})
	require.NoError(t, err)
	r, err = there.Wait(ctx, r.ID)
	require.NoError(t, err)
	require.Equal(t, []any{jobs.Failed, 3}, []any{r.State, r.ExitCode()})
	require.Equal(t, "nothing is well", r.Last().Ranks[0].Stderr)

	spec = jobs.Spec{Tasks: 2, Command: []string{"sh", "-c", "test $CANVASS_RANK = 1 && exit 4; exec sleep 600"}}
	r, err = here.Submit(ctx, api.Submission{Spec: spec})
	require.NoError(t, err)
	r, err = there.Wait(ctx, r.ID)
	require.NoError(t, err)
	require.Equal(t, []any{jobs.Failed, 4}, []any{r.State, r.ExitCode()})
	require.True(t, r.Last().Statuses[0].Halted, "the others end with it")

	spec = jobs.Spec{Tasks: 1, Command: []string{"no-such-command"}}
	r, err = here.Submit(ctx, api.Submission{Spec: spec})
	require.NoError(t, err)
	r, err = there.Wait(ctx, r.ID)
	require.NoError(t, err)
	require.Equal(t, jobs.Failed, r.State)
	require.Contains(t, r.Changes[len(r.Changes)-1].Reason, `there is no command "no-such-command"`)
}

// A node joins with a token of the daemon that has the key, and no other one makes tokens.
func letsJoin(t *testing.T, all []*api.Client) {
	ctx := t.Context()
	for _, q := range []api.TokenQuery{
		{Life: time.Hour}, {Uses: 1}, {Life: 31 * 24 * time.Hour, Uses: 1}, {Life: time.Hour, Uses: 10_001},
	} {
		_, err := all[0].Token(ctx, q)
		require.ErrorIs(t, err, jobs.ErrSpec, "%+v", q)
	}
	q := api.TokenQuery{Life: time.Hour, Uses: 1}
	_, err := all[1].Token(ctx, q)
	require.ErrorContains(t, err, "does not have the key")
	made, err := all[0].Token(ctx, q)
	require.NoError(t, err)
	require.Equal(t, 1, made.Uses)
	token, err := identity.ParseToken(made.Text)
	require.NoError(t, err)
	report, err := all[0].Report(ctx, "")
	require.NoError(t, err)
	key, err := identity.NewKey()
	require.NoError(t, err)
	asks := transport.JoinConfig{Endpoint: report.Endpoint, Token: token, Key: key}
	joined, err := transport.Join(ctx, asks)
	require.NoError(t, err)
	require.Equal(t, protocol.Address(2), joined.Identity.Address)
	grid, err := config.ParseGrid(joined.Config)
	require.NoError(t, err)
	require.Equal(t, config.DefaultGrid(0, 1).Witnesses, grid.Witnesses)
	_, err = transport.Join(ctx, asks)
	require.Error(t, err, "the token is used up")
}
