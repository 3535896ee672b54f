package lab_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// onFound is a small cell on a clustering.
func onFound(clustering string) lab.Cell {
	return lab.MustCell("workload=sharcnet-like:N=40", "select=filter:size<=8", "platform=uniform:3x16", "policy=qb+dlb",
		"clustering="+clustering)
}

// Clusters that are found have their quality in the row. Runs on them repeat, and earlier results
// of a lab for other cells change nothing.
func TestRunsOnFoundClusters(t *testing.T) {
	l := &lab.Lab{}
	digests := map[string]bool{}
	for _, clustering := range []string{"dyn:8", "dyn-sym:8", "dyn:8,memberships=2,diameter=150us,criterion=first-come"} {
		for seed := range uint64(2) {
			first, err := l.Run(context.Background(), "", onFound(clustering), seed)
			require.NoError(t, err)
			q := first.Row.Clusters
			require.NotNil(t, q)
			assert.Equal(t, 48, q.Hosts)
			assert.Equal(t, 8, q.Size)
			assert.Zero(t, q.FarPairs)
			alone, err := (&lab.Lab{}).Run(context.Background(), "", onFound(clustering), seed)
			require.NoError(t, err)
			assert.Equal(t, q, alone.Row.Clusters)
			assert.Equal(t, first.Row.StartsDigest, alone.Row.StartsDigest)
			digests[first.Row.StartsDigest] = true
		}
	}
	assert.Len(t, digests, 6)
}

// Nodes advertise clusters from a file: on whole clusters jobs start at the same times as on
// windows over them that are as large.
func TestRunsOnClustersFromAFile(t *testing.T) {
	l := &lab.Lab{}
	path := filepath.Join(t.TempDir(), "clusters.json")
	whole := make([][]int, 48)
	for node := range whole {
		for i := range 16 {
			whole[node] = append(whole[node], node/16*16+i)
		}
	}
	require.NoError(t, os.WriteFile(path, platform.NewClusters("whole", whole).Encode(), 0o600))
	read, err := l.Run(context.Background(), "", onFound("file:"+path), 1)
	require.NoError(t, err)
	assert.Len(t, read.Row.ClusteringDigest, 16)
	cut, err := l.Run(context.Background(), "", onFound("overlap:16"), 1)
	require.NoError(t, err)
	assert.Equal(t, cut.Row.StartsDigest, read.Row.StartsDigest)
}

// A cell may find clusters and run no jobs.
func TestCellsThatFindClusters(t *testing.T) {
	c := lab.MustCell("predict=clusters:8,memberships=4 of sharcnet-latency:sites=plane,every=20")
	o, err := (&lab.Lab{}).Run(context.Background(), "", c, 2)
	require.NoError(t, err)
	assert.Equal(t, 4, o.Row.Clusters.Memberships)
	assert.LessOrEqual(t, o.Row.Clusters.Advertised.MaxAcquainted, 28)
	assert.Nil(t, o.Row.Prediction)
}

// Where half of the nodes are in groups of four, all jobs end: a job of eight fits the other nodes,
// or, if the groups are nested, the whole cluster.
func TestRunsOnBadClusters(t *testing.T) {
	digests := map[string]bool{}
	for _, clustering := range []string{"actual", "split:4,share=50%", "nested:4,share=50%"} {
		o, err := (&lab.Lab{}).Run(context.Background(), "", onFound(clustering), 1)
		require.NoError(t, err)
		assert.Equal(t, o.Row.Summary.Submitted, o.Row.Summary.Done, clustering)
		digests[o.Row.StartsDigest] = true
	}
	assert.Len(t, digests, 3)
}

func TestClusteringsThatMakeNoSense(t *testing.T) {
	for clustering, want := range map[string]string{
		"dyn:1":              "clusters of 1 hosts: want 2 to 4095",
		"dyn:8,site=plane":   `"site=plane" is no setting; use memberships=M`,
		"dyn-sim:8":          "nested:N,share=P%, dyn:N, dyn-sym:N, or file:PATH",
		"overlap:x":          "use overlap:N",
		"split:4":            "use split:N,share=50%",
		"nested:x,share=50%": "use nested:N,share=50%",
		"nested:4,share=50":  "use nested:N,share=50%",
	} {
		var c lab.Cell
		mistake := (*usage.Error)(nil)
		err := c.Set("clustering", clustering)
		require.ErrorAs(t, err, &mistake)
		assert.ErrorContains(t, err, want)
	}
	central := onFound("dyn:8").With("policy=fcfs")
	for _, c := range []struct {
		cell lab.Cell
		want string
	}{
		{central, "a central policy such as fcfs has no overlapping clusters"},
		{onFound("dyn:8,sites=best"), "use median, mean, lowest or plane"},
		{onFound("nested:4,share=100%"), "share of 100 %, want 1 to 99"},
		{onFound("split:1,share=50%"), "groups of 1, want at least 2"},
		{lab.MustCell("predict=clusters:8,sites=plane of tree:20"), `"sites=plane" is no setting of clusters`},
		{lab.MustCell("predict=clusters:1 of tree:20"), "want 2 to 4095"},
	} {
		_, err := (&lab.Lab{}).Run(context.Background(), "", c.cell, 1)
		mistake := (*usage.Error)(nil)
		require.ErrorAs(t, err, &mistake)
		assert.ErrorContains(t, err, c.want)
	}
	_, err := (&lab.Lab{}).Run(context.Background(), "", onFound("file:none.json"), 1)
	require.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "read clusters: open none.json")
	_, err = (&lab.Lab{}).Run(context.Background(), "", onFound("dyn:8,sites=median"), 1)
	require.ErrorIs(t, err, lab.ErrNoData)
}
