package experiment

import (
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// Experiments that vary one thing about which the dissertation is silent. Nothing is published
// about them, so no claim has a verdict; the differences are printed.

// silent says where those questions come from.
const silent = "a setting about which Jackson (2015), chapter 4, is silent"

// vary is an experiment that compares sides with the first of them, on the usual inputs.
func vary(name string, seconds [3]float64, doc, source string, sides ...side) *Experiment {
	return &Experiment{
		Name: name, Chance: true, Doc: doc, Source: source, seconds: seconds,
		cells: func(size string) (all []lab.Cell) {
			for _, in := range inputs(size) {
				for _, s := range sides {
					all = append(all, in.cell(s.policy, s.settings...))
				}
			}
			return all
		},
		Claims: claims(func(input) (all []Claim) {
			for _, s := range sides[1:] {
				all = append(all, beside(s, sides[0]))
			}
			return all
		}),
	}
}

// mitigated quotes the dissertation on nodes with few direct neighbours.
var mitigated = says("section 4.2", "This problem is mitigated somewhat by allowing nodes to probe indirect neighbors "+
	"in the CAN as well as direct neighbors for their capabilities and availability.")

// reach measures the benefit of a wider view of the grid.
func reach() *Experiment {
	e := vary("x/reach", [3]float64{0.2, 5.3, 13},
		"how far jobs can move: to neighbours on the map, to theirs, and further",
		"Jackson (2015), section 4.2, on direct neighbours; section 7.1.1 proposes to increase the reach", both,
		both.and("reach=direct"), both.and("reach=3"), both.and("reach=4"), both.and("reach=global"),
		both.and("reach=global", "moves=each"))
	e.Claims = append(e.Claims, claims(func(input) []Claim {
		return []Claim{meanSlowdown.less(both, both.and("reach=direct"), mitigated)}
	})...)
	return e
}

// news measures the cost of old news, and how often nodes must look for a better place.
func news() *Experiment {
	return vary("x/news", [3]float64{0.24, 2.7, 6.7},
		"how old a node's data about queues may be, and how often it tries to move a job", silent,
		both, both.and("news=0s"), both.and("news=5s"), both.and("news=15s"), both.and("news=60s"),
		both.and("balance=100ms"), both.and("balance=10s"), both.and("balance=60s"))
}

// readings are those of the algorithms.
func readings() *Experiment {
	return vary("x/variants", [3]float64{0.35, 3.4, 7.2},
		"readings of the algorithms: the smaller of two clusters, the queue position of a job, and "+
			"who may move again",
		"Jackson (2015), algorithms 1 and 2: strict and average as published",
		both, both.and("minimum=strict"), both.and("position=kth"), both.and("minimum=strict", "position=kth"),
		both.and("moves=each"), both.and("moves=each", "minimum=strict"), both.and("moves=each", "position=kth"))
}

// latency measures the cost of message delays.
func latency() *Experiment {
	e := vary("x/latency", [3]float64{0.2, 1.2, 3.7},
		"how long messages take: none at all, the usual millisecond, and between clusters as long as "+
			"between sites of PlanetLab, or ten times as long", silent,
		both, both.and("latency=1us"), both.and("between=median"), both.and("between=median*10"))
	measured := e.cells
	e.cells = func(size string) []lab.Cell {
		if size != "ci" {
			return measured(size)
		}
		var all []lab.Cell
		for _, settings := range [][]string{nil, {"latency=1us"}, {"between=plane"}, {"between=plane*10"}} {
			all = append(all, inputS.cell(both.policy, settings...))
		}
		return all
	}
	for _, between := range []string{"between=plane", "between=plane*10"} {
		e.Claims = append(e.Claims, inputS.about(beside(both.and(between), both))...)
	}
	return e
}

// The inputs of x/hetero: their clusters differ in size, speed and network.
var (
	mixedT = input{
		"T on different machines", thunder, thunderDensest + ",filter:size<=32," + drawnPeriod,
		"hetero:1,2000",
	}
	mixedS = input{"S on different machines", inputS.workload, "filter:size<=32", "hetero:1,600"}
)

// hetero measures the cost of jobs that cannot run on every machine.
func hetero() *Experiment {
	demanding := []string{"demands=drawn"}
	sides := []side{both, both.and(demanding...)}
	for _, policy := range []string{"static", "dlb", "qb"} {
		sides = append(sides, side{policy, demanding})
	}
	for _, over := range []string{"none", "8"} {
		sides = append(sides, both.and("demands=drawn", "over-provisioning="+over))
	}
	e := &Experiment{
		Name: "x/hetero", Chance: true,
		seconds: [3]float64{0.2, 1.3, 1.3},
		Doc: "machines of different speeds, of which jobs require some: fast ones are few, and jobs that require them " +
			"are as few",
		Source: "Jackson (2015), section 4.2, has machines in the coordinates, and experiments without",
		cells: func(size string) (all []lab.Cell) {
			in := mixedT
			if size == "ci" {
				in = mixedS
			}
			for _, s := range sides {
				all = append(all, in.cell(s.policy, s.settings...))
			}
			return all
		},
	}
	for _, in := range []input{mixedT, mixedS} {
		e.Claims = append(e.Claims, in.about(beside(sides[1], sides[0]))...)
		for _, s := range sides[2:] {
			e.Claims = append(e.Claims, in.about(beside(s, sides[1]))...)
		}
	}
	return e
}
