package experiment

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// Small grids, whose jobs all fit into a cluster and end soon enough that cores can run them. Jobs
// of many nodes that run for hours would hardly ever end where each node fails once an hour.
var (
	inputC = input{"C", "sharcnet-like:N=60", "filter:size<=10,runs:by=0.05", "uniform:4x10"}
	inputD = input{"D", "sharcnet-like:N=150", "filter:size<=10,runs:by=0.1", "uniform:8x10"}
)

// trouble is an experiment on cores in which something goes wrong. It compares sides with the
// first, in which nothing does.
func trouble(name string, seconds [3]float64, doc string, sides ...side) *Experiment {
	e := &Experiment{
		Name: name, Chance: true, Doc: doc, seconds: seconds,
		Source: "Jackson (2015), section 4.2, and Kim (2009), section 2.1: owner and representative replace each other",
		cells: func(size string) (all []lab.Cell) {
			in := inputD
			if size == "ci" {
				in = inputC
			}
			for _, s := range sides {
				all = append(all, in.cell(s.policy, s.settings...))
			}
			return all
		},
		Claims: []Claim{
			nothingLeft(),
			lostWhere("no job is lost, unless its owner and its representative fail together",
				func(c *parallel.CoreCounts) uint64 {
					return c.LostBetween + c.LostAdopted + c.LostUnderWay + c.LostOther
				}),
			ours(lostWhere("no job is lost but in ways that the protocols declare",
				func(c *parallel.CoreCounts) uint64 { return c.LostOther })),
		},
	}
	for _, s := range sides[1:] {
		e.Claims = append(e.Claims, beside(s, sides[0]))
	}
	return e
}

// otherDetects quotes Kim on failures. He does not write about lost messages.
var otherDetects = says("Kim (2009), section 2.1", "If either the owner or run nodes fails, the other node will "+
	"detect the failure and initiate a recovery mechanism to make progress in the job execution. If both the owner and "+
	"run node fail before the recovery protocol completes, the client must resubmit the job.")

// onCores is the usual policy on cores.
var onCores = both.and("fidelity=cores", "apart=yes")

// churn lets nodes leave, fail and come back while jobs run.
func churn() *Experiment {
	return trouble("x/churn", [3]float64{1.2, 12, 11},
		"nodes leave, fail and come back while jobs run",
		onCores, onCores.and("churn=leave=2h,fail=2h,away=3m"), onCores.and("churn=leave=30m,fail=30m,away=3m"))
}

// faults loses messages.
func faults() *Experiment {
	return trouble("x/fault", [3]float64{0.6, 2.1, 2},
		"one message in a hundred is lost",
		onCores, onCores.and("loss=1%"))
}

// nothingLeft claims that every job ends.
func nothingLeft() Claim {
	left := func(s seeded) (float64, []*lab.Row, bool) {
		jobs := 0
		for _, r := range s {
			jobs += r.Summary.Submitted - r.Summary.Done
		}
		return float64(jobs), s, true
	}
	return Claim{
		Text: "every job ends",
		Metric: Metric{
			Name: "jobs that did not end", Unit: " jobs left", Range: metric.AtLeast0, series: []series{{value: left}},
		},
		Estimator: Largest, Published: otherDetects, Relation: atMost(0),
		detail: func(rows []*lab.Row) string {
			done, submitted := 0, 0
			for _, r := range rows {
				done, submitted = done+r.Summary.Done, submitted+r.Summary.Submitted
			}
			return fmt.Sprintf("%d of %s", done, metric.Count(submitted, "job"))
		},
	}
}

// lostWhere claims that no job is lost in some ways.
func lostWhere(text string, lost func(*parallel.CoreCounts) uint64) Claim {
	jobs := func(s seeded) (sum float64, rows []*lab.Row, there bool) {
		for _, r := range s {
			if r.Cores != nil {
				sum += float64(lost(r.Cores))
				rows = append(rows, r)
			}
		}
		return sum, rows, len(rows) > 0
	}
	return Claim{
		Text:      text,
		Metric:    Metric{Name: "jobs lost so", Unit: " jobs", Range: metric.AtLeast0, series: []series{{value: jobs}}},
		Estimator: Largest, Published: otherDetects, Relation: atMost(0),
		detail: func(rows []*lab.Row) string {
			sum, submitted := parallel.CoreCounts{}, 0
			for _, r := range rows {
				if c := r.Cores; c != nil {
					add(&sum, c)
					submitted += r.Summary.Submitted
				}
			}
			if submitted == 0 {
				return ""
			}
			return losses(&sum, submitted)
		},
	}
}

// add adds the counts of another run to those of one, messages left out.
func add(c, other *parallel.CoreCounts) {
	c.Dropped, c.Failed, c.Left = c.Dropped+other.Dropped, c.Failed+other.Failed, c.Left+other.Left
	c.LostTogether, c.LostBetween = c.LostTogether+other.LostTogether, c.LostBetween+other.LostBetween
	c.LostAdopted, c.LostUnderWay = c.LostAdopted+other.LostAdopted, c.LostUnderWay+other.LostUnderWay
	c.LostOther, c.Twice, c.LateMicros = c.LostOther+other.LostOther, c.Twice+other.Twice, c.LateMicros+other.LateMicros
}

// losses says how many of the jobs were lost, and why.
func losses(c *parallel.CoreCounts, jobs int) string {
	var lost []string
	for _, x := range []struct {
		jobs uint64
		why  string
	}{
		{c.LostTogether, "owner and representative failed together"},
		{c.LostBetween, "the owner failed between two attempts"},
		{c.LostAdopted, "refused by all candidates of an owner that had adopted it"},
		{c.LostUnderWay, "lost with a node on its way"},
		{c.LostOther, "otherwise"},
	} {
		if x.jobs > 0 {
			lost = append(lost, fmt.Sprintf("%d (%s)", x.jobs, x.why))
		}
	}
	if lost == nil {
		lost = []string{"none"}
	}
	return fmt.Sprintf("%s, %s, %d nodes failed and %d left; lost and submitted again: %s; run twice: %d; the last task "+
		"of a job begins %.2g s late in the mean",
		metric.Count(jobs, "job"), metric.Count(int(c.Dropped), "lost message"), c.Failed, c.Left,
		strings.Join(lost, ", "), c.Twice, float64(c.LateMicros)/1e6/float64(jobs))
}
