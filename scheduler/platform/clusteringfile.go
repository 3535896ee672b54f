package platform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler"
)

// Clusters are clusters that may overlap, of which each node advertises one. Nodes are numbered
// from 0, through the clusters of a platform in their order.
type Clusters struct {
	Name       string  // name of the platform
	Members    [][]int // of each cluster, ascending
	Advertised []int   // of each node: the index of a cluster that it is in
}

// NewClusters makes clusters of the lists of all nodes. Equal lists become one cluster. The lists
// must be ascending, and each must contain its node.
func NewClusters(name string, lists [][]int) *Clusters {
	c := &Clusters{Name: name, Advertised: make([]int, len(lists))}
	index := map[string]int{}
	for node, members := range lists {
		key := fmt.Sprint(members)
		at, known := index[key]
		if !known {
			at = len(c.Members)
			index[key] = at
			c.Members = append(c.Members, members)
		}
		c.Advertised[node] = at
	}
	return c
}

// Lists returns the members of the cluster that each node of a platform advertises. The error, an
// [InvalidError], says why the clusters are not of this platform.
func (c *Clusters) Lists(p *scheduler.Platform) ([][]int, error) {
	if len(c.Advertised) != p.Nodes() {
		return nil, &InvalidError{c.Name, fmt.Sprintf("clusters of %d nodes, but platform %s has %d", len(c.Advertised),
			p.Name, p.Nodes())}
	}
	var of []int
	for i, cluster := range p.Clusters {
		for range cluster.Nodes {
			of = append(of, i)
		}
	}
	for i, members := range c.Members {
		first, last := of[members[0]], of[members[len(members)-1]]
		if first != last {
			return nil, &InvalidError{c.Name, fmt.Sprintf("clusters[%d] has nodes of %s and of %s; on platform %s a cluster "+
				"must lie in one of these", i, p.Clusters[first].Name, p.Clusters[last].Name, p.Name)}
		}
	}
	lists := make([][]int, len(c.Advertised))
	for node, at := range c.Advertised {
		lists[node] = c.Members[at]
	}
	return lists, nil
}

// Encode writes the clusters as JSON, each on a line.
func (c *Clusters) Encode() []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\"name\": %s, \"clusters\": [\n", encoded(c.Name))
	for i, members := range c.Members {
		text.WriteString(encoded(members))
		if i < len(c.Members)-1 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
	}
	fmt.Fprintf(&text, "], \"advertised\": %s}\n", encoded(c.Advertised))
	return text.Bytes()
}

func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts and numbers are plain data
	}
	return string(text)
}

// ReadClusters reads a file of clusters, as [DecodeClusters] does.
func ReadClusters(path string) (*Clusters, error) {
	text, err := fileio.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read clusters: %w", err)
	}
	return DecodeClusters(path, text)
}

// DecodeClusters reads clusters from JSON:
//
//	{"name": "lab", "clusters": [[0,1,2],[2,3]], "advertised": [0,0,0,1]}
//
// The path is for errors. The error is an [InvalidError].
func DecodeClusters(path string, text []byte) (*Clusters, error) {
	text, err := fileio.TextOf(text, maxFile)
	if err != nil {
		return nil, &InvalidError{path, err.Error()}
	}
	if !json.Valid(text) {
		return nil, &InvalidError{path, "not JSON; canvass lab cluster --out writes such files"}
	}
	d := &decoder{path: path}
	top := d.object(text, "", "name", "clusters", "advertised")
	c := &Clusters{Name: d.text(top["name"], "name")}
	d.numbers(top["clusters"], "clusters", &c.Members)
	d.numbers(top["advertised"], "advertised", &c.Advertised)
	nodes := len(c.Advertised)
	if nodes == 0 || nodes > MaxNodes {
		d.fail("advertised", "%d nodes, want 1 to %d", nodes, MaxNodes)
	}
	for i, members := range c.Members {
		for k, node := range members {
			at := func() string { return fmt.Sprintf("clusters[%d][%d]", i, k) }
			switch {
			case node < 0 || node >= nodes:
				d.fail(at(), "node %d, want 0 to %d: advertised has %d nodes", node, nodes-1, nodes)
			case k > 0 && node <= members[k-1]:
				d.fail(at(), "node %d after %d, want ascending numbers", node, members[k-1])
			}
		}
		if len(members) == 0 {
			d.fail(fmt.Sprintf("clusters[%d]", i), "no node, want at least one")
		}
	}
	for node, i := range c.Advertised {
		at := fmt.Sprintf("advertised[%d]", node)
		if i < 0 || i >= len(c.Members) {
			d.fail(at, "cluster %d, want 0 to %d", i, len(c.Members)-1)
		} else if d.err == nil && !has(c.Members[i], node) {
			d.fail(at, "cluster %d, which does not contain node %d", i, node)
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	return c, nil
}

// numbers reads lists of numbers.
func (d *decoder) numbers(raw json.RawMessage, at string, into any) {
	if d.err == nil {
		null := bytes.Contains(raw, []byte("null")) // which package json takes for zero
		if err := json.Unmarshal(raw, into); err != nil || len(raw) == 0 || null {
			d.fail(at, "%s, want lists of whole numbers", shown(raw))
		}
	}
}

func has(ascending []int, node int) bool {
	_, found := slices.BinarySearch(ascending, node)
	return found
}
