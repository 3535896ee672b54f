package cluster

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// Filter makes each cluster accurate: the head keeps the largest clique of hosts that are measured
// to be within the diameter of each other. Clusters are indexed by head; each is ascending.
func Filter(in *latency.Input, clusters [][]int, diameterNanos int64) [][]int {
	kept := make([][]int, len(clusters))
	each(len(clusters), func(head int) {
		ids := append([]int{head}, clusters[head]...)
		ids = slices.Delete(ids, 1+slices.Index(clusters[head], head), 2+slices.Index(clusters[head], head))
		clique := refine.LargestClique(len(ids), func(a, b int) bool {
			return in.Nanos(ids[a], ids[b]) <= diameterNanos
		}, len(ids))
		for _, at := range clique {
			kept[head] = append(kept[head], ids[at])
		}
		slices.Sort(kept[head])
	})
	return kept
}

// Adopt returns for each host the head of the cluster that it advertises: the largest cluster that
// contains it. Clusters are indexed by head.
func Adopt(clusters [][]int) []int {
	described := make([]refine.Cluster, len(clusters))
	for head, members := range clusters {
		ids := make([]protocol.NodeID, len(members))
		for i, m := range members {
			ids[i] = identity(m)
		}
		described[head] = refine.Cluster{Head: identity(head), Members: ids}
	}
	chosen := make([]int, len(clusters))
	for host := range chosen {
		chosen[host] = host
	}
	for head, members := range clusters {
		for _, host := range members {
			if host != head && refine.Better(described[head], described[chosen[host]], identity(host)) {
				chosen[host] = head
			}
		}
	}
	return chosen
}
