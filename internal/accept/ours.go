package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	noOps   = 60  // jobs of an array
	submits = 100 // of which the 99th percentile is taken
	starts  = 50
)

// ours is what is measured of Canvass, with its goals.
func (b *benches) ours() []measure {
	g := b.grid
	all := []measure{
		{goal: "P1", what: fmt.Sprintf("no-op jobs to the end, an array of %d", noOps), unit: "jobs/s",
			wants: []want{{50, 60, true, []factor{{slurm, 1.5}, {gridEngine, 3}, {gnuParallel, 0.2}}}},
			run: func() []float64 {
				return []float64{noOps * 1000 / b.millis(g, "canvass wait $(canvass submit --array 0-%d -- true)", noOps-1)}
			}},
		{goal: "P2", what: "submit, whole command", unit: "ms",
			wants: []want{{50, 10, false, []factor{{etcd, 2}, {slurm, 0}, {gridEngine, 0}}},
				{99, 50, false, []factor{{etcd, 2}, {slurm, 0}, {gridEngine, 0}}}},
			run: func() []float64 {
				return repeated(submits, func() float64 { return b.millis(g, "canvass submit -- true") })
			}},
		{goal: "P3", what: "first instruction after run", unit: "ms",
			wants: []want{{50, 40, false, []factor{{slurm, 1}}}, {99, 150, false, []factor{{slurm, 1}}}},
			run: func() []float64 {
				b.settle()
				return repeated(starts, func() float64 { return b.firstInstruction(g, "canvass run --") })
			}},
		{goal: "P4", what: "4 tasks, no-op", unit: "ms",
			wants: []want{{50, 150, false, []factor{{mpirun, 1}, {slurm, 1}}}},
			run: func() []float64 {
				return repeated(10, func() float64 { return b.millis(g, "canvass run -k 4 -- true") })
			}},
		{goal: "P8", what: "processor time of daemons and shims for a job", unit: "ms",
			wants: []want{{50, 8, false, []factor{{gnuParallel, 0}}}},
			run: func() []float64 {
				before := b.processorMillis(g)
				b.must(g, "canvass wait $(canvass submit --array 0-%d -- true)", noOps-1)
				return []float64{(b.processorMillis(g) - before) / noOps}
			}},
		{goal: "P6", what: "kill -9 of a host, no restart: until its job runs again", unit: "s",
			wants: []want{{50, 12, false, []factor{{slurm, 0}}}, {99, 15, false, nil}},
			run:   func() []float64 { return []float64{b.killed(false)} }},
		{goal: "P6", what: "the same with a restart at once", unit: "s", wants: []want{{percent: 50, limit: 9}},
			run: func() []float64 { return []float64{b.killed(true)} }},
		{goal: "P7", what: "SIGSTOP of a daemon: until its job is dead", unit: "s",
			wants: []want{{percent: 100, limit: 4}}, run: func() []float64 { return []float64{b.stopped()} }},
	}
	if b.daemons < goalDaemons {
		b.missing = append(b.missing,
			fmt.Sprintf("P5 with %d daemons, of which its goals are: here are %d", goalDaemons, b.daemons))
	}
	all = append(all, b.large(b.daemons)...)
	if b.daemons > fewerDaemons { // that many may not form a grid on this machine
		all = append(all, b.large(fewerDaemons)...)
	}
	for i := range all {
		all[i].system = "canvass"
	}
	return all
}

// killed is how long it takes until the job of a host that is killed runs again.
func (b *benches) killed(restart bool) float64 {
	id, host := b.elsewhere(b.grid)
	begin := time.Now()
	b.grid.signal(host, syscall.SIGKILL)
	if restart {
		b.grid.start(host)
	}
	rank := id + " 0"
	b.until(2*time.Minute, "running again", func() bool { return len(b.ledger()[rank]) > 1 })
	took := time.Since(begin).Seconds()
	b.must(b.grid, "canvass cancel %s", id)
	if !restart {
		b.grid.start(host)
	}
	b.whole(b.grid, 4)
	return took
}

