package main

import (
	"context"
	"fmt"
	"strconv"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// inflict carries out a fault, and counts it if it happened.
func (r *run) inflict(ctx context.Context, number int, f Fault) {
	what := "nothing to do it to"
	happened := false
	switch f.Kind {
	case CrashDaemon, CrashBoth, CrashAll:
		happened, what = r.crash(f)
	case CrashShim, CrashTask:
		happened, what = r.crashChild(f)
	case PauseDaemon, PauseShim, PauseBoth:
		happened, what = r.pause(f)
	case Burst:
		happened, what = true, ""
		r.checks.Go(func() { r.workload.burst(ctx, f.Nodes[0]-1, f.Count, fmt.Sprintf("b%d", number)) })
	case Litter:
		happened, what = true, ""
		r.messes(ctx, number, f, litterWord+strconv.Itoa(f.Count))
	case Lock:
		happened, what = true, ""
		r.messes(ctx, number, f, lockWord)
	case Flood:
		happened, what = r.flood(ctx, f)
	case Hostile:
		what = r.hostile(ctx, number, f)
	case Drain, Leave:
		what = r.leave(f)
	case Regrid:
		what = r.regrid(ctx, f)
	case Replace:
		what = r.replace(f)
	default:
		happened, what = r.part(f)
	}
	c := r.report.count(f.Kind)
	c.Planned++
	if happened {
		c.Happened++
	}
	r.say("%v: %s", f, what)
}

// crash kills daemons at once.
func (r *run) crash(f Fault) (bool, string) {
	var victims []int
	for _, n := range f.Nodes {
		if i := n - 1; r.grid.Alive(i) && (f.Kind == CrashAll || r.away()+len(victims) < r.Plan.Bounds.Down) {
			victims = append(victims, i)
		}
	}
	if len(victims) == 0 {
		return false, "no daemon may go down now"
	}
	all := trials.Processes()
	for _, i := range victims {
		at := r.strike(all, i, f.Kind == CrashBoth)
		r.at(at+f.For, func() { r.restart(i) })
	}
	return true, fmt.Sprintf("killed %d", len(victims))
}

// strike kills a daemon, perhaps with its shims and tasks.
func (r *run) strike(all []trials.Process, i int, both bool) (at time.Duration) {
	pid := r.grid.PID(i)
	children := trials.Below(all, pid)
	if both {
		for _, p := range children {
			r.kill(p)
		}
	}
	_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	at = trials.BootTime()
	r.crashed = append(r.crashed, crash{r.letters[i], at})
	r.down[i] = true
	r.checks.Go(func() { r.leftover(i, children) })
	return at
}

// leftover checks whether the children of a daemon are gone in time.
func (r *run) leftover(i int, children []trials.Process) {
	end := trials.BootTime() + leftLimit
	for _, p := range children {
		for p.IsThere() && trials.BootTime() < end {
			time.Sleep(10 * milli)
		}
		if p.IsThere() {
			r.mu.Lock()
			r.left = append(r.left, fmt.Sprintf("%v of n%d, pid %d, %v after its daemon was killed",
				p.Command, i+1, p.PID, leftLimit))
			r.mu.Unlock()
		}
	}
}

// kill kills a process. The death of a task's process may end its job. A shim belongs to the grid:
// the job of its task goes on.
func (r *run) kill(p trials.Process) {
	if job := p.Variable("CANVASS_JOB"); job != "" && !p.IsShim() {
		r.mu.Lock()
		r.kills[job] = true
		r.mu.Unlock()
	}
	_ = syscall.Kill(p.PID, syscall.SIGKILL) // it may have ended
}

// crashChild kills the shim or the process of a task, at the first node that has one.
func (r *run) crashChild(f Fault) (bool, string) {
	all := trials.Processes()
	for k := range r.Plan.Nodes {
		i := (f.Nodes[0] - 1 + k) % r.Plan.Nodes
		if !r.grid.Alive(i) {
			continue
		}
		for _, p := range trials.Below(all, r.grid.PID(i)) {
			if f.Kind == CrashShim && p.IsShim() || f.Kind == CrashTask && p.IsTask() {
				r.kill(p)
				return true, fmt.Sprintf("killed pid %d of n%d", p.PID, i+1)
			}
		}
	}
	return false, "no task runs"
}

// pause stops processes for a time.
func (r *run) pause(f Fault) (bool, string) {
	all := trials.Processes()
	for k := range r.Plan.Nodes {
		i := (f.Nodes[0] - 1 + k) % r.Plan.Nodes
		if !r.grid.Alive(i) {
			continue
		}
		var victims []trials.Process
		if f.Kind != PauseShim {
			if p, ok := trials.ReadProcess(r.grid.PID(i)); ok {
				victims = append(victims, p)
			}
		}
		shims := 0
		for _, p := range trials.Below(all, r.grid.PID(i)) {
			if p.IsShim() && f.Kind != PauseDaemon {
				victims = append(victims, p)
				shims++
			}
		}
		if len(victims) == 0 || f.Kind != PauseDaemon && shims == 0 {
			continue
		}
		for _, p := range victims {
			r.signal(p, 1)
		}
		now := trials.BootTime()
		at := len(r.stops)
		r.stops = append(r.stops, stop{r.letters[i], f.Kind != PauseShim, f.Kind != PauseDaemon, now, now + f.For})
		r.at(now+f.For, func() {
			for _, p := range victims {
				r.signal(p, -1)
			}
			r.stops[at].to = trials.BootTime()
		})
		return true, fmt.Sprintf("stopped %d processes of n%d", len(victims), i+1)
	}
	return false, "no task runs"
}

// signal stops a process, or lets it go on once no pause of it is left.
func (r *run) signal(p trials.Process, by int) {
	r.stopped[p.PID] += by
	switch {
	case by > 0:
		_ = syscall.Kill(p.PID, syscall.SIGSTOP) // it may have ended
	case r.stopped[p.PID] <= 0 && p.IsThere():
		_ = syscall.Kill(p.PID, syscall.SIGCONT)
	}
}

// part changes the network for a time.
func (r *run) part(f Fault) (bool, string) {
	type way struct{ from, to int }
	var ways []way
	change := r.fabric.cut
	a := f.Nodes[0] - 1
	switch f.Kind {
	case Cut, OneWay, Slow:
		b := f.Nodes[1] - 1
		ways = []way{{a, b}}
		if f.Kind != OneWay {
			ways = append(ways, way{b, a})
		}
		if f.Kind == Slow {
			change = r.fabric.slow
		}
	case Reset:
		n := r.fabric.reset(a, f.Nodes[1]-1)
		return n > 0, fmt.Sprintf("reset %d connections", n)
	case Isolate:
		apart := map[int]bool{}
		for _, n := range f.Nodes {
			apart[n-1] = true
		}
		for i := range r.Plan.Nodes {
			for j := range r.Plan.Nodes {
				if apart[i] != apart[j] {
					ways = append(ways, way{i, j})
				}
			}
		}
	}
	for _, w := range ways {
		change(w.from, w.to, 1)
	}
	r.at(trials.BootTime()+f.For, func() {
		for _, w := range ways {
			change(w.from, w.to, -1)
		}
	})
	return true, fmt.Sprintf("%d ways", len(ways))
}
