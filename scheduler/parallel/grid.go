package parallel

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/scheduler"
)

// The dimensions of the space. Machines of a cluster do not differ, so each dimension is one of the
// cluster (section 4.2). Those that follow are virtual, and only keep nodes apart.
const (
	sizeDim    = iota // nodes of the cluster that a node advertises
	latencyDim        // the inverse of its diameter, a second
	speedDim          // of its machines; only where clusters differ in it
)

// Grid has the constants of a run: nodes, the clusters that they advertise, and the map.
type Grid struct {
	Platform *scheduler.Platform
	Nodes    []Node // by address, which is the order in which they joined

	space   space.Space
	views   [][]int32     // the different clusters that nodes advertise: addresses, ascending
	classes match.Classes // how dimensions are compared
	sizes   scale
	inverse scale
	speeds  scale
	slowest int32 // the coordinate of the cluster with the largest diameter that runs parallel jobs
	widest  int   // nodes of the largest advertised cluster
}

// Node is a node of a grid.
type Node struct {
	ID         protocol.NodeID
	Number     int         // in the platform, through its clusters
	Cluster    int         // index in the platform's clusters
	View       int         // index of the cluster that it advertises
	Coordinate space.Point // capability: of its cluster, and virtual coordinates
	Place      can.Record  // its place on the map

	routes can.State // its zone and its direct neighbours, which alone are on routes
	beyond []int32   // the neighbours of those, the other nodes that it knows
}

// MostVirtual is how many virtual dimensions a grid can have.
const MostVirtual = space.MaxDimensions - speedDim - 1

// NewGrid makes a grid of the nodes of a platform, which join the map in drawn order. With lists,
// one a node, numbered through the clusters, a node advertises its list; without, its cluster. The
// dissertation has one virtual dimension.
func NewGrid(p *scheduler.Platform, lists [][]int, virtual int, seed uint64) (*Grid, error) {
	count := p.Nodes()
	if virtual < 1 || virtual > MostVirtual {
		return nil, fmt.Errorf("%d virtual dimensions: use 1 to %d", virtual, MostVirtual)
	}
	if lists != nil && len(lists) != count {
		return nil, fmt.Errorf("%d lists of advertised nodes for %d nodes; give one a node", len(lists), count)
	}
	g := &Grid{Platform: p, Nodes: make([]Node, count)}
	if err := g.scales(p, lists, virtual); err != nil {
		return nil, fmt.Errorf("platform %q: %w", p.Name, err)
	}
	order := scheduler.Stream(seed, "order of joins").Perm(count)
	address := make([]int32, count) // by place in the platform
	for a, place := range order {
		address[place] = int32(a)
	}
	place := 0
	for c := range p.Clusters {
		for range p.Clusters[c].Nodes {
			n := &g.Nodes[address[place]]
			n.ID = protocol.NodeID{Address: protocol.Address(address[place]), Incarnation: 1}
			n.Number, n.Cluster = place, c
			place++
		}
	}
	g.advertise(address, lists)
	return g, g.join(seed)
}

// scales measures the values that occur, and makes the space.
func (g *Grid) scales(p *scheduler.Platform, lists [][]int, virtual int) error {
	var sizes, inverses []int64
	for i := range lists {
		sizes = append(sizes, int64(len(lists[i])))
	}
	for c := range p.Clusters {
		if lists == nil {
			sizes = append(sizes, int64(p.Clusters[c].Nodes))
		}
		inverses = append(inverses, inverseLatency(&p.Clusters[c]))
	}
	g.widest = int(slices.Max(sizes))
	if g.widest > protocol.MaxItems-1 {
		return fmt.Errorf("a node advertises a cluster of %d nodes; cut clusters into groups of at most %d with --clustering",
			g.widest, protocol.MaxItems-1)
	}
	var err error
	for k := range g.widest { // jobs have every size
		sizes = append(sizes, int64(k+1))
	}
	if g.sizes, err = newScale("cluster sizes", sizes); err != nil {
		return err
	}
	if g.inverse, err = newScale("inverse latencies", inverses); err != nil {
		return err
	}
	g.slowest = g.inverse.of(slices.Min(inverses))
	sides := []int32{side, side}
	var speeds []int64
	for c := range p.Clusters {
		speeds = append(speeds, int64(p.Clusters[c].SpeedPermille))
	}
	if slices.Min(speeds) != slices.Max(speeds) {
		sides = append(sides, side)
		if g.speeds, err = newScale("speeds", speeds); err != nil {
			return err
		}
	}
	for range virtual {
		g.classes[len(sides)] = match.Ignored
		sides = append(sides, side)
	}
	g.space, err = space.New(virtual, sides...)
	return err
}

