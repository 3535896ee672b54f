package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// mapZones precedes the third dimension of a zone. A small map is cut only in that dimension, so
// its zones lie side by side there.
const mapZones = ")x["

// neighbours draws two daemons of five whose zones lie side by side, of which at most one is a
// witness, so that a majority of witnesses stays; never the first, which is asked.
func (t *trial) neighbours(g *trials.Grid) (x, y int) {
	begins, ends := map[string]int{}, map[string]int{}
	for line := range strings.Lines(g.Must("canvass node status --json")) {
		var n struct{ Node, Zone string }
		err := json.Unmarshal([]byte(line), &n)
		t.Demand(err == nil && n.Node != "" && n.Zone != "", "%s: %v", line, err)
		number := int(n.Node[0]-'A') + 1 // A is n1
		from, to, _ := strings.Cut(strings.TrimSuffix(n.Zone[strings.LastIndex(n.Zone, mapZones)+len(mapZones):],
			")"), ",")
		begins[from], ends[to] = number, number
	}
	var pairs [][2]int
	for at, second := range begins {
		if first := ends[at]; first > 1 && second > 1 && max(first, second) > 3 {
			pairs = append(pairs, [2]int{first, second})
		}
	}
	t.Demand(len(pairs) > 0, "no two neighbours to kill: %v, %v", begins, ends)
	pair := pairs[rand.IntN(len(pairs))]
	return pair[0], pair[1]
}

// mapBroken is the report of a gap in the map that lasts.
const mapBroken = "The map is broken"

func gapRepaired(t *trial) string {
	g := t.Grid(5)
	g.Whole(5)
	var ids []string
	gaps := 0
	for range t.runs {
		more, broken := t.gap(g)
		if broken {
			gaps++
		}
		g.Succeed(more...)
		ids = append(ids, more...)
	}
	t.OnceAtATime()
	return fmt.Sprintf("two neighbours of five daemons killed at once; %d times the map was broken, nodes and "+
		"why said so, and repair --regrid made another one; all %d jobs end", gaps, len(ids))
}

// gap kills two neighbours of five daemons at once, waits until the grid is whole again, and
// reports whether its map was broken meanwhile. It returns the submitted jobs.
func (t *trial) gap(g *trials.Grid) (ids []string, broken bool) {
	ids = append(ids, g.Must("canvass submit -k %d -- %s", 1+rand.IntN(5), t.Beats(time.Second)))
	x, y := t.neighbours(g)
	g.Kill(x, y)
	waits := g.Must("canvass submit -k 5 -- %s", t.Beats(time.Second))
	never := g.Must("canvass submit -k 6 -- true") // it waits in any case
	time.Sleep(time.Second)
	g.Start(x)
	g.Start(y)
	broken = t.brokenOnce(g, never)
	g.Must("canvass cancel %s", never)
	return append(ids, waits), broken
}

// brokenOnce waits until the grid is whole. When it reports that its map is broken, it is asked why
// a job waits, and repaired by a command.
func (t *trial) brokenOnce(g *trials.Grid, waits string) (broken bool) {
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		o := g.Sh("canvass node status --json && canvass node status")
		if strings.Count(o.Stdout, `"phase":"member"`) == 5 && o.Stderr == "" {
			return broken
		}
		t.Demand(time.Since(begin) < 90*time.Second, "the grid is not whole after 90 s: %v", g.Sh(
			"canvass node status"))
		if broken || !strings.Contains(o.Stderr, mapBroken) {
			continue
		}
		broken = true
		why := g.Must("canvass why %s", waits)
		if strings.Contains(g.Sh("canvass node status").Stderr, mapBroken) { // others may just have taken over
			t.Demand(strings.Contains(why, mapBroken), "why says %q", why)
		}
		g.Must("canvass node repair --regrid")
	}
}
