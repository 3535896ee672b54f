package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Claim is a statement about the rows of an experiment. The verdict of record judges the published
// relation. A band of our own is judged separately, by the same estimate.
type Claim struct {
	Text      string
	Metric    Metric
	Estimator Estimator
	Published Quote
	Relation  Relation // that the source states for the estimate; zero if it states none
	Band      Relation // of our own; zero if there is no band

	// Regression marks a number of an earlier version of this program, not of a source.
	Regression bool

	of     func(rows []*lab.Row) []*lab.Row // selects its rows; it is left out if there are none; nil for all
	detail func(rows []*lab.Row) string     // further results, such as maxima; nil if there are none
}

// Quote is a statement of a source.
type Quote struct {
	Words   string // verbatim, with " … " for omissions; "" if it has only numbers
	Values  string // numbers in its text, or in a figure: "77.9 and 83.8"
	Place   string // in the source: "caption of figure 4.6"
	Granted string // the words that limit the statement; "" if there are none
}

// Unpublished stands in a claim about which nothing is published.
const Unpublished = "not published"

// String formats the quote for pages.
func (q Quote) String() string {
	var parts []string
	if q.Words != "" {
		parts = append(parts, "“"+q.Words+"”")
	}
	if q.Values != "" {
		parts = append(parts, q.Values)
	}
	if len(parts) == 0 {
		return Unpublished
	}
	text := strings.Join(parts, ": ")
	if q.Place != "" {
		text += " (" + q.Place + ")"
	}
	if q.Granted != "" {
		text += "; it grants: “" + q.Granted + "”"
	}
	return text
}

// says quotes the words of a source at a place.
func says(place, words string) Quote { return Quote{Words: words, Place: place} }

// granting adds the words with which a source limits its statement.
func (q Quote) granting(words string) Quote {
	q.Granted = words
	return q
}

// banded adds a band of our own.
func (c Claim) banded(r Relation) Claim {
	c.Band = r
	return c
}

// states quotes values without a place.
func states(values string) Quote { return Quote{Values: values} }

// FewestSeeds is how many seeds a verdict about chance needs. A figure with fewer is preliminary.
const FewestSeeds = 10

// Judgement is a claim with its verdict.
type Judgement struct {
	Experiment string    `json:"experiment"`
	Claim      string    `json:"claim"`
	Published  string    `json:"published"`
	Relation   string    `json:"relation,omitempty"` // that the source states for the estimate
	Found      string    `json:"found"`
	Estimator  Estimator `json:"estimator,omitempty"`
	Estimates  []Found   `json:"estimates,omitempty"` // on which the verdict rests: one, or one for each step of an order
	Over       lab.Over  `json:"interval_over,omitempty"`
	Seeds      int       `json:"seeds"`
	Verdict    Verdict   `json:"verdict"`
	Band       string    `json:"band,omitempty"` // of our own
	InBand     Verdict   `json:"in_band,omitempty"`
	Missing    bool      `json:"not_run,omitempty"` // there are no rows of it
	Chance     bool      `json:"-"`                 // the verdict rests on 95 % intervals
	Exact      bool      `json:"-"`                 // the source has one number, which an interval can miss on two sides
}

// Found is an estimate in a judgement. An interval without bounds is left out.
type Found struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// OverSeeds names the draws that the interval is over: "workloads, 20 seeds".
func (j *Judgement) OverSeeds() string {
	if j.Over == "" || j.Over == lab.OneRun {
		return string(j.Over)
	}
	return fmt.Sprintf("%s, %s", j.Over, metric.Count(j.Seeds, "seed"))
}

// OurBand is the band of our own with its verdict: "at most 1.35: in it".
func (j *Judgement) OurBand() string {
	switch {
	case j.Band == "":
		return ""
	case j.InBand == Reproduced:
		return j.Band + ": in it"
	case j.InBand == Deviates:
		return j.Band + ": outside"
	}
	return j.Band + ": " + string(j.InBand)
}

