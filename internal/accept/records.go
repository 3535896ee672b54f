package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// mostMerged bounds the records that are joined into one run: a trace has the states of all lives
// in each step.
const mostMerged = 24

// records demands that this build does again what all daemons of a grid have recorded, and that
// their records are those of one sound run, which can be replayed and shown.
func (t *trial) records(g *grid) string {
	said := t.must(g, "canvass flight verify %s/n*/flight/*.cfr | tail -1", g.folder)
	files, err := filepath.Glob(filepath.Join(g.folder, "n*", "flight", "*.cfr"))
	t.demand(err == nil && len(files) > 0, "no records")
	if len(files) > mostMerged {
		return fmt.Sprintf("%s; not joined, since there are %d records and not %d at most", said, len(files), mostMerged)
	}
	run := filepath.Join(t.folder, "run.itf.json")
	joined := t.must(g, "canvass flight merge %s/n*/flight -o %s | tail -1", g.folder, run)
	t.must(g, "canvass replay %s --html %s.html", run, run)
	page, err := os.ReadFile(run + ".html")
	t.demand(err == nil && strings.Contains(string(page), "<svg"), "the page shows no map: %v", err)
	return said + "; joined and replayed: " + strings.TrimPrefix(joined, run+": ")
}

func recordsVerify(t *trial) string {
	g := t.grid(3)
	t.must(g, "canvass run -k 3 -- true")
	g.signal(2, syscall.SIGKILL)
	g.start(2)
	t.must(g, "canvass run -- true")
	said := t.records(g)
	copied := filepath.Join(t.folder, "x.cfr")
	found, err := filepath.Glob(filepath.Join(g.data(1), "flight", "*.cfr"))
	t.demand(err == nil && len(found) > 0, "no record")
	text, err := os.ReadFile(found[0])
	t.demand(err == nil, "%v", err)
	text[len(text)/2] ^= 1
	t.demand(os.WriteFile(copied, text, 0o600) == nil, "%s", copied)
	o := t.sh(g, "canvass flight verify %s", copied)
	t.demand(o.code == 1 && strings.Contains(o.stderr, "is damaged"), "a flipped bit: %v", o)
	return said + "; a flipped bit is named"
}
