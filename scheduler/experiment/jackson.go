package experiment

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// An input is a workload on the clusters of SHARCNET. The logs of SHARCNET itself, on which the
// dissertation ran, are not public.
type input struct {
	name     string // in claims
	workload string
	sel      string
	platform string
}

// The inputs that stand in for SHARCNET's jobs: the densest 30,000 parallel jobs of two logs,
// compressed to twelve hours, of which the first 1,000 are taken, as Jackson describes; and jobs
// drawn from the distributions that he shows.
var (
	inputT = input{"T", "swf:LLNL-Thunder-2007-1.1-cln.swf.gz", thunder, "sharcnet"}
	inputH = input{"H", "swf:HPC2N-2002-2.2-cln.swf.gz", "filter:parallel,window:densest:30000,compress:to=12h,head:1000",
		"sharcnet"}
	inputG = input{"G", "sharcnet-like:N=1000", "", "sharcnet"}
	// inputS is small: G on fewer nodes.
	inputS = input{"S", "sharcnet-like:N=250", "filter:size<=64", "uniform:2x256"}
)

// inputs lists the inputs of a size.
func inputs(size string) []input {
	switch size {
	case "ci":
		return []input{inputS}
	case "desk":
		return []input{inputT}
	}
	return []input{inputT, inputH, inputG}
}

// cell is a policy on an input, with settings as NAME=VALUE.
func (in input) cell(policy string, settings ...string) lab.Cell {
	return lab.MustCell("workload="+in.workload, "select="+in.sel, "platform="+in.platform, "policy="+policy,
		"estimate=exact").With(settings...)
}

// of returns the rows of the input.
func (in input) of(rows []*lab.Row) []*lab.Row {
	return with(rows, "workload="+in.workload, "platform="+in.platform)
}

// about makes claims about the rows of the input only.
func (in input) about(claims ...Claim) []Claim {
	for i := range claims {
		claims[i].Text += " (input " + in.name + ")"
		claims[i].of = in.of
	}
	return claims
}

// slowdown is the mean slowdown, as Jackson defines it.
func slowdown(r *lab.Row) float64 { return r.Summary.JacksonSlowdown.Mean }

// claims makes each claim for each input.
func claims(make func(in input) []Claim) []Claim {
	var all []Claim
	for _, in := range []input{inputT, inputH, inputG, inputS} {
		all = append(all, in.about(make(in)...)...)
	}
	return all
}

// notRun is the result without two runs of each side.
const notRun = "fewer than two runs of both sides; use --seeds, and no settings of your own"

// figure43 runs a real log of a grid beside the recorded waits.
func figure43() *Experiment {
	cell := func(policy string, settings ...string) lab.Cell {
		in := input{
			workload: "swf:METACENTRUM-2009-2.swf.gz", sel: "window:densest:30000", platform: "metacentrum",
		}
		return in.cell(policy, append(settings, "zero-run=keep", "no-processors=one")...)
	}
	actual := side{"actual", nil}
	return &Experiment{
		Name: "jackson/4.3", Chance: true,
		Doc: "30,000 jobs of a national grid, serial ones included, beside the waits that its users had",
		Source: "Jackson (2015), figure 4.3, on SHARCNET: qb+dlb below static below what really happened; maxima 8,000 " +
			"and 35,000",
		cells: func(size string) []lab.Cell {
			if size == "ci" {
				return []lab.Cell{inputS.cell("static"), inputS.cell("qb+dlb")}
			}
			return []lab.Cell{cell("actual", "pool=yes"), cell("static"), cell("qb+dlb"), cell("qb+dlb", "reach=global")}
		},
		Claims: []Claim{
			atMost(side{"qb+dlb", nil}, side{"static", nil}, 1, "smaller"),
			atMost(side{"qb+dlb", nil}, actual, 1, "smaller"),
			atMost(side{"static", nil}, actual, 1, "smaller"),
			ratio(side{"qb+dlb", []string{"reach=global"}}, actual),
		},
	}
}

// figure46 compares the balancing algorithms.
func figure46() *Experiment {
	return &Experiment{
		Name: "jackson/4.6", Chance: true,
		Doc:    "DLB and QB on 1,000 parallel jobs that arrive within twelve minutes",
		Source: "Jackson (2015), figure 4.6: mean slowdown 77.9 (qb+dlb), 83.8 (qb), 91.5 (dlb); static far above",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				for _, policy := range []string{"static", "dlb", "qb", "qb+dlb"} {
					all = append(all, in.cell(policy))
				}
				all = append(all, in.cell("qb+dlb", "moves=each"))
			}
			return all
		},
		Claims: claims(func(input) (all []Claim) {
			for _, policy := range []string{"dlb", "qb", "qb+dlb"} {
				all = append(all, atMost(side{policy, nil}, side{"static", nil}, 0.5, "static leaves the figure"))
			}
			return append(all,
				atMost(side{"qb+dlb", nil}, side{"qb", nil}, 1, "77.9 and 83.8"),
				atMost(side{"qb", nil}, side{"dlb", nil}, 1, "83.8 and 91.5"),
				atMost(side{"qb+dlb", []string{"moves=each"}}, side{"dlb", nil}, 1, Unpublished),
			)
		}),
	}
}

