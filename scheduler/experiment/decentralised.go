package experiment

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// decentralisedSettings are the settings of the decentralised policies.
func decentralisedSettings() []Setting {
	return slices.Concat([]Setting{
		{"over-provisioning", "total", "dependent tasks of a job that is scheduled by static, dlb, qb or qb+dlb: total, " +
			"none, or a factor such as 1.5",
			func(c *Cell) *string { return &c.Over }},
		{"moves", "once", "a job moves once, or each algorithm may move it once: once or each",
			func(c *Cell) *string { return &c.Moves }},
		{"minimum", "pareto", "the smaller of two clusters: pareto, or strict as published",
			func(c *Cell) *string { return &c.Minimum }},
		{"position", "average", "the queue position that QB compares: average as published, or kth",
			func(c *Cell) *string { return &c.Position }},
		{"reach", parallel.ReachBoth, "the neighbours to which jobs move: direct, both (and theirs), 3 or 4 steps, or global",
			func(c *Cell) *string { return &c.Reach }},
		{"demands", noDemands, "the speed of machines that a job requires, where clusters differ in it: none, or drawn, " +
			"that of a drawn node",
			func(c *Cell) *string { return &c.Demands }},
		{"latency", "1ms", "time of a message between two nodes", func(c *Cell) *string { return &c.Latency }},
		{"between", sameLatency, "time of a message between two clusters, at least the latency: same, a time, or half of " +
			"the round trip between drawn sites, plane (made up), median, mean or lowest (measured), as in median*10",
			func(c *Cell) *string { return &c.Between }},
		{"balance", "1s", "the period in which a node tries to move a job", func(c *Cell) *string { return &c.Balance }},
		{"news", "1s", "the period in which nodes report their queues; 0s if they are always known",
			func(c *Cell) *string { return &c.News }},
	}, coresSettings())
}

// unused refuses a setting of the decentralised policies in a cell of another one.
func unused(c *Cell) error {
	for _, s := range decentralisedSettings() {
		if c.Get(s.Name) != s.Default {
			return usage.Errorf("%s has no effect on policy %s; leave it out, or use static, dlb, qb or qb+dlb",
				s.Name, c.Get("policy"))
		}
	}
	return nil
}

func decentralisedPolicies() []Policy {
	var all []Policy
	for _, p := range parallel.Policies() {
		all = append(all, Policy{Name: p.Name, Rule: p.Doc})
	}
	return all
}

func runDecentralised(
	ctx context.Context, w *scheduler.Workload, p *grounds, c *Cell, seed uint64,
) (*ran, error) {
	g, o, err := p.ready(c, seed)
	if err != nil {
		return nil, err
	}
	result, err := parallel.Run(ctx, w, g, o)
	if err != nil {
		return nil, err
	}
	return &ran{result.Records, result.Digest, &result.Counts, result.Moves}, nil
}

// ready makes the grid and the options of a decentralised run.
func (p *grounds) ready(c *Cell, seed uint64) (*parallel.Grid, parallel.Options, error) {
	o, err := decentralisedOptions(c, seed)
	if err != nil {
		return nil, o, err
	}
	o.Between = p.between
	g, err := parallel.NewGrid(p.Platform, p.lists, seed)
	return g, o, err
}

func decentralisedOptions(c *Cell, seed uint64) (parallel.Options, error) {
	o := parallel.Defaults()
	var err error
	if o.Policy, err = parallel.Find(c.Get("policy")); err != nil {
		return o, err
	}
	if o.Over, err = parseOver(c.Get("over-provisioning")); err != nil {
		return o, err
	}
	o.Moves, o.Minimum, o.Position, o.Reach = c.Get("moves"), c.Get("minimum"), c.Get("position"), c.Get("reach")
	o.Seed = seed
	if o.Demands, err = demands(c); err != nil {
		return o, err
	}
	for name, at := range map[string]*int64{
		"latency": &o.LatencyMicros, "balance": &o.BalanceMicros, "news": &o.NewsMicros,
	} {
		if *at, err = micros(name, c.Get(name)); err != nil {
			return o, err
		}
	}
	return o, o.Validate()
}

// parseOver reads a degree of over-provisioning: total, none, or a factor with up to three
// decimals.
func parseOver(text string) (reptask.Over, error) {
	switch text {
	case "total":
		return reptask.OverTotal, nil
	case "none":
		return reptask.OverNone, nil
	}
	whole, rest, _ := strings.Cut(text, ".")
	value, err := strconv.ParseUint(whole+(rest + "000")[:3], 10, 32)
	if err != nil || len(rest) > 3 || len(whole) > 6 || value < uint64(reptask.OverNone) {
		return 0, fmt.Errorf("over-provisioning is %q: use total, none, or a factor from 1 to 999999 "+
			"with at most three decimals", text)
	}
	return reptask.Over(value), nil
}
