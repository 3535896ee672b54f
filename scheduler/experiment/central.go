package experiment

import (
	"fmt"
	"math"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// orderPolicies are the policies of the experiment central/order.
var orderPolicies = []string{"fcfs", "conservative", "easy", "easy-sjbf", "sjf-exact", "first-fit"}

// order compares central policies on generated jobs.
func order() *Experiment {
	jobs := map[string]int{"ci": 1_000, "desk": 5_000, "paper": 10_000}
	return &Experiment{
		Name: "central/order", Chance: true,
		seconds: [3]float64{0.01, 0.06, 0.12},
		numbers: []string{"mean_wait_seconds", "mean_bsld"},
		Doc:     "backfilling shortens waits, and shortest-first backfilling shortens slowdowns, on jobs of Lublin's model",
		Source:  "Feitelson and Weil (1998); Tsafrir, Etsion and Feitelson (2007)",
		cells: func(size string) []lab.Cell {
			var all []lab.Cell
			for _, policy := range orderPolicies {
				all = append(all, lab.MustCell(fmt.Sprintf("workload=lublin:N=%d,nodes=128", jobs[size]), "select=load:to=0.8",
					"policy="+policy, "estimate=exact"))
			}
			return all
		},
		Claims: []Claim{
			shorter("easy", "fcfs", "mean wait", metric.AtLeast0, meanWait),
			shorter("conservative", "fcfs", "mean wait", metric.AtLeast0, meanWait),
			shorter("easy-sjbf", "easy", "mean bounded slowdown", metric.AtLeast1,
				func(r *lab.Row) float64 { return r.Summary.BoundedSlowdown.Mean }),
		},
	}
}

func meanWait(r *lab.Row) float64 { return r.Summary.Wait.Mean }

// shorter claims that a policy has the smaller value.
func shorter(a, b, what string, possible metric.Range, value func(*lab.Row) float64) Claim {
	return Claim{
		Text: fmt.Sprintf("%s has a smaller %s than %s", a, what, b),
		Metric: Metric{
			Name: what, Range: possible, series: []series{side{a, nil}.number(value), side{b, nil}.number(value)},
		},
		Estimator: Ratio, Published: states("smaller"), Relation: ordered(Less, Ratio),
	}
}

// reference is a published or measured mean of a policy on a log, with all jobs and one pool.
type reference struct {
	log        string
	processors int
	policy     string
	estimate   string // "" is requested
	wait, bsld float64
}

// referenceRows are means of an independent small simulator on logs of the Parallel Workloads
// Archive. They agree with pyss where both were run.
var referenceRows = []reference{
	{"KTH-SP2-1996-2.1-cln.swf.gz", 100, "fcfs", "", 353_950, 6_818},
	{"KTH-SP2-1996-2.1-cln.swf.gz", 100, "easy", "", 6_837.5, 92.73},
	{"KTH-SP2-1996-2.1-cln.swf.gz", 100, "easy-sjbf", "", 5_906.1, 69.42},
	{"KTH-SP2-1996-2.1-cln.swf.gz", 100, "sjf", "", 13_339, 135.4},
	{"KTH-SP2-1996-2.1-cln.swf.gz", 100, "first-fit", "", 5_721.7, 71.49},
	{"CTC-SP2-1996-3.1-cln.swf.gz", 338, "fcfs", "", 655_549, 3_652},
	{"CTC-SP2-1996-3.1-cln.swf.gz", 338, "easy", "", 13_942, 48.83},
	{"CTC-SP2-1996-3.1-cln.swf.gz", 338, "easy-sjbf", "", 11_817, 30.10},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", 128, "easy", "", 20_576, 88.54},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", 128, "easy-sjbf", "", 20_405, 82.95},
	{"SDSC-SP2-1998-4.2-cln.swf.gz", 128, "sjf", "", 177_023, 400.3},
	{"DAS2-fs1-2003-1.swf.gz", 64, "fcfs", "", 194.0, 4.11},
	{"DAS2-fs1-2003-1.swf.gz", 64, "easy", "", 185.8, 3.95},
	{"METACENTRUM-2009-2.swf.gz", 806, "fcfs", "exact", 1_500, 6.17},
	{"METACENTRUM-2009-2.swf.gz", 806, "easy", "exact", 1_494, 5.85},
	{"METACENTRUM-2009-2.swf.gz", 806, "first-fit", "exact", 1_493, 6.08},
	{"lublin_256.swf.gz", 256, "easy", "exact", 97_156, 590},
	{"lublin_256.swf.gz", 256, "sjf", "exact", 275_304, 53.5},
	{"lublin_256.swf.gz", 256, "first-fit", "exact", 63_773, 764},
}

