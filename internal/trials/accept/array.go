package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// arrayRuns submits an array: by default a small one whose limit is below the number of daemons, in
// full 0-9999%50.
func arrayRuns(t *trial) string {
	g := t.Grid(4)
	atOnce := 3
	if t.full {
		atOnce = 50 // more than four daemons can run: a node runs one task at a time
	}
	before := residentMiB(g)
	begin := time.Now()
	id := g.Must("canvass submit --array 0-%d%%%d -- %s", t.size-1, atOnce, t.Beats(50*time.Millisecond))
	submitted := time.Since(begin)
	answered := trials.Percentile(trials.Repeated(20, func() float64 {
		asked := time.Now()
		g.Must("canvass status '%s'", id)
		return float64(time.Since(asked).Milliseconds())
	}), 99)
	g.Must("canvass wait %s", id)
	took := time.Since(begin)
	grown := residentMiB(g) - before
	ranks, _ := t.OnceAtATime()
	most := t.Recorded().MostAtOnce()
	t.Demand(ranks == t.size, "%d elements have run", ranks)
	t.Demand(most <= atOnce, "%d ran at once", most)
	return fmt.Sprintf("%d elements, at most %d of %d at once, ended after %.1f s; P10: submitted in %d ms (%s), the "+
		"daemon that took it grew by %.0f MiB (%s), status p99 %.0f ms (%s)", t.size, most, atOnce, took.Seconds(),
		submitted.Milliseconds(), trials.Met(submitted <= 5*time.Second), grown, trials.Met(grown <= 100), answered,
		trials.Met(answered <= 100))
}

// residentMiB is the memory of the first daemon of a grid.
func residentMiB(g *trials.Grid) float64 {
	all := trials.ResidentMiB("agent --data " + g.Data(1) + " ")
	g.Demand(len(all) > 0, "no daemon n1")
	return slices.Max(all) // a child looks like its parent until it has called exec
}
