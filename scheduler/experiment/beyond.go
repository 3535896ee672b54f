package experiment

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Experiments that vary one thing about which the dissertation is silent. Nothing is published
// about them, so no claim has a verdict; the differences are printed.

// silent says where those questions come from.
const silent = "a setting about which Jackson (2015), chapter 4, is silent"

// vary is an experiment that compares sides with the first of them, on the usual inputs.
func vary(name, doc, source string, sides ...side) *Experiment {
	return &Experiment{
		Name: name, Chance: true, Doc: doc, Source: source,
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

// and returns the side with further settings.
func (s side) and(settings ...string) side {
	return side{s.policy, slices.Concat(s.settings, settings)}
}

// both is the usual decentralised policy.
var both = side{"qb+dlb", nil}

// reach measures the benefit of a wider view of the grid.
func reach() *Experiment {
	return vary("x/reach", "how far jobs can move: to neighbours on the map, to theirs, and further",
		"proposed by Jackson (2015), section 7.1.1: increase the reach", both, both.and("reach=direct"),
		both.and("reach=3"), both.and("reach=4"), both.and("reach=global"), both.and("reach=global", "moves=each"))
}

// news measures the cost of old news, and how often nodes must look for a better place.
func news() *Experiment {
	return vary("x/news", "how old a node's data about queues may be, and how often it tries to move a job", silent,
		both, both.and("news=0s"), both.and("news=5s"), both.and("news=15s"), both.and("news=60s"),
		both.and("balance=100ms"), both.and("balance=10s"), both.and("balance=60s"))
}

// readings are those of the algorithms.
func readings() *Experiment {
	return vary("x/variants", "readings of the algorithms: the smaller of two clusters, the queue position of a job, and "+
		"who may move again",
		"Jackson (2015), algorithms 1 and 2: strict and average as published",
		both, both.and("minimum=strict"), both.and("position=kth"), both.and("minimum=strict", "position=kth"),
		both.and("moves=each"), both.and("moves=each", "minimum=strict"), both.and("moves=each", "position=kth"))
}

// latency measures the cost of message delays.
func latency() *Experiment {
	e := vary("x/latency", "how long messages take: none at all, the usual millisecond, and between clusters as long as "+
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

// beside shows how the mean slowdowns of two sides differ, about which nothing is published.
func beside(a, b side) Claim {
	c := ratio(a, b)
	plain := c.judge
	c.judge = func(rows []*lab.Row) (Verdict, string) {
		verdict, found := plain(rows)
		_, low, high, err := metric.Paired(pairs(rows, a, b))
		switch {
		case err != nil || found == notRun:
		case low <= 0 && high >= 0:
			found += "; the difference is within chance"
		default:
			found += fmt.Sprintf("; the difference is %.4g to %.4g", low, high)
		}
		return verdict, found
	}
	return c
}
