package node_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
)

// lived is the folder of a node that has run once, and has a job.
func lived(t *testing.T) (folder string, options config.Options) {
	g := local.Grid{Folder: t.TempDir(), Nodes: 1}
	require.NoError(t, g.Make())
	self, err := os.Executable()
	require.NoError(t, err)
	options = config.Options{Folder: g.Data(0), Binary: self, Build: "test", Log: slog.New(slog.DiscardHandler)}
	n, err := node.Open(options)
	require.NoError(t, err)
	defer syscall.Umask(syscall.Umask(0))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- n.Run(ctx) }()
	client := api.NewClient(g.Socket(0))
	job := api.Submission{Key: "a", Spec: jobs.Spec{Command: []string{"true"}, Tasks: 1, Hold: true}}
	require.Eventually(t, func() bool {
		_, err := client.Submit(ctx, job)
		return err == nil
	}, 20*time.Second, 50*time.Millisecond)
	about, err := os.Stat(g.Socket(0))
	require.NoError(t, err)
	require.Equal(t, os.ModeSocket|0o600, about.Mode(), "for its user alone, with any umask")
	stop()
	require.NoError(t, <-ended)
	return g.Data(0), options
}

// value is a value of a store as it is on the disk, without its checksum.
type value struct {
	bucket string
	key    []byte
	bytes  []byte
}

func valuesOf(t *testing.T, folder string) (all []value) {
	s, err := disk.Open(folder)
	require.NoError(t, err)
	defer s.Close()
	for _, bucket := range []string{disk.Meta, disk.Cores, disk.Jobs} {
		require.NoError(t, s.Each(bucket, nil, func(key, bytes []byte) error {
			all = append(all, value{bucket, append([]byte{}, key...), append([]byte{}, bytes...)})
			return nil
		}))
	}
	return all
}

// Each value of a store that a node has used is damaged in turn: no incarnation begins, and the
// error has the file, the value and the remedy.
func TestADamagedValueLetsNoLifeBegin(t *testing.T) {
	folder, options := lived(t)
	all := valuesOf(t, folder)
	name := filepath.Join(folder, "canvass.db")
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	damaged := map[string]int{}
	for _, v := range all {
		place := append(append([]byte{}, v.key...), v.bytes...) // bbolt has them one after the other
		require.Contains(t, string(whole), string(place))
		other := bytes.Clone(place)
		other[len(other)-1] ^= 4
		file := bytes.ReplaceAll(whole, place, other) // former copies of the page, too
		require.NoError(t, os.Remove(name))
		require.NoError(t, os.WriteFile(name, file, 0o600))

		_, err := node.Open(options)
		require.ErrorIs(t, err, disk.ErrStorage)
		require.ErrorContains(t, err, name+": the file is damaged: the value of ")
		require.ErrorContains(t, err, "put back a backup")
		var which *disk.ValueError
		require.True(t, errors.As(err, &which), err)
		require.Equal(t, []any{v.bucket, v.key}, []any{which.Bucket, which.Key})
		damaged[v.bucket]++
	}
	require.GreaterOrEqual(t, damaged[disk.Cores], 3) // peer, lease and the custodian of the job
	require.Equal(t, 1, damaged[disk.Jobs])
	require.GreaterOrEqual(t, damaged[disk.Meta], 4) // schema, grid, node and cards
}

// Values whose checksums hold, and that this build cannot read.
func TestAValueOfAnotherBuildLetsNoLifeBegin(t *testing.T) {
	folder, options := lived(t)
	name := filepath.Join(folder, "canvass.db")
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, v := range valuesOf(t, folder) {
		if v.bucket == disk.Meta && string(v.key) != "cards" {
			continue // the owner of the store is another one
		}
		require.NoError(t, os.Remove(name))
		require.NoError(t, os.WriteFile(name, whole, 0o600))
		s, err := disk.Open(folder)
		require.NoError(t, err)
		require.NoError(t, s.Commit(disk.Put{Bucket: v.bucket, Key: v.key, Value: []byte{0}}))
		require.NoError(t, s.Close())

		n, err := node.Open(options)
		if err == nil {
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			err = n.Run(ctx)
			stop()
		}
		require.ErrorIs(t, err, disk.ErrStorage, "%s %x", v.bucket, v.key)
		var which *disk.ValueError
		require.True(t, errors.As(err, &which), err)
		require.Equal(t, []any{v.bucket, v.key}, []any{which.Bucket, which.Key})
	}
}
