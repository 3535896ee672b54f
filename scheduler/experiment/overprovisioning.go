package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// overProvisioning sweeps over-provisioning.
func overProvisioning() *Experiment {
	over := func(value string) side { return side{"qb+dlb", []string{"over-provisioning=" + value}} }
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
		Claims: claims(func(input) []Claim {
			return []Claim{
				atMostTimes(over("1.5"), over("none"), 1, "none is worst"),
				atMostTimes(over("total"), over("1.5"), 1, "1.5-fold is worse than total"),
				atMostTimes(over("8"), over("total"), 1.1, "8-fold is slightly better than total"),
				atMostTimes(over("total"), over("none"), 0.5, "none passes 55,000 at its maximum"),
			}
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
				all = append(all, heldWaste(side{"qb+dlb", []string{"over-provisioning=" + value}}))
			}
			return all
		}),
	}
}

// heldWaste claims how much node time goes by in nodes that wait for the decision of a job.
func heldWaste(a side) Claim {
	held := func(r *lab.Row) float64 { return float64(r.Decentralised.HeldNodeMicros) / 1e6 }
	all := func(r *lab.Row) float64 { return float64(r.Summary.Makespan * float64(r.PlatformNodes)) }
	ofAll := a.number(func(r *lab.Row) float64 { return held(r) / all(r) })
	return Claim{
		Text:      "node time that is held for an undecided job, with " + a.String(),
		Metric:    Metric{Name: "share of the node time", Range: metric.Share, series: []series{ofAll}},
		Estimator: Mean, Published: states("as much as 5 %"), Relation: atMost(0.05),
		detail: func(rows []*lab.Row) string {
			var ofBusy []float64
			for _, r := range a.rows(rows) {
				ofBusy = append(ofBusy, held(r)/(held(r)+float64(all(r)*r.Summary.Utilisation)))
			}
			return fmt.Sprintf("%s of the node time in which a node is held or runs",
				metric.Text(metric.Share.Mean(ofBusy).Value, 2))
		},
	}
}
