package platform_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

func TestClustersOfAFile(t *testing.T) {
	lists := [][]int{{0, 1}, {0, 1}, {2}, {3, 4}, {2, 4}}
	c := platform.NewClusters("lab", lists)
	assert.Equal(t, [][]int{{0, 1}, {2}, {3, 4}, {2, 4}}, c.Members)
	path := filepath.Join(t.TempDir(), "clusters.json")
	require.NoError(t, os.WriteFile(path, c.Encode(), 0o600))
	read, err := platform.ReadClusters(path)
	require.NoError(t, err)
	assert.Equal(t, c, read)
	p := &scheduler.Platform{Name: "two", Clusters: []scheduler.Cluster{{Name: "a", Nodes: 2}, {Name: "b", Nodes: 3}}}
	again, err := read.Lists(p)
	require.NoError(t, err)
	assert.Equal(t, lists, again)

	_, err = read.Lists(parse(t, "pool:6"))
	require.EqualError(t, err, "lab: clusters of 5 nodes, but platform pool:6 has 6")
	p.Clusters[0].Nodes, p.Clusters[1].Nodes = 1, 4
	_, err = read.Lists(p)
	require.EqualError(t, err,
		"lab: clusters[0] has nodes of a and of b; on platform two a cluster must lie in one of these")
	_, err = platform.ReadClusters(filepath.Join(t.TempDir(), "none.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestFilesOfClustersAreStrict(t *testing.T) {
	for _, c := range [][2]string{
		{
			`[`,
			"c.json: not JSON; canvass lab cluster --out writes such files",
		},
		{
			`[]`,
			"c.json: [], want an object {…}",
		},
		{
			`{"name": "x", "clusters": [[0]], "advertised": [0], "size": 3}`,
			"c.json: size: unknown field, want name, clusters, advertised",
		},
		{
			`{"clusters": [[0]], "advertised": [0]}`,
			"c.json: name: missing, want a name in quotes",
		},
		{
			`{"name": "x", "advertised": [0]}`,
			"c.json: clusters: missing, want lists of whole numbers",
		},
		{
			`{"name": "x", "clusters": [[0.5]], "advertised": [0]}`,
			"c.json: clusters: [[0.5]], want lists of whole numbers",
		},
		{
			`{"name": "x", "clusters": [[0]], "advertised": []}`,
			"c.json: advertised: 0 nodes, want 1 to 1048576",
		},
		{
			`{"name": "x", "clusters": [[0],[1]], "advertised": [0]}`,
			"c.json: clusters[1][0]: node 1, want 0 to 0: advertised has 1 nodes",
		},
		{
			`{"name": "x", "clusters": [[1,0]], "advertised": [0,0]}`,
			"c.json: clusters[0][1]: node 0 after 1, want ascending numbers",
		},
		{
			`{"name": "x", "clusters": [[0],[]], "advertised": [0]}`,
			"c.json: clusters[1]: no node, want at least one",
		},
		{
			`{"name": "x", "clusters": [[0]], "advertised": [1]}`,
			"c.json: advertised[0]: cluster 1, want 0 to 0",
		},
		{
			`{"name": "x", "clusters": [[0],[1]], "advertised": [0,0]}`,
			"c.json: advertised[1]: cluster 0, which does not contain node 1",
		},
		{
			`{"name": "x", "clusters": [[0]], "clusters": [], "advertised": 1}`,
			"c.json: clusters: given twice, want it once",
		},
	} {
		_, err := platform.DecodeClusters("c.json", []byte(c[0]))
		require.EqualError(t, err, c[1], c[0])
	}
}

// A written file reads back.
func TestClustersReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		lists := make([][]int, n)
		for node := range lists {
			for other := range n {
				if other == node || rapid.Bool().Draw(t, "member") {
					lists[node] = append(lists[node], other)
				}
			}
		}
		c := platform.NewClusters("drawn", lists)
		read, err := platform.DecodeClusters("drawn.json", c.Encode())
		require.NoError(t, err)
		require.Equal(t, c, read)
	})
}

// A file of clusters either has an error, or clusters that are written and read back as they are.
func FuzzDecodeClusters(f *testing.F) {
	f.Add([]byte(`{"name": "x", "clusters": [[0,1],[1]], "advertised": [0,1]}`))
	f.Add([]byte(`{"name": "x", "clusters": [[0]], "advertised": [1]}`))
	f.Add([]byte(`{"name": "\ud800", "clusters": [null], "advertised": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := platform.DecodeClusters("fuzz.json", text)
		if err != nil {
			return
		}
		again, err := platform.DecodeClusters("fuzz.json", c.Encode())
		require.NoError(t, err)
		require.Equal(t, c, again)
	})
}
