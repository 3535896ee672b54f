package main

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// drained drains each daemon in turn under load, then two daemons with long tasks.
func drained(t *trial) string {
	g := t.Grid(4)
	said, jobs := "", 0
	for n := 1; n <= 4; n++ {
		jobs += t.drainUnderLoad(g, n)
	}
	ranks, attempts := t.OnceAtATime()
	t.Demand(ranks == attempts, "%d jobs took %d attempts", ranks, attempts)
	ends, host := g.Elsewhere(t.Beats(2500 * time.Millisecond))
	t.drain(g, host, "--deadline 1m")
	status := g.Must("canvass status %s", ends)
	t.Demand(strings.Contains(status, "succeeded") && !strings.Contains(status, "attempt 2"), "status: %s", status)
	t.restart(g, host)

	moves, host := g.Elsewhere(t.Beats(10 * time.Second))
	t.drain(g, host, "--deadline 2s")
	g.Succeed(moves)
	for line := range strings.Lines(g.Must("canvass status %s", moves)) {
		if strings.HasPrefix(line, "attempt 1 ") {
			_, said, _ = strings.Cut(strings.TrimSpace(line), ": ")
		}
	}
	node := fmt.Sprintf("host %c", 'A'+host-1)
	t.Demand(strings.HasPrefix(said, node), "the first attempt of a job that was moved ended since %q", said)
	t.restart(g, host)
	t.OnceAtATime()
	return fmt.Sprintf("each of 4 daemons in turn: %d jobs, none failed or began twice, the map was whole meanwhile "+
		"and the daemons ended with 0; a job that ran on a drained node ended there within --deadline 1m; after "+
		"--deadline 2s it was moved, since %q", jobs, said)
}

// drainUnderLoad drains a daemon while the next one takes jobs, and returns how many.
func (t *trial) drainUnderLoad(g *trials.Grid, n int) int {
	var stop atomic.Bool
	defer stop.Store(true) // also if the drain fails
	load := make(chan []string, 1)
	go func() {
		var ids []string
		for ; !stop.Load(); time.Sleep(200 * time.Millisecond) {
			if o := t.Sh("canvass submit --socket %s -- %s", g.Socket(n%4+1), t.Beats(750*time.Millisecond)); o.Code == 0 {
				ids = append(ids, strings.TrimSpace(o.Stdout))
			}
		}
		load <- ids
	}()
	time.Sleep(time.Second)
	t.drain(g, n, "")
	t.restart(g, n)
	stop.Store(true)
	ids := <-load
	t.Demand(len(ids) > 0, "no job was taken")
	g.Succeed(ids...)
	return len(ids)
}

// drain makes a daemon leave, and demands that it ends well and the map of the others is whole.
func (t *trial) drain(g *trials.Grid, n int, flags string) {
	o := t.Sh("timeout 90 canvass node drain %s --socket %s", flags, g.Socket(n))
	t.Demand(o.Code == 0, "drain of n%d: %v", n, o)
	g.Gone(n)
	code, _ := g.HasEnded(n)
	t.Demand(code == 0, "n%d has ended with %d", n, code)
	t.Until(20*time.Second, "a whole map of three", func() bool {
		o := t.Sh("canvass node status --json --socket %s && canvass node status --socket %s", g.Socket(n%4+1),
			g.Socket(n%4+1))
		return strings.Count(o.Stdout, `"phase":"member"`) == 3 && !strings.Contains(o.Stderr, mapBroken)
	})
}

// restart starts a daemon that was drained.
func (t *trial) restart(g *trials.Grid, n int) {
	g.Start(n)
	t.Until(time.Minute, "answering", func() bool { return g.Sh("canvass node status").Code == 0 })
	g.Whole(4)
}
