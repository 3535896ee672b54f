package experiment

import (
	"fmt"
	"math"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

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

// of returns the rows of a reference.
func (r reference) of(rows []*lab.Row) []*lab.Row {
	return with(rows, "workload=swf:"+r.log, "policy="+r.policy)
}

// references compares central policies with known means on public logs.
func references() *Experiment {
	e := &Experiment{
		Name:   "central/references",
		Doc:    "central policies on public logs have the mean waits and slowdowns that are known of them",
		Source: "an independent simulator of sixty lines, on logs of the Parallel Workloads Archive",
		cells: func(string) []lab.Cell {
			var all []lab.Cell
			for _, r := range referenceRows {
				all = append(all, r.cell())
			}
			return all
		},
	}
	for _, r := range referenceRows {
		e.Claims = append(e.Claims, Claim{
			Text:      fmt.Sprintf("%s on %s, %d processors", r.policy, r.log, r.processors),
			Published: fmt.Sprintf("mean wait %g s, mean bounded slowdown %g", r.wait, r.bsld),
			judge: func(rows []*lab.Row) (Verdict, string) {
				some := r.of(rows)
				if len(some) == 0 {
					return Undetermined, "not run"
				}
				s := some[0].Summary
				found := fmt.Sprintf("%.6g s, %.4g", s.Wait.Mean, s.BoundedSlowdown.Mean)
				if near(s.Wait.Mean, r.wait, tolerance) && near(s.BoundedSlowdown.Mean, r.bsld, tolerance) {
					return Reproduced, found
				}
				return Deviates, found
			},
		})
	}
	return e
}

// tolerance is the relative difference that a mean may have: the references are rounded.
const tolerance = 0.005

func near(found, wanted, relative float64) bool {
	return math.Abs(found-wanted) <= relative*math.Abs(wanted)
}

// thunder is the intense input T: jobs of LLNL Thunder, folded and compressed as Jackson describes.
const thunder = "filter:parallel,fold:2,window:densest:30000,compress:to=12h,head:1000"

// intense runs policies on the densest jobs of a real log, on the ten clusters of SHARCNET.
func intense() *Experiment {
	e := &Experiment{
		Name:   "central/intense",
		Doc:    "central policies on 1,000 parallel jobs within twelve minutes on ten clusters",
		Source: "trials on LLNL Thunder; Jackson (2015), figure 4.7, has 61.4 for the central policy on SHARCNET's own jobs",
		cells: func(string) []lab.Cell {
			var all []lab.Cell
			for _, policy := range []string{"fcfs-ideal", "first-fit", "fcfs", "easy", "conservative"} {
				all = append(all, inputT.cell(policy))
			}
			return all
		},
	}
	for _, r := range []struct {
		policy string
		mean   float64
	}{{"fcfs-ideal", 69.1}, {"first-fit", 18.4}} {
		e.Claims = append(e.Claims, Claim{
			Text:      r.policy + " on input T",
			Published: fmt.Sprintf("mean slowdown %g, within 1 %%", r.mean),
			judge: func(rows []*lab.Row) (Verdict, string) {
				some := with(rows, "policy="+r.policy)
				if len(some) == 0 {
					return Undetermined, "not run"
				}
				found := some[0].Summary.JacksonSlowdown.Mean
				if near(found, r.mean, 0.01) {
					return Reproduced, fmt.Sprintf("%.4g", found)
				}
				return Deviates, fmt.Sprintf("%.4g", found)
			},
		})
	}
	return e
}
