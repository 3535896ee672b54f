package experiment

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// numbersOf are the numbers of rows that figures of an experiment show, by their names in JSON.
var numbersOf = map[string][]string{
	"central/references": {"mean_wait_seconds", "mean_bsld"},
	"central/order":      {"mean_wait_seconds", "mean_bsld"},
	"theory/queues":      {"mean_wait_seconds"},
	"jackson/t5.1":       {"p99"},
	"jackson/t5.2":       {"p50", "p95", "p99", "max"},
	"jackson/t5.3":       {"p50", "p95", "p99"},
	"jackson/t5.4":       {"p50", "p95", "p99", "max"},
	"jackson/t5.5":       {"p95", "p99", "max"},
	"jackson/t5.6":       {"positive_error", "negative_error"},
	"jackson/criteria":   {"mean_size"},
	"x/sweep":            {}, // heat maps show it
	"jackson/4.5":        {}, // about jobs: see Jobs
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
func (e *Experiment) Jobs() Drawn {
	switch e.Name {
	case "jackson/4.5":
		return Shapes
	case "jackson/4.3", "jackson/4.3s", "jackson/4.4", "jackson/4.6", "jackson/4.7", "jackson/4.8", "jackson/t4.1",
		"jackson/t5.7":
		return Slowest
	}
	return NoJobs
}

// Numbers lists the numbers of rows that figures of the experiment show: the mean slowdown of
// Jackson unless the experiment is about others.
func (e *Experiment) Numbers() []string {
	if numbers := numbersOf[e.Name]; numbers != nil {
		return numbers
	}
	return []string{"mean_sjackson"}
}

// mark is a value that a source has published for a cell.
type mark struct {
	experiment string
	settings   []string // NAME=VALUE, the policy first; others of a decentralised policy are at their defaults
	value      float64  // mean slowdown
}

// marks are the mean slowdowns of the dissertation and of the trials, on the clusters of SHARCNET.
// All jobs that run there stand in for Jackson's own, which are not public.
var marks = []mark{
	{"central/intense", []string{"policy=fcfs-ideal"}, 69.1},
	{"central/intense", []string{"policy=first-fit"}, 18.4},
	{"jackson/4.6", []string{"policy=qb+dlb"}, 77.9},
	{"jackson/4.6", []string{"policy=qb"}, 83.8},
	{"jackson/4.6", []string{"policy=dlb"}, 91.5},
	{"jackson/4.7", []string{"policy=qb+dlb"}, 77.9},
	{"jackson/4.7", []string{"policy=qb+dlb", "clustering=disjoint:128"}, 33.3},
	{"jackson/4.7", []string{"policy=fcfs-ideal"}, 61.4},
	{"jackson/t4.1", []string{"policy=qb+dlb"}, 77.9},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=disjoint:64"}, 68.2},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=disjoint:128"}, 33.3},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=disjoint:256"}, 51.3},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=disjoint:512"}, 39.1},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=overlap:64"}, 55.2},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=overlap:128"}, 31.9},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=overlap:256"}, 40.4},
	{"jackson/t4.1", []string{"policy=qb+dlb", "clustering=overlap:512"}, 38.7},
}

// Published returns the value that a source has for a number of a row, if there is one.
func Published(r *lab.Row, number string) (float64, bool) {
	switch r.Experiment {
	case "central/references":
		return publishedReference(r, number)
	case "theory/queues":
		return publishedWait(r, number)
	}
	if v, published := publishedError(r, number); published {
		return v, true
	}
	if number != "mean_sjackson" || r.Settings.Get("platform") != "sharcnet" {
		return 0, false
	}
	for _, m := range slices.Concat(marks, marks57) {
		if m.experiment == r.Experiment && m.fits(r) {
			return m.value, true
		}
	}
	return 0, false
}

// fits reports whether a row has the settings of a mark and otherwise defaults.
func (m mark) fits(r *lab.Row) bool {
	s := side{strings.TrimPrefix(m.settings[0], "policy="), m.settings[1:]}
	return len(s.rows([]*lab.Row{r})) == 1
}

func publishedReference(r *lab.Row, number string) (float64, bool) {
	for _, p := range referenceRows {
		if len(p.of([]*lab.Row{r})) == 0 {
			continue
		}
		switch number {
		case "mean_wait_seconds":
			return p.wait, true
		case "mean_bsld":
			return p.bsld, true
		}
	}
	return 0, false
}

func publishedWait(r *lab.Row, number string) (float64, bool) {
	for _, q := range knownQueues {
		for _, load := range loads {
			for _, size := range Sizes {
				if number == "mean_wait_seconds" && q.workload(load, queueJobs[size]) == r.Settings.Get("workload") {
					return q.wait(float64(load) / 100), true
				}
			}
		}
	}
	return 0, false
}
