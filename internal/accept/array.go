package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// arrayRuns hands an array in: by default a small one of which less may run at once than there are
// daemons, in full 0-9999%50.
func arrayRuns(t *trial) string {
	g := t.grid(4)
	atOnce := 3
	if t.full {
		atOnce = 50 // a node runs one task at a time, so four daemons never run so many
	}
	before := t.residentMiB(g)
	begin := time.Now()
	id := t.must(g, "canvass submit --array 0-%d%%%d -- %s", t.size-1, atOnce, t.beats(2))
	submitted := time.Since(begin)
	answered := percentile(repeated(20, func() float64 {
		asked := time.Now()
		t.must(g, "canvass status '%s'", id)
		return float64(time.Since(asked).Milliseconds())
	}), 99)
	t.must(g, "canvass wait %s", id)
	took := time.Since(begin)
	grown := t.residentMiB(g) - before
	ranks, _ := t.onceAtATime()
	most := t.mostAtOnce()
	t.demand(ranks == t.size, "%d elements have run", ranks)
	t.demand(most <= atOnce, "%d ran at once", most)
	return fmt.Sprintf("%d elements, at most %d of %d at once, ended after %.1f s; P10: submitted in %d ms (%s), the "+
		"daemon that took it grew by %.0f MiB (%s), status p99 %.0f ms (%s)", t.size, most, atOnce, took.Seconds(),
		submitted.Milliseconds(), goal(submitted <= 5*time.Second), grown, goal(grown <= 100), answered,
		goal(answered <= 100))
}

// goal is the word for a goal of time or size that is met or missed, which fails nothing.
func goal(met bool) string {
	if met {
		return "met"
	}
	return "missed"
}

// resident is how much memory a process has.
var resident = regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)

// residentMiB is how much memory the first daemon of a grid has.
func (t *trial) residentMiB(g *grid) float64 {
	all := t.residents("agent --data " + g.data(1) + " ")
	t.demand(len(all) > 0, "no daemon n1")
	return slices.Max(all) // one that it starts looks like it at first
}

// residents are how much memory processes have whose command line has a text, in MiB.
func (t *trial) residents(text string) (all []float64) {
	for _, id := range processes(text) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
		if err != nil {
			continue // it has ended
		}
		m := resident.FindSubmatch(status)
		if m == nil {
			continue // it has ended
		}
		kib, err := strconv.ParseFloat(string(m[1]), 64)
		t.demand(err == nil, "%v", err)
		all = append(all, kib/1024)
	}
	return all
}
