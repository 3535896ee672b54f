package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// over is the usual policy with a degree of over-provisioning.
func over(value string) side { return both.and("over-provisioning=" + value) }

// Quotes from the dissertation about over-provisioning.
var (
	upToAPoint = says("section 4.3.3", "More over-provisioning makes a big difference in the results up to a point, with "+
		"8-fold over-provisioning performing slightly better than total over-provisioning.")
	outweighs = says("section 4.3.3",
		"However, the result is that the advantage of over-provisioning outweighs this distortion.")
	extends48 = says("caption of figure 4.8", "The level of over-provisioning used in running jobs is critical to "+
		"scheduler performance. No provisioning and 1.5x extend past 55,000 and 28,000.")
	required    = says("section 4.2", "Minimizing job wait time requires some over-provisioning.")
	inOrder     = says("section 4.3.5", "It also helps jobs start roughly in the order they were submitted.")
	sittingIdle = says("section 4.3.5", "It limits the inefficiency of a job sitting idle on many nodes, waiting for the "+
		"last task to start.")
	asMuch = says("section 7.1.1", "Analysis of the experimental logs reveals that as much as 5% of the time that nodes "+
		"could be using to do work is wasted while waiting for parallel jobs to start.")
)

// overProvisioning sweeps over-provisioning.
func overProvisioning() *Experiment {
	return &Experiment{
		Name: "jackson/4.8", Chance: true,
		seconds: [3]float64{0.33, 3.8, 13},
		jobs:    Slowest,
		Doc:     "how many dependent tasks a job should have",
		Source:  "Jackson (2015), figure 4.8: 8-fold slightly better than total, 1.5-fold worse, none worst",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				for _, value := range []string{"none", "1.5", "2", "3", "4", "6", "8", "12", "16", "total"} {
					all = append(all, in.cell("qb+dlb", "over-provisioning="+value))
				}
			}
			return all
		},
		Claims: claims(func(input) (all []Claim) {
			none, little, eight, total := over("none"), over("1.5"), over("8"), over("total")
			all = append(all,
				meanSlowdown.less(little, none, upToAPoint), meanSlowdown.less(eight, little, upToAPoint),
				meanSlowdown.less(eight, total, upToAPoint).banded(times(0, 1.1)),
				meanSlowdown.less(total, little, outweighs), meanSlowdown.less(total, none, outweighs).banded(times(0, 0.5)),
				largestSlowdown.in(none, atLeast(55_000), extends48).banded(atLeast(5_000)),
				largestSlowdown.in(little, atLeast(28_000), extends48).banded(atLeast(5_000)),
				largestSlowdown.in(eight, atMost(5_000), axis), largestSlowdown.in(total, atMost(5_000), axis),
			)
			for _, s := range []side{little, eight, total} {
				all = append(all, waiting.less(s, none, required), overtaken.less(s, none, inOrder),
					held.less(s, none, sittingIdle))
			}
			return all
		}),
	}
}

// waste prints how long nodes wait for the decision of a job.
func waste() *Experiment {
	return &Experiment{
		Name: "jackson/5pct", Chance: true,
		seconds: [3]float64{0.17, 1.7, 5.2},
		Doc:     "node time in which a node waits for the decision of a job that has its vote",
		Source:  "Jackson (2015), section 7.1.1: as much as 5 %",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				for _, value := range []string{"none", "1.5", "8", "total"} {
					all = append(all, in.cell("qb+dlb", "over-provisioning="+value))
				}
			}
			return all
		},
		Claims: claims(func(input) (all []Claim) {
			for _, value := range []string{"none", "1.5", "8", "total"} {
				all = append(all, heldWaste(over(value)))
			}
			return all
		}),
	}
}

// heldSeconds is the time of nodes that wait for the decision of a job. nodeSeconds is the time of
// all nodes.
func heldSeconds(r *lab.Row) float64 { return float64(r.Decentralised.HeldNodeMicros) / 1e6 }

func nodeSeconds(r *lab.Row) float64 { return float64(r.Summary.Makespan * float64(r.PlatformNodes)) }

func heldShare(r *lab.Row) float64 { return heldSeconds(r) / nodeSeconds(r) }

// heldWaste claims how much node time is held for jobs that are not decided.
func heldWaste(a side) Claim {
	c := held.in(a, atMost(0.05), asMuch)
	c.detail = func(rows []*lab.Row) string {
		var ofBusy []float64
		for _, r := range a.rows(rows) {
			busy := float64(nodeSeconds(r) * r.Summary.Utilisation)
			ofBusy = append(ofBusy, heldSeconds(r)/(heldSeconds(r)+busy))
		}
		return fmt.Sprintf("%s of the node time in which a node is held or runs",
			metric.Text(metric.Share.Mean(ofBusy).Value, 2))
	}
	return c
}