// figure47 compares the decentralised scheduler with central ones.
func figure47() *Experiment {
	central := []string{"fcfs-ideal", "first-fit", "easy", "conservative"}
	return &Experiment{
		Name: "jackson/4.7", Chance: true,
		Doc:    "the decentralised scheduler beside central ones with complete data",
		Source: "Jackson (2015), figure 4.7: mean slowdown 77.9 against 61.4 for the idealised central FCFS",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				all = append(all, in.cell("qb+dlb"), in.cell("qb+dlb", "moves=each"), in.cell("qb+dlb", "clustering=disjoint:128"))
				for _, policy := range central {
					all = append(all, in.cell(policy))
				}
			}
			return all
		},
		Claims: claims(func(input) []Claim {
			best := side{"qb+dlb", []string{"clustering=disjoint:128"}}
			return []Claim{
				atMost(side{"qb+dlb", nil}, side{"fcfs-ideal", nil}, 2, "comparable: 77.9 and 61.4, a ratio of 1.27"),
				atMost(best, side{"fcfs-ideal", nil}, 1, "33.3 (table 4.1) and 61.4"),
				ratio(side{"qb+dlb", nil}, side{"first-fit", nil}),
				ratio(side{"qb+dlb", nil}, side{"easy", nil}),
				ratio(side{"qb+dlb", nil}, side{"conservative", nil}),
			}
		}),
	}
}

// figure48 sweeps over-provisioning.
func figure48() *Experiment {
	over := func(value string) side { return side{"qb+dlb", []string{"over-provisioning=" + value}} }
	return &Experiment{
		Name: "jackson/4.8", Chance: true,
		Doc:    "how many dependent tasks a job should have",
		Source: "Jackson (2015), figure 4.8: 8-fold slightly better than total, 1.5-fold worse, none worst",
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
				atMost(over("1.5"), over("none"), 1, "none is worst"),
				atMost(over("total"), over("1.5"), 1, "1.5-fold is worse than total"),
				atMost(over("8"), over("total"), 1.1, "8-fold is slightly better than total"),
				atMost(over("total"), over("none"), 0.5, "none passes 55,000 at its maximum"),
			}
		}),
	}
}

// table41Sizes are the sizes of advertised clusters in table 4.1.
var table41Sizes = []int{64, 128, 256, 512}

// table41 compares clusterings.
func table41() *Experiment {
	disjoint := func(n int) side { return side{"qb+dlb", []string{fmt.Sprintf("clustering=disjoint:%d", n)}} }
	overlap := func(n int) side { return side{"qb+dlb", []string{fmt.Sprintf("clustering=overlap:%d", n)}} }
	return &Experiment{
		Name: "jackson/t4.1", Chance: true,
		Doc: "smaller clusters than the real ones, disjoint or overlapping",
		Source: "Jackson (2015), table 4.1: mean slowdown 77.9 (actual), 68.2, 33.3, 51.3, 39.1 (disjoint 64 to 512), " +
			"55.2, 31.9, 40.4, 38.7 (overlap 64 to 512)",
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				all = append(all, in.cell("qb+dlb"))
				for _, n := range table41Sizes {
					all = append(all, in.cell("qb+dlb", disjoint(n).settings...), in.cell("qb+dlb", overlap(n).settings...))
				}
			}
			return all
		},
		Claims: claims(func(in input) (all []Claim) {
			actual := side{"qb+dlb", []string{"clustering=actual"}}
			for _, n := range table41Sizes {
				all = append(all, atMost(disjoint(n), actual, 1, "every disjoint clustering is better than the actual one"))
			}
			all = append(all, atMost(disjoint(128), actual, 1/1.5, "33.3 and 77.9, a ratio of 2.3"))
			for _, n := range table41Sizes {
				all = append(all, atMost(overlap(n), disjoint(n), 1.35, "overlap has a positive effect"))
			}
			if in.name == inputS.name {
				return all
			}
			return append(all, middle(actual, 4, 2, 3_150),
				middle(disjoint(64), 2, 2, 25_147), middle(disjoint(128), 2, 2, 5_219),
				middle(disjoint(256), 3, 2, 2_910), middle(disjoint(512), 3, 2, 5_039),
				middle(overlap(64), 2, 2, 4_936), middle(overlap(128), 2, 2, 7_048),
				middle(overlap(256), 3, 2, 5_035), middle(overlap(512), 3, 2, 2_514))
		}),
	}
}

// waste prints how long nodes wait for the decision of a job.
func waste() *Experiment {
	return &Experiment{
		Name: "jackson/5pct", Chance: true,
		Doc:    "node time in which a node waits for the decision of a job that has its vote",
		Source: "Jackson (2015), section 7.1.1: as much as 5 %",
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

// large is the run on which the dissertation's simulator failed.
func large() *Experiment {
	return &Experiment{
		Name:   "jackson/30k",
		Doc:    "30,000 parallel jobs within twelve hours",
		Source: "Jackson (2015), section 4.3: the simulator failed after days, by an integer that overflowed",
		cells: func(size string) []lab.Cell {
			in := inputH
			in.sel = "filter:parallel,window:densest:30000,compress:to=12h"
			if size == "ci" {
				in = inputS
			}
			return []lab.Cell{in.cell("qb+dlb", "over-provisioning=8"), in.cell("qb+dlb", "over-provisioning=total")}
		},
		Claims: []Claim{{
			Text: "every job ends, or is excluded with a reason", Published: "the run did not end",
			judge: complete("over-provisioning"),
		}},
	}
}
