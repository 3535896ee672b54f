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
func trouble(name string, seconds [3]float64, doc, published string, sides ...side) *Experiment {
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
			lostWhere("no job is lost, unless its owner and its representative fail together", published,
				func(c *parallel.CoreCounts) uint64 {
					return c.LostBetween + c.LostAdopted + c.LostUnderWay + c.LostOther
				}),
			lostWhere("no job is lost but in ways that the protocols declare", published,
				func(c *parallel.CoreCounts) uint64 { return c.LostOther }),
		},
	}
	for _, s := range sides[1:] {
		e.Claims = append(e.Claims, beside(s, sides[0]))
	}
	return e
}

// onCores is the usual policy on cores.
var onCores = both.and("fidelity=cores", "apart=yes")

// churn lets nodes leave, fail and come back while jobs run.
func churn() *Experiment {
	return trouble("x/churn", [3]float64{1.2, 12, 11},
		"nodes leave, fail and come back while jobs run", "a job survives the failure of either",
		onCores, onCores.and("churn=leave=2h,fail=2h,away=3m"), onCores.and("churn=leave=30m,fail=30m,away=3m"))
}

// faults loses messages.
func faults() *Experiment {
	return trouble("x/fault", [3]float64{0.6, 2.1, 2},
		"one message in a hundred is lost", "messages are repeated until they are answered",
		onCores, onCores.and("loss=1%"))
}

// nothingLeft claims that every job ends.
func nothingLeft() Claim {
	return Claim{
		Text: "every job ends", Published: "jobs are run again until they end",
		relation: unique(func(rows []*lab.Row) (Verdict, string) {
			done, submitted := 0, 0
			for _, r := range rows {
				done, submitted = done+r.Summary.Done, submitted+r.Summary.Submitted
			}
			found := fmt.Sprintf("%d of %s", done, metric.Count(submitted, "job"))
			switch {
			case submitted == 0:
				return Undetermined, "not run"
			case done < submitted:
				return Deviates, found
			}
			return Reproduced, found
		}),
	}
}

// lostWhere claims that no job is lost in some ways.
func lostWhere(text, published string, lost func(*parallel.CoreCounts) uint64) Claim {
	return Claim{
		Text: text, Published: published,
		relation: unique(func(rows []*lab.Row) (Verdict, string) {
			sum, against := parallel.CoreCounts{}, uint64(0)
			jobs := 0
			for _, r := range rows {
				if c := r.Cores; c != nil {
					add(&sum, c)
					jobs += r.Summary.Submitted
					against += lost(c)
				}
			}
			switch {
			case jobs == 0:
				return Undetermined, "not run"
			case against > 0:
				return Deviates, losses(&sum, jobs)
			}
			return Reproduced, losses(&sum, jobs)
		}),
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