// stopped is how long the job of a daemon that is stopped lives on.
func (b *benches) stopped() float64 {
	id, host := b.elsewhere(b.grid)
	begin := time.Now()
	b.grid.signal(host, syscall.SIGSTOP)
	var last time.Time
	b.until(time.Minute, "dead", func() bool {
		last = b.firstAttempt(id)
		return time.Since(last) > time.Second
	})
	b.grid.signal(host, syscall.SIGCONT)  // it ends, and is started again
	b.sh(b.grid, "canvass cancel %s", id) // it may have ended
	b.whole(b.grid, 4)
	return last.Sub(begin).Seconds()
}

const (
	idleFor      = 20 * time.Second // in which the processor time of an idle grid is taken
	goalDaemons  = 100
	fewerDaemons = 40
	wide         = 40               // tasks of the job of 100 daemons, and of fewer in proportion
	formLimit    = 70 * time.Second // dev gives up before
)

// large is what is measured of a grid of many daemons, which is there only meanwhile. One that does
// not form has missed the goal.
func (b *benches) large(daemons int) []measure {
	var g *grid
	what := fmt.Sprintf("%d daemons: ", daemons)
	k := max(1, daemons*wide/goalDaemons)
	formed, idle := want{percent: 50, limit: 60}, want{percent: 50, limit: 0.3}
	if daemons < goalDaemons {
		formed.limit, idle.limit = 0, 0
	}
	step := func(name, unit string, wants []want, run func() []float64) measure {
		return measure{goal: "P5", what: what + name, unit: unit, wants: wants, once: true, run: func() []float64 {
			if g == nil {
				return nil
			}
			return run()
		}}
	}
	return []measure{
		{goal: "P5", what: what + "formed", unit: "s", wants: []want{formed}, once: true, run: func() []float64 {
			if err := b.guarded(func() { g = b.gridWithin(daemons, formLimit) }); err != nil {
				b.demand(b.ctx.Err() == nil, "interrupted")
				b.grids[len(b.grids)-1].end()
				g = nil
				b.missing = append(b.missing,
					fmt.Sprintf("the rest of P5 with %d daemons, which do not form a grid here: %v", daemons, err))
				return []float64{math.Inf(1)}
			}
			return []float64{g.ready.Seconds()}
		}},
		step("processors that they use idle", "cores", []want{idle}, func() []float64 {
			time.Sleep(idleFor / 2) // clusters form
			before := b.processorMillis(g)
			time.Sleep(idleFor)
			return []float64{(b.processorMillis(g) - before) / float64(idleFor.Milliseconds())}
		}),
		step("resident memory", "MiB", []want{{50, 25, false, []factor{{slurm, 0}}}, {percent: 100, limit: 40}},
			func() []float64 { return b.residents("agent --data " + g.folder) }),
		step(fmt.Sprintf("a job of %d tasks", k), "s", half, func() []float64 {
			took := b.millis(g, "canvass run -k %d -- true", k) / 1000
			g.end()
			return []float64{took}
		}),
	}
}

// settle waits until no job is left.
func (b *benches) settle() {
	b.until(time.Minute, "idle", func() bool {
		said := b.must(b.grid, "canvass status")
		return !strings.Contains(said, "accepted") && !strings.Contains(said, "queued")
	})
}

// millis is how long a line of the shell takes.
func (b *benches) millis(g *grid, line string, args ...any) float64 {
	begin := time.Now()
	b.must(g, line, args...)
	return float64(time.Since(begin).Microseconds()) / 1000
}

// firstInstruction is how long it takes until a command runs.
func (b *benches) firstInstruction(g *grid, prefix string) float64 {
	begin := time.Now().UnixNano()
	at, err := strconv.ParseInt(b.must(g, "%s date +%%s%%N", prefix), 10, 64)
	b.demand(err == nil, "%v", err)
	return float64(at-begin) / 1e6
}
