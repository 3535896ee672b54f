package platform

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/canvass-grid/canvass/scheduler"
)

// leastGroup is the smallest size of a group that can run a parallel job.
const leastGroup = 2

// Pool makes one cluster of all nodes. Values that differ between clusters become the cautious one:
// the largest diameter, the fewest processors, the lowest speed.
func Pool(p *scheduler.Platform) *scheduler.Platform {
	pooled := &scheduler.Platform{Name: p.Name + " pooled"}
	if len(p.Clusters) == 0 {
		return pooled
	}
	all := p.Clusters[0]
	all.Name, all.Nodes = "pool", p.Nodes()
	for _, c := range p.Clusters[1:] {
		all.DiameterNanos = max(all.DiameterNanos, c.DiameterNanos)
		all.ProcessorsPerNode = min(all.ProcessorsPerNode, c.ProcessorsPerNode)
		all.SpeedPermille = min(all.SpeedPermille, c.SpeedPermille)
	}
	if all.Nodes > 1 && all.DiameterNanos == 0 { // single nodes have no diameter to take
		all.DiameterNanos = EthernetNanos
	}
	pooled.Clusters = []scheduler.Cluster{all}
	return pooled
}

// Disjoint cuts each cluster into consecutive groups of n nodes; the rest is a smaller group
// (DISJOINT-n). The groups are the clusters of the result, in order: "whale/0", "whale/1", … A
// smaller n than 2 is an [InvalidError].
func Disjoint(p *scheduler.Platform, n int) (*scheduler.Platform, error) {
	if err := checkGroup("disjoint", n); err != nil {
		return nil, err
	}
	cut := &scheduler.Platform{Name: p.Name + " disjoint-" + strconv.Itoa(n)}
	for _, c := range p.Clusters {
		for i := 0; i*n < c.Nodes; i++ {
			group := c
			group.Name = c.Name + "/" + strconv.Itoa(i)
			group.Nodes = min(n, c.Nodes-i*n)
			if group.Nodes == 1 {
				group.DiameterNanos = 0
			}
			cut.Clusters = append(cut.Clusters, group)
		}
	}
	return cut, nil
}

// Overlap returns for each node the nodes that it advertises as its cluster (OVERLAP-n). Nodes are
// numbered through the clusters in order. Node i of a cluster of s nodes advertises the nodes i to
// i+n-1 of its cluster modulo s, and the whole cluster if s < n; it is the first of its list. The
// lists share memory and must not be changed. A smaller n than 2 is an [InvalidError].
func Overlap(p *scheduler.Platform, n int) ([][]int, error) {
	if err := checkGroup("overlap", n); err != nil {
		return nil, err
	}
	lists := make([][]int, 0, p.Nodes())
	first := 0
	for _, c := range p.Clusters {
		// A window over the cluster written twice: the lists of a large cluster take no more memory
		// than its nodes do.
		twice := make([]int, 2*c.Nodes)
		for i := range twice {
			twice[i] = first + i%c.Nodes
		}
		for i := range c.Nodes {
			lists = append(lists, slices.Clip(twice[i:i+min(n, c.Nodes)]))
		}
		first += c.Nodes
	}
	return lists, nil
}

func checkGroup(name string, n int) error {
	if n < leastGroup {
		return &InvalidError{name + "-" + strconv.Itoa(n), fmt.Sprintf("groups of %d, want at least %d", n, leastGroup)}
	}
	return nil
}
