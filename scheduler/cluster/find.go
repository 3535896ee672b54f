package cluster

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// Found is clusters and how they came to be.
type Found struct {
	Settings    Settings
	Seed        uint64
	Tree        *latency.Anchors
	Aggregation Aggregation
	Candidates  [][]int // of each host as a head: it solicits these; itself included
	Unfiltered  [][]int // of each head: itself, and the hosts that accepted
	Own         [][]int // of each head: its job-ready cluster
	Advertised  []int   // of each host: the head whose cluster it advertises
	Cost        Cost
}

// stages are the steps of [Find], as progress names them.
var stages = []string{
	"predict latencies", "report near hosts", "approximate clusters", "limit memberships", "measure members",
}

// MaxHosts bounds an input: the predicted latencies of this many hosts take a gigabyte.
const MaxHosts = 1 << 14

// Find finds the clusters of the hosts of an input. The seed decides the order in which hosts join
// the tree and in which solicitations come, and the subsets. Before each step it calls progress, if
// that is not nil, and ends with the error of the context if that is done.
func Find(
	ctx context.Context, in *latency.Input, s Settings, seed uint64, progress func(stage string),
) (*Found, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if in.Hosts > MaxHosts {
		return nil, fmt.Errorf("%d hosts: want at most %d, since the latencies of all pairs are kept", in.Hosts, MaxHosts)
	}
	f := &Found{Settings: s, Seed: seed}
	for i, step := range []func(){
		func() { f.Tree = latency.DTM(in, dtm.Both, seed) },
		func() { f.Aggregation = Aggregate(f.Tree, in.Hosts, s.Aggregate) },
		func() {
			f.Candidates = approximate(newDistances(f.Tree, in.Hosts, s.DiameterNanos), f.Aggregation.Spaces, s.Size, seed)
		},
		f.limit,
		func() { f.filter(in) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(stages[i])
		}
		step()
	}
	return f, nil
}

// Again refines the same candidates with other bounds on memberships and another criterion, as
// [Find] would.
func (f *Found) Again(in *latency.Input, memberships int, by refine.Criterion) *Found {
	again := *f
	again.Settings.Memberships, again.Settings.Criterion = memberships, by
	again.limit()
	again.filter(in)
	return &again
}

// Given returns the same search with clusters that nodes have found from its candidates: of each
// head, and of each host the head whose cluster it advertises.
func (f *Found) Given(own [][]int, advertised []int) *Found {
	given := *f
	given.Unfiltered, given.Own, given.Advertised, given.Cost = own, own, advertised, Cost{}
	return &given
}

func (f *Found) limit() {
	r := scheduler.Stream(f.Seed, "order of solicitations")
	f.Unfiltered, f.Cost = Limit(f.Candidates, f.Settings.Memberships, f.Settings.Criterion, r)
}

func (f *Found) filter(in *latency.Input) {
	f.Own = Filter(in, f.Unfiltered, f.Settings.DiameterNanos)
	f.Advertised = Adopt(f.Own)
}

// Lists returns for each host the cluster that it advertises: with symmetry the largest that it is
// in, without it its own. The lists are shared and must not be changed.
func (f *Found) Lists(symmetry bool) [][]int {
	if !symmetry {
		return f.Own
	}
	lists := make([][]int, len(f.Own))
	for host, head := range f.Advertised {
		lists[host] = f.Own[head]
	}
	return lists
}
