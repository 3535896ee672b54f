package main

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// drained drains each daemon in turn under load, then two whose tasks take long.
func drained(t *trial) string {
	g := t.grid(4)
	said, jobs := "", 0
	for n := 1; n <= 4; n++ {
		jobs += t.drainUnderLoad(g, n)
	}
	ranks, attempts := t.onceAtATime()
	t.demand(ranks == attempts, "%d jobs took %d attempts", ranks, attempts)
	ends, host := t.onAnother(g, t.beats(100))
	t.drain(g, host, "--deadline 1m")
	status := t.must(g, "canvass status %s", ends)
	t.demand(strings.Contains(status, "succeeded") && !strings.Contains(status, "attempt 2"), "status: %s", status)
	t.restart(g, host)

	moves, host := t.onAnother(g, t.beats(400))
	t.drain(g, host, "--deadline 2s")
	t.allEnd(g, []string{moves})
	for line := range strings.Lines(t.must(g, "canvass status %s", moves)) {
		if strings.HasPrefix(line, "attempt 1 ") {
			_, said, _ = strings.Cut(strings.TrimSpace(line), ": ")
		}
	}
	node := fmt.Sprintf("host %c", 'A'+host-1)
	t.demand(strings.HasPrefix(said, node), "the first attempt of a job that was moved ended since %q", said)
	t.restart(g, host)
	t.onceAtATime()
	return fmt.Sprintf("each of 4 daemons in turn: %d jobs, none failed or began twice, the map was whole meanwhile "+
		"and the daemons ended with 0; a job that ran on a drained node ended there within --deadline 1m; after "+
		"--deadline 2s it was moved, since %q", jobs, said)
}

// drainUnderLoad drains a daemon while the next one takes jobs, and returns how many.
func (t *trial) drainUnderLoad(g *grid, n int) int {
	var stop atomic.Bool
	defer stop.Store(true) // also if the drain fails
	load := make(chan []string, 1)
	go func() {
		var ids []string
		for ; !stop.Load(); time.Sleep(200 * time.Millisecond) {
			if o := t.sh(nil, "canvass submit --socket %s -- %s", g.socket(n%4+1), t.beats(30)); o.code == 0 {
				ids = append(ids, strings.TrimSpace(o.stdout))
			}
		}
		load <- ids
	}()
	time.Sleep(time.Second)
	t.drain(g, n, "")
	t.restart(g, n)
	stop.Store(true)
	ids := <-load
	t.demand(len(ids) > 0, "no job was taken")
	t.allEnd(g, ids)
	return len(ids)
}

// drain makes a daemon leave, and demands that it ends well and the map of the others is whole.
func (t *trial) drain(g *grid, n int, flags string) {
	o := t.sh(nil, "timeout 90 canvass node drain %s --socket %s", flags, g.socket(n))
	t.demand(o.code == 0, "drain of n%d: %v", n, o)
	t.until(10*time.Second, "ended", func() bool { return t.count("agent --data "+g.data(n)) == 0 })
	t.until(10*time.Second, "ended with 0", func() bool { return g.endedWell(n) })
	t.until(20*time.Second, "a whole map of three", func() bool {
		o := t.sh(nil, "canvass node status --json --socket %s && canvass node status --socket %s", g.socket(n%4+1),
			g.socket(n%4+1))
		return strings.Count(o.stdout, `"phase":"member"`) == 3 && !strings.Contains(o.stderr, mapBroken)
	})
}

// restart starts a daemon that was drained.
func (t *trial) restart(g *grid, n int) {
	g.start(n)
	t.until(time.Minute, "answering", func() bool { return t.sh(g, "canvass node status").code == 0 })
	t.whole(g, 4)
}

// endedWell reports whether the last process of a daemon has ended with 0.
func (g *grid) endedWell(n int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := len(g.agents) - 1; i >= 0; i-- {
		if a := g.agents[i]; a.Args[len(a.Args)-1] == g.data(n) {
			code, ended := g.codes[a]
			return ended && code == 0
		}
	}
	log, err := os.ReadFile(g.folder + ".log") // dev has started it
	return err == nil && strings.Contains(string(log), fmt.Sprintf("daemon n%d has ended (exit status 0)", n))
}
