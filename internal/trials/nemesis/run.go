package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/internal/trials"
)

// Options are the plan of a run and its environment.
type Options struct {
	Plan    Plan
	Canvass string        // the program under test
	Folder  string        // of the run; it must not exist
	Settle  time.Duration // after healing, within which a job ends each time, and the grid is as before at last
	Log     io.Writer     // events, line by line; nil: no log
}

const (
	readyLimit  = time.Minute
	leftLimit   = time.Second // within which nothing of a killed daemon is left
	sampleEvery = 2 * time.Second
)

// run is one run. All but the harm belongs to the goroutine of [Run].
type run struct {
	Options
	*agenda
	harm
	bed      *trials.Bed
	grid     local.Grid
	fabric   *fabric
	workload *workload
	report   *Report

	down    map[int]bool           // killed or left, and not started again yet
	leaving map[int]*leaver        // made to leave, in the present life
	stopped map[int]int            // pauses of a process, by pid
	letters []string               // names of the nodes, without their lives
	samples map[int][]trials.Usage // by life
}

// Run carries out a plan, and judges. An error means that the run could not be made.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{
		Options: o, agenda: newAgenda(o.Log), harm: harm{kills: map[string]bool{}}, report: newReport(o),
		down: map[int]bool{}, leaving: map[int]*leaver{}, stopped: map[int]int{}, samples: map[int][]trials.Usage{},
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	defer r.fabric.close()
	defer r.grid.End()
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	r.begin()
	r.faulty(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s := &settling{run: r, final: map[string]*jobs.Record{}}
	s.settle(ctx)
	e := &evidence{run: r, final: s.final, readAt: s.readAt, outputs: s.outputs(ctx), files: s.files(ctx)}
	if ctx.Err() != nil {
		return nil, ctx.Err() // nothing may be judged that was not looked at
	}
	r.checks.Wait()
	e.killed = r.grid.End()
	return r.report, e.judge()
}

// prepare makes the folders and the network.
func (r *run) prepare() (err error) {
	if r.bed, err = trials.NewBed(r.Folder, r.Canvass); err != nil {
		return err
	}
	pid := os.Getpid()
	if r.fabric, err = newFabric(r.Plan.Nodes, [2]byte{byte(1 + pid>>8%254), byte(pid)}); err != nil {
		return err
	}
	if err := os.Setenv("CANVASS_PANIC", "1"); err != nil { // the log of a daemon that panics shows where
		return err
	}
	r.grid = local.Grid{
		Folder: filepath.Join(r.Folder, "g"), Binary: r.bed.Canvass, Nodes: r.Plan.Nodes, Shutdown: LeaveLimit,
		Shape: r.shape,
	}
	if err := r.grid.Make(); err != nil {
		r.fabric.close()
		return err
	}
	r.workload = newWorkload(r.Plan.Seed, r.bed)
	for i := range r.Plan.Nodes {
		r.workload.sockets = append(r.workload.sockets, r.grid.Socket(i))
	}
	return nil
}

// shape puts a daemon behind its proxy.
func (r *run) shape(i int, c *config.Config) {
	c.Listen, c.Advertise, c.DialFrom = r.fabric.listen(i), r.fabric.door(i), r.fabric.address(i)
	c.CPUs = 1
}

// start starts the daemons and waits until the grid is ready.
func (r *run) start(ctx context.Context) error {
	limit, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	nodes, err := r.grid.Form(limit)
	if err != nil {
		return fmt.Errorf("the daemons are no grid within %v, or one has failed: %w", readyLimit, err)
	}
	for _, n := range nodes {
		r.letters = append(r.letters, trials.LetterOf(n.Node.String()))
	}
	return nil
}

// faulty is the part of the run with faults and load. At its end everything is healed.
func (r *run) faulty(ctx context.Context) {
	working, stop := context.WithCancel(ctx)
	var clients sync.WaitGroup
	for i := range clientCount {
		clients.Go(func() { r.workload.run(working, i) })
	}
	for n, f := range r.Plan.Faults {
		r.at(r.zero+f.At, func() { r.inflict(working, n, f) })
	}
	r.at(r.zero, r.sample)
	r.until(ctx, r.zero+r.Plan.Duration)
	stop()
	clients.Wait()
	r.say("the faults are over")
	// Healing is on the agenda, and some of it later than the end of the plan.
	for r.isBusy() && ctx.Err() == nil {
		r.until(ctx, trials.BootTime()+100*milli)
	}
	r.until(ctx, trials.BootTime()+r.Plan.Bounds.Restart)
	r.report.HealedAfter = trials.BootTime() - r.zero
	r.say("all is healed")
}

// until follows the agenda up to a time, and watches the daemons.
func (r *run) until(ctx context.Context, end time.Duration) {
	for ctx.Err() == nil {
		wake := min(end, r.doDue())
		now := trials.BootTime()
		if now >= end {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(max(0, wake-now)):
		case i := <-r.grid.Ended():
			r.ended(i)
		case then := <-r.answers:
			then()
		}
	}
}

// ended restarts a daemon after it has ended by itself, as a supervisor does.
func (r *run) ended(i int) {
	how := r.grid.Gone(i)
	defer delete(r.leaving, i)
	switch {
	case r.down[i]:
		return
	case r.leaving[i] != nil && how.ExitCode() == 0:
		r.goes(i)
		return
	}
	if how.ExitCode() == local.ExitFenced {
		r.report.Fences++
		r.say("n%d has fenced itself: %s", i+1, r.lastWords(i))
		r.down[i] = true
		r.at(trials.BootTime()+time.Second, func() { r.restart(i) })
		return
	}
	text := fmt.Sprintf("at %v daemon n%d has ended by itself: %v; the last line of its log: %s",
		trials.BootTime()-r.zero, i+1, how, r.lastWords(i))
	r.say("%s", text)
	r.report.Exits = append(r.report.Exits, text)
	r.down[i] = true
	r.at(trials.BootTime()+time.Second, func() { r.restart(i) })
}

func (r *run) restart(i int) {
	if r.grid.Alive(i) { // its end was not reported yet
		r.at(trials.BootTime()+10*milli, func() { r.restart(i) })
		return
	}
	delete(r.down, i)
	if err := r.grid.Start(i); err != nil {
		r.report.Exits = append(r.report.Exits, err.Error())
	}
	r.say("n%d is started again", i+1)
}

// lastWords is the last line of the log of a daemon.
func (r *run) lastWords(i int) string {
	text, _ := os.ReadFile(r.grid.Log(i))
	return trials.LastLine(string(text))
}

// folders are those of all daemons, including lost ones.
func (r *run) folders() (all []string) {
	for i := range r.Plan.Nodes {
		all = append(all, r.grid.Data(i))
	}
	for _, l := range r.lost {
		all = append(all, l.folder)
	}
	return all
}

// sample measures the daemons repeatedly during the faults.
func (r *run) sample() {
	for i := range r.Plan.Nodes {
		if !r.grid.Alive(i) {
			continue
		}
		pid := r.grid.PID(i)
		if u, ok := trials.UsageOf(pid); ok {
			r.samples[pid] = append(r.samples[pid], u)
		}
	}
	if next := trials.BootTime() + sampleEvery; next < r.zero+r.Plan.Duration {
		r.at(next, r.sample)
	}
}
