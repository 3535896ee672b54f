package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"time"
)

// mapZones is what the third dimension of a map of few nodes is cut into: all their zones lie side
// by side there.
const mapZones = ")x["

// neighbours draws two daemons of five whose zones lie side by side, of which at most one is a
// witness, so that witnesses go on; not the one that is asked.
func (t *trial) neighbours(g *grid) (x, y int) {
	begins, ends := map[string]int{}, map[string]int{}
	for line := range strings.Lines(t.must(g, "canvass node status --json")) {
		var n struct{ Node, Zone string }
		err := json.Unmarshal([]byte(line), &n)
		t.demand(err == nil && n.Node != "" && n.Zone != "", "%s: %v", line, err)
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
	t.demand(len(pairs) > 0, "no two neighbours to kill: %v, %v", begins, ends)
	pair := pairs[rand.IntN(len(pairs))]
	return pair[0], pair[1]
}

// mapBroken is what is said of a map that stays so.
const mapBroken = "The map is broken"

func gapRepaired(t *trial) string {
	g := t.grid(5)
	t.whole(g, 5)
	var ids []string
	gaps := 0
	for range t.runs {
		more, broken := t.gap(g)
		if broken {
			gaps++
		}
		t.allEnd(g, more)
		ids = append(ids, more...)
	}
	t.onceAtATime()
	return fmt.Sprintf("two neighbours of five daemons killed at once; %d times the map was broken, nodes and "+
		"why said so, and repair --regrid made another one; all %d jobs end", gaps, len(ids))
}

// gap kills two neighbours of five daemons at once, waits until the grid is whole again, and tells
// whether its map was broken meanwhile. It returns the jobs that were handed in.
func (t *trial) gap(g *grid) (ids []string, broken bool) {
	ids = append(ids, t.must(g, "canvass submit -k %d -- %s", 1+rand.IntN(5), t.beats(40)))
	x, y := t.neighbours(g)
	for _, n := range []int{x, y} {
		for _, id := range processes("agent --data " + g.data(n)) {
			_ = syscall.Kill(id, syscall.SIGKILL) // or it has ended
		}
	}
	waits := t.must(g, "canvass submit -k 5 -- %s", t.beats(40))
	never := t.must(g, "canvass submit -k 6 -- true") // it waits, whatever becomes of the map
	time.Sleep(time.Second)
	g.start(x)
	g.start(y)
	broken = t.brokenOnce(g, never)
	t.must(g, "canvass cancel %s", never)
	return append(ids, waits), broken
}

// brokenOnce waits until the grid is whole. When it says that its map is broken, it is asked why a
// job waits, and to repair itself.
func (t *trial) brokenOnce(g *grid, waits string) (broken bool) {
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		o := t.sh(g, "canvass node status --json && canvass node status")
		if strings.Count(o.stdout, `"phase":"member"`) == 5 && o.stderr == "" {
			return broken
		}
		t.demand(time.Since(begin) < 90*time.Second, "the grid is not whole after 90 s: %v", t.sh(g,
			"canvass node status"))
		if broken || !strings.Contains(o.stderr, mapBroken) {
			continue
		}
		broken = true
		why := t.must(g, "canvass why %s", waits)
		if strings.Contains(t.sh(g, "canvass node status").stderr, mapBroken) { // others may just have taken over
			t.demand(strings.Contains(why, mapBroken), "why says %q", why)
		}
		t.must(g, "canvass node repair --regrid")
	}
}
