package plot_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

func TestPackSplitsWhereItMust(t *testing.T) {
	task := func(nodes int, start, end float64, label string) plot.Task {
		return plot.Task{Nodes: nodes, StartSeconds: start, EndSeconds: end, Label: label}
	}
	packed, err := plot.Pack([]int{5}, []plot.Task{
		task(1, 0, 10, "a"), task(2, 0, 20, "b"), task(2, 10, 30, "d"), task(1, 0, 30, "c"),
	})
	require.NoError(t, err)
	type place struct {
		label       string
		first, size int
	}
	var places []place
	for _, p := range packed {
		places = append(places, place{p.Label, p.FirstNode, p.Nodes})
	}
	assert.Equal(t, []place{{"a", 0, 1}, {"b", 1, 2}, {"c", 3, 1}, {"d", 0, 1}, {"d", 4, 1}}, places)
}

func TestPackRefusesTooMuch(t *testing.T) {
	_, err := plot.Pack([]int{1, 5}, []plot.Task{
		{Cluster: 1, Nodes: 3, StartSeconds: 0, EndSeconds: 10, Label: "a"},
		{Cluster: 1, Nodes: 3, StartSeconds: 9, EndSeconds: 12, Label: "b"},
	})
	require.ErrorContains(t, err, `task 2 ("b") needs 3 nodes of cluster 1 at 9 s, but 2 of its 5 are free`)
	_, err = plot.Pack([]int{1}, []plot.Task{{Nodes: 2}})
	require.ErrorContains(t, err, "has 2 nodes in a cluster of 1")
}

// Tasks are kept whole, and no node has two at once, if and only if there are enough nodes.
func TestPackPutsOneTaskOnANode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOfN(rapid.IntRange(1, 8), 1, 3).Draw(t, "nodes")
		var tasks []plot.Task
		for i := range rapid.IntRange(0, 30).Draw(t, "tasks") {
			cluster := rapid.IntRange(0, len(nodes)-1).Draw(t, "cluster")
			start := rapid.IntRange(0, 20).Draw(t, "start")
			tasks = append(tasks, plot.Task{
				Cluster: cluster, Nodes: rapid.IntRange(1, nodes[cluster]).Draw(t, "size"), Colour: i,
				StartSeconds: float64(start), EndSeconds: float64(start + rapid.IntRange(1, 5).Draw(t, "length")),
			})
		}
		enough := true
		for second := range 25 {
			busy := make([]int, len(nodes))
			for _, k := range tasks {
				if k.StartSeconds <= float64(second) && float64(second) < k.EndSeconds {
					busy[k.Cluster] += k.Nodes
				}
			}
			for c := range nodes {
				enough = enough && busy[c] <= nodes[c]
			}
		}
		packed, err := plot.Pack(nodes, tasks)
		require.Equal(t, enough, err == nil, "%v", err)
		sizes := map[int]int{}
		taken := map[[3]int]bool{}
		for _, p := range packed {
			sizes[p.Colour] += p.Nodes
			for n := p.FirstNode; n < p.FirstNode+p.Nodes; n++ {
				require.Less(t, n, nodes[p.Cluster])
				for s := p.StartSeconds; s < p.EndSeconds; s++ {
					at := [3]int{p.Cluster, n, int(s)}
					require.False(t, taken[at], "two tasks on %v", at)
					taken[at] = true
				}
			}
		}
		if enough {
			for _, k := range tasks {
				assert.Equal(t, k.Nodes, sizes[k.Colour])
			}
		}
	})
}