// Judge judges all claims from rows alone. Rows of other experiments are left out.
func (e *Experiment) Judge(rows []*lab.Row) []Judgement {
	own := slices.DeleteFunc(slices.Clone(rows), func(r *lab.Row) bool { return r.Experiment != e.Name })
	var all []Judgement
	for i := range e.Claims {
		c := &e.Claims[i]
		about := own
		if c.of != nil {
			if about = c.of(own); len(about) == 0 && len(own) > 0 {
				continue
			}
		}
		all = append(all, c.judge(e, about))
	}
	return all
}

// notRun is the result of a claim that lacks the rows of something that it compares.
const notRun = "not run"

// judge judges a claim from its rows.
func (c *Claim) judge(e *Experiment, rows []*lab.Row) Judgement {
	j := Judgement{Experiment: e.Name, Claim: c.Text, Published: c.Published.String(), Relation: c.Relation.String()}
	if c.Band.Kind != "" {
		j.Band = c.Band.String()
	}
	s := c.Metric.sample(rows)
	if j.Seeds = len(s.seeds); j.Seeds == 0 && len(c.Metric.series) > 0 || len(rows) == 0 {
		j.Found, j.Missing, j.Verdict = notRun, true, c.ofRecord(Undetermined)
		return j
	}
	if len(c.Metric.series) > 0 {
		j.Over = lab.OverOf(s.rows)
		j.Estimator = c.Estimator
	}
	j.Chance = e.Chance && slices.ContainsFunc(s.rows, func(r *lab.Row) bool { return r.Settings.Chance() })
	c.conclude(&j, s)
	if c.detail != nil {
		j.Found = strings.Join(nonempty(j.Found, c.detail(rows)), "; ")
	}
	return j
}

// conclude fills in estimates and verdicts.
func (c *Claim) conclude(j *Judgement, s sample) {
	if len(c.Metric.series) == 0 { // it is shown, not judged
		j.Verdict = None
		return
	}
	estimates := c.Estimator.estimates(c.Metric.Range, s.series)
	for _, x := range estimates {
		j.Estimates = append(j.Estimates, foundOf(x))
	}
	j.Found = c.Metric.text(c.Estimator, s, estimates)
	reason := c.Metric.cannotTell(s)
	equal := j.Over == lab.OneRun && j.Seeds > 1
	few := j.Chance && !equal && j.Seeds < FewestSeeds
	switch {
	case reason != "":
		j.Found += "; " + reason
	case few:
		j.Found += fmt.Sprintf("; fewer than %d seeds: %d", FewestSeeds, j.Seeds)
	}
	if equal {
		j.Seeds = 1
	}
	j.Chance = j.Chance && !equal && c.Estimator != Largest
	if j.Over == lab.OneRun { // one run is no sample
		for i := range estimates {
			estimates[i].Low, estimates[i].High = estimates[i].Value, estimates[i].Value
		}
	}
	j.Exact = c.Relation.Kind == Equal
	verdict := func(r Relation) Verdict {
		switch {
		case reason != "":
			return CannotTell
		case few:
			return Undetermined
		}
		return r.holds(estimates)
	}
	if j.Verdict = None; c.Relation.Kind != "" {
		j.Verdict = c.ofRecord(verdict(c.Relation))
	}
	if c.Band.Kind != "" {
		j.InBand = verdict(c.Band)
	}
}

// ofRecord is the verdict of record. There is none if nothing is published.
func (c *Claim) ofRecord(v Verdict) Verdict {
	switch {
	case c.Relation.Kind == "":
		return None
	case c.Regression && v == Reproduced:
		return Unchanged
	case c.Regression && v == Deviates:
		return Changed
	}
	return v
}

// foundOf is an estimate in a judgement.
func foundOf(e metric.Estimate) Found {
	f := Found{Value: e.Value}
	if e.Bounded() {
		f.Low, f.High = &e.Low, &e.High
	}
	return f
}

func nonempty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return t == "" })
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