// cell is the cell of a reference.
func (r reference) cell() lab.Cell {
	return lab.MustCell("workload="+r.log, fmt.Sprintf("platform=pool:%d", r.processors), "policy="+r.policy,
		"estimate="+r.estimate)
}

// settings select the rows of a reference.
func (r reference) settings() []string {
	return []string{"workload=swf:" + r.log, "policy=" + r.policy}
}

// references compares central policies with known means on public logs.
func references() *Experiment {
	e := &Experiment{
		Name:    "central/references",
		seconds: [3]float64{1.3, 1.3, 1.3},
		numbers: []string{"mean_wait_seconds", "mean_bsld"},
		Doc:     "central policies on public logs have the mean waits and slowdowns that are known of them",
		Source:  "an independent simulator of sixty lines, on logs of the Parallel Workloads Archive",
		cells: func(string) []lab.Cell {
			var all []lab.Cell
			for _, r := range referenceRows {
				all = append(all, r.cell())
			}
			return all
		},
	}
	for _, r := range referenceRows {
		e.marks = append(e.marks, mark{
			r.settings(), map[string]float64{"mean_wait_seconds": r.wait, "mean_bsld": r.bsld},
		})
		e.Claims = append(e.Claims, Claim{
			Text: fmt.Sprintf("%s on %s, %d processors", r.policy, r.log, r.processors),
			Metric: Metric{
				Name: "relative difference of the mean wait or slowdown, the larger one", Unit: " % off", Range: metric.AtLeast0,
				series: []series{{value: func(s seeded) (float64, []*lab.Row, bool) {
					some := with(s, r.settings()...)
					if len(some) == 0 {
						return 0, nil, false
					}
					found := &some[0].Summary
					return max(off(found.Wait.Mean, r.wait), off(found.BoundedSlowdown.Mean, r.bsld)), some[:1], true
				}}},
			},
			Estimator: Largest, Relation: atMost(tolerance),
			Published: states(fmt.Sprintf("mean wait %g s, mean bounded slowdown %g", r.wait, r.bsld)),
			detail: func(rows []*lab.Row) string {
				s := &with(rows, r.settings()...)[0].Summary
				return fmt.Sprintf("%.6g s, %.4g", s.Wait.Mean, s.BoundedSlowdown.Mean)
			},
		})
	}
	return e
}

// tolerance is how many percent a mean may be off: the references are rounded.
const tolerance = 0.5

// off is how many percent a number is off the wanted one.
func off(found, wanted float64) float64 { return 100 * math.Abs(found/wanted-1) }

// firstT are 1,000 jobs that no seed changes: the first of those from which input T is drawn,
// compressed with the others to twelve hours.
var firstT = input{"T, its first jobs", thunder, thunderDensest + ",compress:to=12h,head:1000", "sharcnet"}

// intense runs policies on the densest jobs of a real log, on the ten clusters of SHARCNET.
func intense() *Experiment {
	e := &Experiment{
		Name:    "central/intense",
		seconds: [3]float64{0.08, 0.09, 0.08},
		Doc:     "central policies on 1,000 parallel jobs within twelve minutes on ten clusters",
		Source:  "trials on LLNL Thunder; Jackson (2015), figure 4.7, has 61.4 for the central policy on SHARCNET's own jobs",
		cells: func(string) []lab.Cell {
			var all []lab.Cell
			for _, policy := range []string{"fcfs-ideal", "first-fit", "fcfs", "easy", "conservative"} {
				all = append(all, firstT.cell(policy))
			}
			return all
		},
	}
	for _, r := range []struct {
		policy string
		mean   float64
	}{{"fcfs-ideal", 69.1}, {"first-fit", 18.4}} {
		e.marks = append(e.marks, markOf(side{r.policy, nil}, r.mean))
		e.Claims = append(e.Claims, Claim{
			Text: r.policy + " on the first jobs of input T",
			Metric: Metric{
				Name: "mean slowdown", Range: metric.AtLeast1, series: []series{side{r.policy, nil}.number(slowdown)},
			},
			Estimator: Mean, Relation: within(float64(0.99*r.mean), float64(1.01*r.mean)), Regression: true,
			Published: states(fmt.Sprintf("mean slowdown %g, within 1 %%", r.mean)),
		})
	}
	return e
}
