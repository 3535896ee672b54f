package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

const (
	noOps   = 60  // jobs of an array
	submits = 100 // of which the 99th percentile is taken
	starts  = 50
)

// ours lists the measures of Canvass, with their goals.
func (b *systems) ours() []measure {
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
				return trials.Repeated(submits, func() float64 { return b.millis(g, "canvass submit -- true") })
			}},
		{goal: "P3", what: "first instruction after run", unit: "ms",
			wants: []want{{50, 40, false, []factor{{slurm, 1}}}, {99, 150, false, []factor{{slurm, 1}}}},
			run: func() []float64 {
				b.settle()
				return trials.Repeated(starts, func() float64 { return b.firstInstruction(g, "canvass run --") })
			}},
		{goal: "P4", what: "4 tasks, no-op", unit: "ms",
			wants: []want{{50, 150, false, []factor{{mpirun, 1}, {slurm, 1}}}},
			run: func() []float64 {
				return trials.Repeated(10, func() float64 { return b.millis(g, "canvass run -k 4 -- true") })
			}},
		{goal: "P8", what: "processor time of daemons and shims for a job", unit: "ms",
			wants: []want{{50, 8, false, []factor{{gnuParallel, 0}}}},
			run: func() []float64 {
				before := processorMillis(g)
				g.Must("canvass wait $(canvass submit --array 0-%d -- true)", noOps-1)
				return []float64{(processorMillis(g) - before) / noOps}
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
func (b *systems) killed(restart bool) float64 {
	id, host := b.grid.BeatElsewhere()
	begin := time.Now()
	b.grid.Kill(host)
	if restart {
		b.grid.Start(host)
	}
	b.Until(2*time.Minute, "running again", func() bool { return len(b.Recorded().Attempts(id)) > 1 })
	took := time.Since(begin).Seconds()
	b.grid.Must("canvass cancel %s", id)
	if !restart {
		b.grid.Start(host)
	}
	b.grid.Whole(4)
	return took
}

// stopped is how long the job of a daemon that is stopped lives on.
func (b *systems) stopped() float64 {
	id, host := b.grid.BeatElsewhere()
	begin := trials.BootTime()
	b.grid.Signal(host, syscall.SIGSTOP)
	var last time.Duration
	b.Until(time.Minute, "dead", func() bool {
		last = trials.SpanOf(b.Recorded().Attempts(id)[0]).Last
		return trials.BootTime()-last > time.Second
	})
	b.grid.Signal(host, syscall.SIGCONT) // it ends, and is started again
	b.grid.Sh("canvass cancel %s", id)   // it may have ended
	b.grid.Whole(4)
	return (last - begin).Seconds()
}

const (
	idleFor      = 20 * time.Second // in which the processor time of an idle grid is taken
	goalDaemons  = 100
	fewerDaemons = 40
	wide         = 40               // tasks of the job of 100 daemons, and of fewer in proportion
	formLimit    = 70 * time.Second // dev gives up before
)

// large lists the measures of a grid of many daemons, which exists only meanwhile. A grid that does
// not form has missed the goal.
func (b *systems) large(daemons int) []measure {
	var g *trials.Grid
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
			if err := b.Attempt(func() { g = b.GridWithin(daemons, formLimit) }); err != nil {
				b.Demand(b.Context.Err() == nil, "interrupted")
				b.missing = append(b.missing,
					fmt.Sprintf("the rest of P5 with %d daemons, which do not form a grid here: %v", daemons, err))
				return []float64{math.Inf(1)}
			}
			return []float64{g.Ready.Seconds()}
		}},
		step("processors that they use idle", "cores", []want{idle}, func() []float64 {
			time.Sleep(idleFor / 2) // clusters form
			before := processorMillis(g)
			time.Sleep(idleFor)
			return []float64{(processorMillis(g) - before) / float64(idleFor.Milliseconds())}
		}),
		step("resident memory", "MiB", []want{{50, 25, false, []factor{{slurm, 0}}}, {percent: 100, limit: 40}},
			func() []float64 { return trials.ResidentMiB(g.Agents()) }),
		step(fmt.Sprintf("a job of %d tasks", k), "s", half, func() []float64 {
			took := b.millis(g, "canvass run -k %d -- true", k) / 1000
			g.End()
			return []float64{took}
		}),
	}
}

// settle waits until no job is left.
func (b *systems) settle() {
	b.Until(time.Minute, "idle", func() bool {
		states := b.grid.Must("canvass status | awk 'NR > 1 {print $2}'") // without the head of the table
		return !strings.Contains(states, "accepted") && !strings.Contains(states, "queued")
	})
}

// shell runs lines: a grid does with its first daemon, systems without one.
type shell interface {
	Must(line string, args ...any) string
}

// millis is how long a line of the shell takes.
func (b *systems) millis(in shell, line string, args ...any) float64 {
	begin := time.Now()
	in.Must(line, args...)
	return float64(time.Since(begin).Microseconds()) / 1000
}

// firstInstruction is how long it takes until a command runs.
func (b *systems) firstInstruction(in shell, prefix string) float64 {
	begin := time.Now().UnixNano()
	at, err := strconv.ParseInt(in.Must("%s date +%%s%%N", prefix), 10, 64)
	b.Demand(err == nil, "%v", err)
	return float64(at-begin) / 1e6
}
