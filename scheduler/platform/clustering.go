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

// Bad returns for each node the nodes that it advertises where clusters are bad, as in Jackson
// (2015), section 4.1.1. The first nodes of each cluster, this many per cent of them, advertise
// consecutive groups of n, the rest a smaller group: these are too small. The other nodes advertise
// each other; if the groups are nested, these advertise the whole cluster, and both interfere.
// Nodes are numbered as in [Overlap]; the lists ascend, share memory and must not be changed. A
// smaller n than 2, or a share that is not between 1 and 99 per cent, is an [InvalidError].
func Bad(p *scheduler.Platform, n, percent int, nested bool) ([][]int, error) {
	name := "split"
	if nested {
		name = "nested"
	}
	if err := checkGroup(name, n); err != nil {
		return nil, err
	}
	if percent < 1 || percent > 99 {
		return nil, &InvalidError{name + "-" + strconv.Itoa(n), fmt.Sprintf("share of %d %%, want 1 to 99", percent)}
	}
	lists := make([][]int, 0, p.Nodes())
	for _, c := range p.Clusters {
		all := make([]int, c.Nodes)
		for i := range all {
			all[i] = len(lists) + i
		}
		cut := c.Nodes * percent / 100
		for i := range cut {
			first := i / n * n
			lists = append(lists, slices.Clip(all[first:min(first+n, cut)]))
		}
		others := all
		if !nested {
			others = all[cut:]
		}
		for range c.Nodes - cut {
			lists = append(lists, slices.Clip(others))
		}
	}
	return lists, nil
}

func checkGroup(name string, n int) error {
	if n < leastGroup {
		return &InvalidError{name + "-" + strconv.Itoa(n), fmt.Sprintf("groups of %d, want at least %d", n, leastGroup)}
	}
	return nil
}
