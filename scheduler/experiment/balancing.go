package experiment

import "github.com/canvass-grid/canvass/scheduler/lab"

// The balancing algorithms alone.
var dlb, qb = side{"dlb", nil}, side{"qb", nil}

// Quotes from section 4.3.2, and from section 4.2 on the same subject.
var (
	muchBetter = says("section 4.3.2", "Static scheduling performs very poorly under high load. Using QB and DLB in "+
		"various combinations performs much better, with the best performance obtained from applying both QB and DLB "+
		"with a mean slowdown of 77.9, just edging out QB alone (83.8) and DLB (91.5).")
	considerably = says("section 4.2", "I have found that dynamic load balancing (DLB) and Queue Balancing (QB) can help "+
		"reduce wait times considerably.")
	extends46  = says("caption of figure 4.6", "The QB and Static results extend past 18,000 and 48,000.")
	comparable = says("section 4.3.2", "The global results have a mean slowdown of 61.4 and the decentralized scheduling "+
		"has a mean slowdown of 77.9. I show that decentralized scheduling performance is comparable to global "+
		"scheduling, which is the most important result from this work.").
		granting("I do not intend to show any kind of performance advantage for decentralized job scheduling over " +
			"centralized job scheduling, only that the benefits of a decentralized system can be enjoyed without a large " +
			"loss in efficiency.")
)

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
			for _, s := range []side{dlb, qb, both} {
				all = append(all, meanSlowdown.less(s, static, muchBetter).banded(times(0, 0.5)),
					waiting.less(s, static, considerably).banded(times(0, 0.5)))
			}
			return append(all,
				meanSlowdown.less(both, qb, muchBetter), meanSlowdown.less(both, dlb, muchBetter),
				meanSlowdown.less(qb, dlb, muchBetter),
				largestSlowdown.in(qb, atLeast(18_000), extends46).banded(atLeast(5_000)),
				largestSlowdown.in(static, atLeast(48_000), extends46).banded(atLeast(5_000)),
				largestSlowdown.in(dlb, atMost(5_000), axis), largestSlowdown.in(both, atMost(5_000), axis),
				nearOne.in(both, atLeast(0.5), closeToOne),
				ours(meanSlowdown.less(both.and("moves=each"), dlb, Quote{})),
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
			ideal := side{"fcfs-ideal", nil}
			return []Claim{
				meanSlowdown.times(both, ideal, times(0, 77.9/61.4), comparable).banded(times(0, 2)),
				ours(meanSlowdown.less(both.and("clustering=disjoint:128"), ideal, Quote{})),
				beside(both, side{"first-fit", nil}), beside(both, side{"easy", nil}), beside(both, side{"conservative", nil}),
			}
		}),
	}
}