// inverseLatency is the reciprocal of a cluster's diameter, a second; 0 for a single node.
func inverseLatency(c *scheduler.Cluster) int64 {
	if c.Nodes == 1 {
		return 0
	}
	return 1_000_000_000 / max(1, c.DiameterNanos)
}

// advertise gives each node its view. Nodes of a whole cluster share one.
func (g *Grid) advertise(address []int32, lists [][]int) {
	place := 0
	for c := range g.Platform.Clusters {
		first := place
		shared := -1
		for range g.Platform.Clusters[c].Nodes {
			n := &g.Nodes[address[place]]
			switch {
			case lists != nil:
				n.View = g.view(address, lists[place])
			case shared < 0:
				whole := make([]int, g.Platform.Clusters[c].Nodes)
				for i := range whole {
					whole[i] = first + i
				}
				shared = g.view(address, whole)
				n.View = shared
			default:
				n.View = shared
			}
			place++
		}
	}
}

func (g *Grid) view(address []int32, places []int) int {
	members := make([]int32, len(places))
	for i, at := range places {
		members[i] = address[at]
	}
	slices.Sort(members)
	g.views = append(g.views, members)
	return len(g.views) - 1
}

// join makes the map. Virtual coordinates are drawn anew while the place is taken.
func (g *Grid) join(seed uint64) error {
	draw := scheduler.Stream(seed, "virtual coordinates")
	cfg := can.DefaultConfig(g.space)
	if err := cfg.Validate(); err != nil {
		return err
	}
	records, adjacent := founders.Records(&cfg, len(g.Nodes), func(i int) space.Point {
		n := &g.Nodes[i]
		n.Coordinate = space.Point{
			sizeDim:    g.sizes.of(int64(len(g.views[n.View]))),
			latencyDim: g.inverse.of(inverseLatency(&g.Platform.Clusters[n.Cluster])),
		}
		g.scatter(&n.Coordinate, draw)
		if g.haveSpeeds() {
			n.Coordinate[speedDim] = g.speeds.of(int64(g.Platform.Clusters[n.Cluster].SpeedPermille))
		}
		return n.Coordinate
	})
	for i := range records {
		n := &g.Nodes[i]
		n.Place, n.routes.Self = records[i], records[i]
		n.routes.Known = make([]can.Record, 0, len(adjacent[i]))
		for _, k := range adjacent[i] {
			n.routes.Known = append(n.routes.Known, records[k])
		}
		for _, k := range founders.Within2(adjacent, int32(i)) {
			if _, direct := slices.BinarySearch(adjacent[i], k); !direct {
				n.beyond = append(n.beyond, k)
			}
		}
	}
	return nil
}

// scatter draws the virtual coordinates of a point.
func (g *Grid) scatter(p *space.Point, draw *rand.Rand) {
	for k := g.space.Dims - g.space.Virtual; k < g.space.Dims; k++ {
		p[k] = draw.Int32N(side)
	}
}

// require completes the point of a job: its size, the latency of the slowest cluster, so that every
// cluster counts (the paper does not give the requirements of its jobs), and virtual coordinates.
func (g *Grid) require(p *space.Point, nodes int) {
	p[sizeDim], p[latencyDim] = g.sizes.of(int64(nodes)), g.slowest
}

// haveSpeeds reports whether there is a dimension of speeds.
func (g *Grid) haveSpeeds() bool { return g.space.Dims-g.space.Virtual > speedDim }

// Space is the space of the map.
func (g *Grid) Space() space.Space { return g.space }

// Advertised returns the nodes that a node advertises as its cluster, ascending. The list must not
// be changed.
func (g *Grid) Advertised(node int) []int32 { return g.views[g.Nodes[node].View] }

// shares reports whether two advertised clusters may have a node in common.
func (g *Grid) shares(a, b int) bool {
	x, y := g.views[a], g.views[b]
	return a == b || g.Nodes[x[0]].Cluster == g.Nodes[y[0]].Cluster
}

// Residue is the free part of a capability, when free nodes of the cluster are free.
func (g *Grid) Residue(coordinate space.Point, free int) space.Point {
	coordinate[sizeDim] = g.sizes.of(int64(free))
	return coordinate
}
