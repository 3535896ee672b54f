package experiment

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

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

	cells   func(size string) []lab.Cell
	numbers []string                     // of rows that figures show; nil for the mean slowdown of Jackson
	jobs    Drawn                        // the figure about jobs
	heats   func(rows []*lab.Row) []Heat // nil if bars show it
	marks   []mark                       // values that the source has published

	// Half of the processor time of one seed, by size: ci, desk, paper. It was measured for each
	// experiment apart, reading of logs included. 0 stands for a size that was not measured.
	seconds [3]float64
}

// All lists the experiments.
func All() []*Experiment {
	return []*Experiment{
		references(), intense(), order(), queues(),
		badClusters(), recordedWaits(), drawnWaits(), littleToDo(), blocked(), shapesOfJobs(), balancing(),
		besideCentral(), overProvisioning(), clusterings(), waste(), large(),
		churn(), faults(), sweep(), reach(), news(), readings(), latency(), hetero(), backfill(), hops(), scale(),
		exactTrees(), roundsInDepartment(), methodsInDepartment(), roundsOnGrid(), methodsOnGrid(),
		changedLatencies(), wrongAnswers(), smallGrid(), foundClusters(), otherSizes(), criteria(),
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

// Has reports whether one of the rows is of the experiment.
func (e *Experiment) Has(rows []*lab.Row) bool {
	return slices.ContainsFunc(rows, func(r *lab.Row) bool { return r.Experiment == e.Name })
}

// SizeOf returns the size with the most cells of those whose cells all have rows; of equal ones the
// smallest. If there is none, it is the smallest size, and whole is false.
func (e *Experiment) SizeOf(rows []*lab.Row) (size string, whole bool) {
	there := map[string]bool{}
	for _, r := range rows {
		if r.Experiment == e.Name {
			there[r.Settings.String()] = true
		}
	}
	size, most := Sizes[0], 0
	for _, s := range Sizes {
		cells := e.cells(s)
		all := true
		for _, c := range cells {
			all = all && there[c.String()]
		}
		if all && len(cells) > most {
			size, most = s, len(cells)
		}
	}
	return size, most > 0
}

// Drawn is a figure of an experiment that is about jobs, which rows do not hold: its cells are run
// again.
type Drawn int

// The figures about jobs.
const (
	NoJobs  Drawn = iota
	Slowest       // the distribution of the slowdown of Jackson, the upper half, up to SlowestTo
	Shapes        // how many jobs there are of each size and run time
)

// SlowestTo is where the x axes of the dissertation's distributions end.
const SlowestTo = 5_000

// Jobs returns the figure about jobs of the experiment.
func (e *Experiment) Jobs() Drawn { return e.jobs }

// Numbers lists the numbers of rows that figures of the experiment show: the mean slowdown of
// Jackson unless the experiment is about others.
func (e *Experiment) Numbers() []string {
	if e.numbers != nil {
		return e.numbers
	}
	return []string{"mean_sjackson"}
}

// Inputs lists the inputs of the cells of a size: the jobs and the clusters, or the latencies.
func (e *Experiment) Inputs(size string) []string {
	var all []string
	for _, c := range e.cells(size) {
		text := inputOf(c)
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// inputOf describes the input of a cell.
func inputOf(c lab.Cell) string {
	if _, latencies, found := strings.Cut(c.Get("predict"), " of "); found {
		return "latencies of " + latencies
	}
	text := c.Get("workload")
	if s := c.Get("select"); s != "" {
		text += " " + s
	}
	if p := c.Get("platform"); p != "" {
		text += " on " + p
	}
	if c.Get("pool") == "yes" {
		text += " as one cluster"
	}
	return text
}

// Statement is the text of a claim, with the value of its source.
type Statement struct {
	Claim     string `json:"claim"`
	Published string `json:"published"`
}

var ofInput = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \(input [^)]*\)$`) })

// Statements lists the claims. A claim about several inputs is listed once.
func (e *Experiment) Statements() []Statement {
	var all []Statement
	for _, c := range e.Claims {
		s := Statement{ofInput().ReplaceAllString(c.Text, ""), c.Published.String()}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// Time is about how long one seed of a size takes on two cores: "40 s". It is "" if that was not
// measured.
func (e *Experiment) Time(size string) string {
	seconds := e.seconds[slices.Index(Sizes, size)]
	switch {
	case seconds == 0:
		return ""
	case seconds < 1:
		return "below 1 s"
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	}
	return fmt.Sprintf("%.0f min", seconds/60)
}
