package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// allEnd waits until jobs have ended, and demands that all have succeeded.
func (t *trial) allEnd(g *grid, ids []string) {
	for _, id := range ids {
		o := t.sh(g, "timeout 120 canvass wait %s", id)
		t.demand(o.code == 0, "job %s: %v; why: %s", id, o, t.sh(g, "canvass status %s; canvass why %s", id, id).stdout)
	}
}

func entryKilled(t *trial) string {
	var all joined
	for _, runs := range portions(t.runs) {
		g := t.grid(4)
		var ids []string
		for range runs {
			ids = append(ids, t.must(g, "canvass submit --restart-limit 100 -k %d -- %s", 1+rand.IntN(3), t.beats(20)))
			g.signal(1, syscall.SIGKILL)
			g.start(1)
			t.until(time.Minute, "back", func() bool { return t.sh(g, "canvass status").code == 0 })
			time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
		}
		t.allEnd(g, ids)
		t.records(g, &all)
		g.end()
	}
	ranks, attempts := t.onceAtATime()
	return fmt.Sprintf("all jobs end, none ran twice at once (%d ranks, %d attempts that began); %v", ranks, attempts,
		all)
}

func allKilled(t *trial) string {
	g := t.grid(4)
	var ids []string
	for range 6 {
		ids = append(ids, t.must(g, "canvass submit -k %d -- %s", 1+rand.IntN(2), t.beats(50)))
	}
	time.Sleep(time.Second)
	for _, id := range processes("agent --data " + g.folder) {
		t.demand(syscall.Kill(id, syscall.SIGKILL) == nil, "process %d", id)
	}
	t.until(10*time.Second, "dead", func() bool { return t.count("agent --data "+g.folder) == 0 })
	begin := time.Now()
	for n := range 4 {
		g.start(n + 1)
	}
	t.whole(g, 4)
	whole := time.Since(begin)
	t.allEnd(g, ids)
	t.onceAtATime()
	return fmt.Sprintf("the grid is whole again after %.1f s, all 6 jobs end after %.1f s, none ran twice at once",
		whole.Seconds(), time.Since(begin).Seconds())
}

// runsOn is what status says of where a job runs.
var runsOn = regexp.MustCompile(`rank 0 +host ([A-D])\b`)

// elsewhere hands in a job that beats for some seconds, and returns on which daemon it runs: not on
// the one that is asked.
func (t *trial) elsewhere(g *grid) (id string, host int) {
	id, host = t.onAnother(g, t.beats(300))
	t.until(10*time.Second, "beating", func() bool { return t.lastBeat() < 100*time.Millisecond })
	return id, host
}

// onAnother hands a job in, again until it runs on another daemon than the one that is asked.
func (t *trial) onAnother(g *grid, command string) (id string, host int) {
	for {
		id = t.must(g, "canvass submit -- %s", command)
		t.until(30*time.Second, "running", func() bool {
			found := runsOn.FindStringSubmatch(t.must(g, "canvass status %s", id))
			if found != nil {
				host = int(found[1][0]-'A') + 1
			}
			return found != nil
		})
		if host > 1 {
			return id, host
		}
		t.must(g, "canvass cancel %s", id)
	}
}

// whole waits until so many daemons are in the grid.
func (t *trial) whole(g *grid, nodes int) {
	begin := time.Now()
	for strings.Count(t.sh(g, "canvass node status --json").stdout, `"phase":"member"`) != nodes {
		t.demand(time.Since(begin) < time.Minute, "the grid is not whole after a minute: %v", t.sh(g,
			"canvass node status"))
		time.Sleep(50 * time.Millisecond)
	}
}

func daemonStopped(t *trial) string {
	var all joined
	worst := time.Duration(0)
	for _, runs := range portions(t.runs) {
		g := t.grid(4)
		lives := map[int]int{}
		for range runs {
			worst = max(worst, t.stoppedOnce(g, lives))
		}
		t.records(g, &all)
		g.end()
	}
	t.onceAtATime()
	return fmt.Sprintf("dead after %.1f s at the latest, runs elsewhere afterwards, and the daemon comes back as a "+
		"later life; %v", worst.Seconds(), all)
}

// stoppedOnce stops a daemon whose job runs, and returns how long the job lived on. It counts the
// lives of daemons.
func (t *trial) stoppedOnce(g *grid, lives map[int]int) time.Duration {
	id, host := t.elsewhere(g)
	g.signal(host, syscall.SIGSTOP)
	stopped := time.Now()
	t.until(40*time.Second, "running elsewhere", func() bool { return len(t.ledger()[id+" 0"]) > 1 })
	dead := t.firstAttempt(id).Sub(stopped)
	t.demand(dead <= 4*time.Second, "the job was dead after %v", dead)
	g.signal(host, syscall.SIGCONT)
	t.whole(g, 4)
	later := fmt.Sprintf("%c.%d", 'A'+host-1, lives[host]+2)
	t.demand(strings.Contains(t.must(g, "canvass node status"), later), "node %s is not there", later)
	lives[host]++
	t.allEnd(g, []string{id})
	return dead
}
