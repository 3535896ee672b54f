package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

func entryKilled(t *trial) string {
	var all joined
	for _, runs := range portions(t.runs) {
		g := t.Grid(4)
		var ids []string
		for range runs {
			ids = append(ids, g.Must("canvass submit --restart-limit 100 -k %d -- %s", 1+rand.IntN(3),
				t.Beats(500*time.Millisecond)))
			g.Kill(1)
			g.Start(1)
			t.Until(time.Minute, "back", func() bool { return g.Sh("canvass status").Code == 0 })
			time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
		}
		g.Succeed(ids...)
		t.records(g, &all)
		g.End()
	}
	ranks, attempts := t.OnceAtATime()
	return fmt.Sprintf("all jobs end, none ran twice at once (%d ranks, %d attempts that began); %v", ranks, attempts,
		all)
}

func allKilled(t *trial) string {
	g := t.Grid(4)
	var ids []string
	for range 6 {
		ids = append(ids, g.Must("canvass submit -k %d -- %s", 1+rand.IntN(2), t.Beats(1200*time.Millisecond)))
	}
	time.Sleep(time.Second)
	g.Kill(1, 2, 3, 4)
	begin := time.Now()
	for n := range 4 {
		g.Start(n + 1)
	}
	g.Whole(4)
	whole := time.Since(begin)
	g.Succeed(ids...)
	t.OnceAtATime()
	return fmt.Sprintf("the grid is whole again after %.1f s, all 6 jobs end after %.1f s, none ran twice at once",
		whole.Seconds(), time.Since(begin).Seconds())
}

func daemonStopped(t *trial) string {
	var all joined
	worst := time.Duration(0)
	for _, runs := range portions(t.runs) {
		g := t.Grid(4)
		lives := map[int]int{}
		for range runs {
			worst = max(worst, t.stoppedOnce(g, lives))
		}
		t.records(g, &all)
		g.End()
	}
	t.OnceAtATime()
	return fmt.Sprintf("dead after %.1f s at the latest, runs elsewhere afterwards, and the daemon comes back as a "+
		"later life; %v", worst.Seconds(), all)
}

// stoppedOnce stops a daemon that runs a job, and returns how long the job ran on. It counts the
// incarnations of daemons.
func (t *trial) stoppedOnce(g *trials.Grid, lives map[int]int) time.Duration {
	id, host := g.BeatElsewhere()
	g.Signal(host, syscall.SIGSTOP)
	stopped := trials.BootTime()
	t.Until(40*time.Second, "running elsewhere", func() bool { return len(t.Recorded().Attempts(id)) > 1 })
	dead := trials.SpanOf(t.Recorded().Attempts(id)[0]).Last - stopped
	t.Demand(dead <= 4*time.Second, "the job was dead after %v", dead)
	g.Signal(host, syscall.SIGCONT)
	g.Whole(4)
	later := fmt.Sprintf("%c.%d", 'A'+host-1, lives[host]+2)
	t.Demand(strings.Contains(g.Must("canvass node status"), later), "node %s is not there", later)
	lives[host]++
	g.Succeed(id)
	return dead
}
