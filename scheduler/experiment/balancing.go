package experiment

import "github.com/canvass-grid/canvass/scheduler/lab"

// balancing compares the balancing algorithms.
func balancing() *Experiment {
	return &Experiment{
		Name: "jackson/4.6", Chance: true,
		marks:   []mark{markOf(both, 77.9), markOf(side{"qb", nil}, 83.8), markOf(side{"dlb", nil}, 91.5)},
		seconds: [3]float64{0.12, 1.9, 5.6},
		jobs:    Slowest,
		Doc:     "DLB and QB on 1,000 parallel jobs that arrive within twelve minutes",
		Source:  "Jackson (2015), figure 4.6: mean slowdown 77.9 (qb+dlb), 83.8 (qb), 91.5 (dlb); static far above",
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
				all = append(all, atMostTimes(side{policy, nil}, side{"static", nil}, 0.5, "static leaves the figure"))
			}
			return append(all,
				atMostTimes(side{"qb+dlb", nil}, side{"qb", nil}, 1, "77.9 and 83.8"),
				atMostTimes(side{"qb", nil}, side{"dlb", nil}, 1, "83.8 and 91.5"),
				atMostTimes(side{"qb+dlb", []string{"moves=each"}}, side{"dlb", nil}, 1, Unpublished),
			)
		}),
	}
}

// besideCentral compares the decentralised scheduler with central ones.
func besideCentral() *Experiment {
	central := []string{"fcfs-ideal", "first-fit", "easy", "conservative"}
	return &Experiment{
		Name: "jackson/4.7", Chance: true,
		marks: []mark{
			markOf(both, 77.9), markOf(both.and("clustering=disjoint:128"), 33.3), markOf(side{"fcfs-ideal", nil}, 61.4),
		},
		seconds: [3]float64{0.08, 1, 3.2},
		jobs:    Slowest,
		Doc:     "the decentralised scheduler beside central ones with complete data",
		Source:  "Jackson (2015), figure 4.7: mean slowdown 77.9 against 61.4 for the idealised central FCFS",
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
				atMostTimes(side{"qb+dlb", nil}, side{"fcfs-ideal", nil}, 2, "comparable: 77.9 and 61.4, a ratio of 1.27"),
				atMostTimes(best, side{"fcfs-ideal", nil}, 1, "33.3 (table 4.1) and 61.4"),
				beside(side{"qb+dlb", nil}, side{"first-fit", nil}),
				beside(side{"qb+dlb", nil}, side{"easy", nil}),
				beside(side{"qb+dlb", nil}, side{"conservative", nil}),
			}
		}),
	}
}
