package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/canvass-grid/canvass/internal/trials"
)

// perGrid bounds how often a daemon of one grid is killed or stopped: each time begins another
// record, and a joined run has the states of all incarnations in each step.
const perGrid = 10

// portions divides a number of runs among several grids.
func portions(runs int) (all []int) {
	for ; runs > 0; runs -= perGrid {
		all = append(all, min(runs, perGrid))
	}
	return all
}

// joined counts the records that were joined into runs, one for each grid.
type joined struct{ grids, records, steps int }

func (j joined) String() string {
	return fmt.Sprintf("grids %d, records %d, steps %d: all as recorded, and those of each grid joined into one sound "+
		"run, which was replayed", j.grids, j.records, j.steps)
}

// records demands that this build repeats the records of all daemons of a grid, and that these
// records join into one sound run, which can be replayed and shown. It counts them, too.
func (t *trial) records(g *trials.Grid, to *joined) {
	g.Must("canvass node flight verify %s", g.Path("n*/flight/*.cfr"))
	files, err := filepath.Glob(g.Path("n*/flight/*.cfr"))
	t.Demand(err == nil && len(files) > 0, "no records")
	run := filepath.Join(t.Folder, "run.itf.json")
	var merged struct{ Steps int }
	text := g.Must("canvass node flight merge %s --json -o %s", g.Path("n*/flight"), run)
	t.Demand(json.Unmarshal([]byte(text), &merged) == nil && merged.Steps > 0, "merge says %q", text)
	g.Must("canvass replay %s --html %s.html", run, run)
	page, err := os.ReadFile(run + ".html")
	t.Demand(err == nil && strings.Contains(string(page), "<svg"), "the page shows no map: %v", err)
	to.grids, to.records, to.steps = to.grids+1, to.records+len(files), to.steps+merged.Steps
}

func recordsVerify(t *trial) string {
	g := t.Grid(3)
	g.Must("canvass run -k 3 -- true")
	g.Kill(2)
	g.Start(2)
	g.Must("canvass run -- true")
	var all joined
	t.records(g, &all)
	copied := filepath.Join(t.Folder, "x.cfr")
	found, err := filepath.Glob(filepath.Join(g.Data(1), "flight", "*.cfr"))
	t.Demand(err == nil && len(found) > 0, "no record")
	text, err := os.ReadFile(found[0])
	t.Demand(err == nil, "%v", err)
	text[len(text)/2] ^= 1
	t.Demand(os.WriteFile(copied, text, 0o600) == nil, "%s", copied)
	o := g.Sh("canvass node flight verify %s", copied)
	t.Demand(o.Code == 1 && strings.Contains(o.Stderr, "the record after record "), "a flipped bit: %v", o)
	t.Demand(strings.Contains(o.Stderr, "is damaged"), "a flipped bit: %v", o)
	return fmt.Sprintf("%v; the record with a flipped bit is named by its number; items 6 and 8 join the records of "+
		"their daemons so, too, and the judges of item 9 those of its", all)
}
