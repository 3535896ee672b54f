package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// perGrid is how often a daemon of one grid is killed or stopped at most: each time begins another
// record, and a joined run has the states of all lives in each step.
const perGrid = 10

// portions cuts a number of runs into those of grids of their own.
func portions(runs int) (all []int) {
	for ; runs > 0; runs -= perGrid {
		all = append(all, min(runs, perGrid))
	}
	return all
}

// joined is the records that were joined into runs, one for each grid.
type joined struct{ grids, records, steps int }

func (j joined) String() string {
	return fmt.Sprintf("grids %d, records %d, steps %d: all as recorded, and those of each grid joined into one sound "+
		"run, which was replayed", j.grids, j.records, j.steps)
}

// records demands that this build does again what all daemons of a grid have recorded, and that
// their records are those of one sound run, which can be replayed and shown. It counts them, too.
func (t *trial) records(g *grid, to *joined) {
	t.must(g, "canvass node flight verify %s/n*/flight/*.cfr", g.folder)
	files, err := filepath.Glob(filepath.Join(g.folder, "n*", "flight", "*.cfr"))
	t.demand(err == nil && len(files) > 0, "no records")
	run := filepath.Join(t.folder, "run.itf.json")
	var merged struct{ Steps int }
	text := t.must(g, "canvass node flight merge %s/n*/flight --json -o %s", g.folder, run)
	t.demand(json.Unmarshal([]byte(text), &merged) == nil && merged.Steps > 0, "merge says %q", text)
	t.must(g, "canvass replay %s --html %s.html", run, run)
	page, err := os.ReadFile(run + ".html")
	t.demand(err == nil && strings.Contains(string(page), "<svg"), "the page shows no map: %v", err)
	to.grids, to.records, to.steps = to.grids+1, to.records+len(files), to.steps+merged.Steps
}

func recordsVerify(t *trial) string {
	g := t.grid(3)
	t.must(g, "canvass run -k 3 -- true")
	g.signal(2, syscall.SIGKILL)
	g.start(2)
	t.must(g, "canvass run -- true")
	var all joined
	t.records(g, &all)
	copied := filepath.Join(t.folder, "x.cfr")
	found, err := filepath.Glob(filepath.Join(g.data(1), "flight", "*.cfr"))
	t.demand(err == nil && len(found) > 0, "no record")
	text, err := os.ReadFile(found[0])
	t.demand(err == nil, "%v", err)
	text[len(text)/2] ^= 1
	t.demand(os.WriteFile(copied, text, 0o600) == nil, "%s", copied)
	o := t.sh(g, "canvass node flight verify %s", copied)
	t.demand(o.code == 1 && strings.Contains(o.stderr, "the record after record "), "a flipped bit: %v", o)
	t.demand(strings.Contains(o.stderr, "is damaged"), "a flipped bit: %v", o)
	return fmt.Sprintf("%v; the record with a flipped bit is named by its number; items 6 and 8 join the records of "+
		"their daemons so, too, and the judges of item 9 those of its", all)
}
