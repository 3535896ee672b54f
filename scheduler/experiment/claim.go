package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Claim is a statement about the rows of an experiment.
type Claim struct {
	Text      string
	Published string // the value or order that the source states
	relation  relation

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
		verdict, found := c.relation.judge(about)
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

// notRun is the result without two runs of each side.
const notRun = "fewer than two runs of both sides; use --seeds, and no settings of your own"

// spanned is a mean with its 95 % interval, which a single run does not have.
func spanned(mean, low, high float64, unit string) string {
	if math.IsInf(low, -1) && math.IsInf(high, 1) {
		return metric.Text(mean, 4) + unit + " in one run"
	}
	return fmt.Sprintf("%s%s, 95 %% interval %s to %s", metric.Text(mean, 4), unit, metric.Text(low, 4),
		metric.Text(high, 4))
}
