package experiment

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// Experiment is a set of cells with claims about their results.
type Experiment struct {
	Name   string
	Doc    string // one sentence
	Source string // where the claims are from
	Chance bool   // results depend on the seed
	Claims []Claim

	cells func(size string) []lab.Cell
	heats func(rows []*lab.Row) []Heat // nil if bars show it
}

// Claim is a statement about the rows of an experiment.
type Claim struct {
	Text      string
	Published string // the value or order that the source states
	judge     func(rows []*lab.Row) (Verdict, string)

	// If it is not nil, the claim is about these of the rows; it is left out if there are none.
	of func(rows []*lab.Row) []*lab.Row
}

// Verdict says whether a claim came out.
type Verdict string

// The verdicts. A claim of chance on fewer than ten seeds is always undetermined.
const (
	Reproduced   Verdict = "reproduced"
	Deviates     Verdict = "deviates"
	Undetermined Verdict = "undetermined"
	None         Verdict = "none" // nothing is published to compare with
)

// Unpublished stands in a claim about which nothing is published.
const Unpublished = "not published"

// FewestSeeds is how many seeds a verdict about chance needs. A figure with fewer is preliminary.
const FewestSeeds = 10

// Judgement is a claim with its verdict.
type Judgement struct {
	Experiment string  `json:"experiment"`
	Claim      string  `json:"claim"`
	Published  string  `json:"published"`
	Found      string  `json:"found"`
	Verdict    Verdict `json:"verdict"`
}

// All lists the experiments.
func All() []*Experiment {
	return []*Experiment{
		references(), intense(), order(), queues(),
		figure43(), figure43serial(), figure44(), figure45(), figure46(), figure47(), figure48(), table41(), waste(), large(),
		churn(), faults(), sweep(), reach(), news(), readings(), latency(), hetero(), backfill(), scale(),
		table51(), table52(), table53(), table54(), table55(), table56(),
		table57(), clusters128(), criteria51(),
	}
}

// Groups are the patterns of all experiments that begin alike: "jackson/*".
func Groups() []string {
	var all []string
	for _, e := range All() {
		if group := path.Dir(e.Name) + "/*"; !slices.Contains(all, group) {
			all = append(all, group)
		}
	}
	return all
}

// Choose returns the experiments that match one of the patterns, in the order of [All].
func Choose(patterns []string) ([]*Experiment, error) {
	names := Groups()
	for _, e := range All() {
		names = append(names, e.Name)
	}
	var chosen []*Experiment
	for _, p := range patterns {
		found := false
		for _, e := range All() {
			fits, err := path.Match(p, e.Name)
			if err != nil {
				return nil, usage.Errorf("pattern %q: %v", p, err)
			}
			found = found || fits
			if fits && !slices.ContainsFunc(chosen, func(c *Experiment) bool { return c.Name == e.Name }) {
				chosen = append(chosen, e)
			}
		}
		if !found {
			return nil, usage.Errorf("no experiment is called %q; %s", p, lab.Meant(p, names))
		}
	}
	return chosen, nil
}

// Sizes are how large an experiment can be run.
var Sizes = []string{"ci", "desk", "paper"}

// Runs lists the runs of the experiment in a size. An experiment without chance runs once.
func (e *Experiment) Runs(size string, seeds []uint64) ([]lab.Run, error) {
	if !slices.Contains(Sizes, size) {
		return nil, usage.Errorf("size %q: use one of %s", size, strings.Join(Sizes, ", "))
	}
	if !e.Chance {
		seeds = seeds[:1]
	}
	var runs []lab.Run
	for _, c := range e.cells(size) {
		for _, seed := range seeds {
			runs = append(runs, lab.Run{Experiment: e.Name, Cell: c, Seed: seed})
		}
	}
	return runs, nil
}

// Judge judges all claims from rows alone. Rows of other experiments are left out.
func (e *Experiment) Judge(rows []*lab.Row) []Judgement {
	var own []*lab.Row
	seeds := map[uint64]bool{}
	for _, r := range rows {
		if r.Experiment == e.Name {
			own = append(own, r)
			seeds[r.Seed] = true
		}
	}
	var all []Judgement
	for _, c := range e.Claims {
		about := own
		if c.of != nil {
			if about = c.of(own); len(about) == 0 && len(own) > 0 {
				continue
			}
		}
		verdict, found := c.judge(about)
		if e.Chance && len(seeds) < FewestSeeds && verdict != Undetermined {
			verdict = Undetermined
			found += fmt.Sprintf("; fewer than %d seeds: %d", FewestSeeds, len(seeds))
		}
		if c.Published == Unpublished {
			verdict = None
		}
		all = append(all, Judgement{e.Name, c.Text, c.Published, found, verdict})
	}
	return all
}

// with returns the rows whose settings have some values: "policy=easy".
func with(rows []*lab.Row, settings ...string) []*lab.Row {
	var some []*lab.Row
	for _, r := range rows {
		fits := true
		for _, s := range settings {
			name, value, _ := strings.Cut(s, "=")
			fits = fits && r.Settings.Get(name) == value
		}
		if fits {
			some = append(some, r)
		}
	}
	return some
}

// Has reports whether one of the rows is of the experiment.
func (e *Experiment) Has(rows []*lab.Row) bool {
	return slices.ContainsFunc(rows, func(r *lab.Row) bool { return r.Experiment == e.Name })
}
