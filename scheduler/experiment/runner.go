package experiment

import (
	"context"
	"slices"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// Policy describes a policy that a cell can name.
type Policy struct {
	Name      string
	Rule      string // one sentence
	Estimates bool   // each job must have an estimate of its run time
}

// runner runs the policies of one scheduler.
type runner struct {
	policies func() []Policy
	run      func(ctx context.Context, w *scheduler.Workload, p *grounds, c *Cell, seed uint64) (*ran, error)
	overlaps bool // clusters may overlap
}

// ran is the result of a scheduler for a workload.
type ran struct {
	records []scheduler.Record // by job
	digest  string             // of all starts
	counts  *parallel.Counts   // nil for central policies
	moves   []reptask.Moves    // by job; nil if no job can move, or the cores ran
}

// runners lists the schedulers. A new one needs a line here; its settings go to [Settings].
func runners() []runner {
	return []runner{
		{centralPolicies, runCentral, false},
		{decentralisedPolicies, runDecentralised, true},
		{actualPolicies, runActual, false},
	}
}

// Policies lists all policies, in the order of help.
func Policies() []Policy {
	var all []Policy
	for _, r := range runners() {
		all = append(all, r.policies()...)
	}
	return all
}

// policyOf finds the policy of a cell and its runner.
func policyOf(c *Cell) (Policy, runner, error) {
	name := c.Get("policy")
	for _, r := range runners() {
		all := r.policies()
		if i := slices.IndexFunc(all, func(p Policy) bool { return p.Name == name }); i >= 0 {
			return all[i], r, nil
		}
	}
	var names []string
	for _, p := range Policies() {
		names = append(names, p.Name)
	}
	return Policy{}, runner{}, usage.Errorf("policy %q is not known; %s", name,
		usage.Question(usage.Nearest(name, names), names))
}

func centralPolicies() []Policy {
	var all []Policy
	for _, p := range central.Policies() {
		all = append(all, Policy{p.Name, p.Rule, p.Estimates})
	}
	return all
}

func runCentral(
	ctx context.Context, w *scheduler.Workload, p *grounds, c *Cell, seed uint64,
) (*ran, error) {
	result, err := central.Run(ctx, w, p.Platform, central.Options{
		Policy: c.Get("policy"), Choice: c.Get("choice"), Passes: c.Get("passes"), Seed: seed,
	})
	if err != nil {
		return nil, err
	}
	return &ran{records: result.Records, digest: result.Digest}, nil
}
