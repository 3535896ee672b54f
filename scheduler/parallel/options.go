package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
)

// Policy is how idle jobs move (section 4.2).
type Policy struct {
	Name string
	Doc  string
	DLB  bool
	QB   bool
}

// Policies lists the policies, in the order of the paper.
func Policies() []Policy {
	return []Policy{
		{"static", "decentralised: jobs stay where they were matched", false, false},
		{"dlb", "decentralised: an idle job moves to a cluster that can run it at once (Algorithm 1)", true, false},
		{"qb", "decentralised: an idle job moves to a cluster with shorter queues (Algorithm 2)", false, true},
		{"qb+dlb", "decentralised: both algorithms, as Jackson (2015) proposes", true, true},
	}
}

// Find returns the policy with that name.
func Find(name string) (Policy, error) {
	all := Policies()
	i := slices.IndexFunc(all, func(p Policy) bool { return p.Name == name })
	if i < 0 {
		var names []string
		for _, p := range all {
			names = append(names, p.Name)
		}
		return Policy{}, fmt.Errorf("no decentralised policy %q; %s",
			name, usage.Question(usage.Nearest(name, names), names))
	}
	return all[i], nil
}

// The neighbours among which a node moves its jobs.
const (
	ReachDirect = "direct" // those whose zones abut
	ReachBoth   = "both"   // and their neighbours: the neighbourhood of a node of the CAN
	ReachThree  = "3"      // those at most three steps away, from neighbour to neighbour
	ReachFour   = "4"
	ReachGlobal = "global" // all nodes: the limit that no node reaches
)

// minimumStrict is the value of [Options.Minimum] that asks for smaller values in all dimensions.
const minimumStrict = "strict"

// Options are the settings of a run beside grid and workload. [Defaults] has those of the paper,
// where it gives any.
type Options struct {
	Policy        Policy
	Over          reptask.Over // over-provisioning, in thousandths of a job's size; 0 for the whole cluster
	Moves         string       // "once": a job moves once; "each": once by each algorithm
	Minimum       string       // "pareto" or "strict": which of two sites is the smaller
	Position      string       // "average" or "kth": the queue position that a job compares
	Reach         string
	Demands       bool  // each job requires machines as fast as a drawn one, if speeds differ
	LatencyMicros int64 // of a message between two nodes, at least 1
	// If set, the latency of a message between nodes of two different clusters, by their indices in
	// the platform. It is never less than that within a cluster: no grant overtakes a cancellation.
	Between       func(a, b int) int64
	BalanceMicros int64 // the period of DLB and QB at a node, at least 1
	NewsMicros    int64 // the age of the oldest queue lengths that a node knows; 0 for none: they are fresh
	Seed          uint64
	Trace         func(Event) // if set, it is called for each step in the incarnation of a job
}

// Defaults are the settings that the paper uses, or where it is silent the decisions of the package
// documentation.
func Defaults() Options {
	return Options{
		Policy: Policies()[3], Over: reptask.OverTotal, Moves: "once", Minimum: "pareto", Position: "average",
		Reach: ReachBoth, LatencyMicros: 1_000, BalanceMicros: scheduler.Second, NewsMicros: scheduler.Second,
	}
}

// Validate names an impossible option and its possible values.
func (o *Options) Validate() error {
	for _, c := range []struct {
		name, value string
		all         []string
	}{
		{"moves", o.Moves, []string{"once", "each"}},
		{"minimum", o.Minimum, []string{"pareto", minimumStrict}},
		{"position", o.Position, []string{"average", "kth"}},
		{"reach", o.Reach, []string{ReachDirect, ReachBoth, ReachThree, ReachFour, ReachGlobal}},
	} {
		if !slices.Contains(c.all, c.value) {
			return fmt.Errorf("%s is %q: use %s", c.name, c.value, strings.Join(c.all, " or "))
		}
	}
	for _, c := range []struct {
		name         string
		value, least int64
	}{
		{"latency", o.LatencyMicros, 1}, {"balance", o.BalanceMicros, 1}, {"news", o.NewsMicros, 0},
	} {
		if c.value < c.least || c.value > longest {
			return fmt.Errorf("%s is %d µs: use %d to %d µs", c.name, c.value, c.least, longest)
		}
	}
	if o.Over != reptask.OverTotal && o.Over < reptask.OverNone {
		return fmt.Errorf("over is %d thousandths: use at least 1,000, as a job needs all its nodes, "+
			"or 0 for the whole cluster", o.Over)
	}
	return nil
}

// validate also looks at the latencies between the clusters of a grid.
func (o *Options) validate(g *Grid) error {
	if err := o.Validate(); err != nil || o.Between == nil {
		return err
	}
	for a := range g.Platform.Clusters {
		for b := range g.Platform.Clusters {
			if between := o.Between(a, b); a != b && (between < o.LatencyMicros || between > longest) {
				return fmt.Errorf("a message from cluster %d to %d takes %d µs: use %d, as within a cluster, to %d µs",
					a, b, between, o.LatencyMicros, longest)
			}
		}
	}
	for _, view := range g.views {
		for _, k := range view {
			if g.Nodes[k].Cluster != g.Nodes[view[0]].Cluster {
				return fmt.Errorf("nodes of clusters %d and %d advertise each other, so no cluster can be further away than its "+
					"own nodes are: leave out the latency between clusters", g.Nodes[k].Cluster,
					g.Nodes[view[0]].Cluster)
			}
		}
	}
	return nil
}

// longest bounds periods and latencies: a day.
const longest = 86_400 * scheduler.Second
