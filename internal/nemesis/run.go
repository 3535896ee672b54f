package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
)

// Options are what a run needs beside its plan.
type Options struct {
	Plan    Plan
	Canvass string        // the program under test
	Task    string        // a program that calls Task with what follows the word "task"
	Folder  string        // of the run; it must not exist
	Settle  time.Duration // after healing, within which a job ends each time, and the grid is as before at last
	Log     io.Writer     // what happens, line by line; nil: nobody reads it
}

const (
	readyLimit  = time.Minute
	leftLimit   = time.Second // within which nothing of a killed daemon is left
	sampleEvery = 2 * time.Second
)

// run is one run.
type run struct {
	Options
	grid     local.Grid
	fabric   *fabric
	workload *workload
	ledger   string
	zero     time.Duration // when the grid was ready
	report   *Report
	checks   sync.WaitGroup
	answers  chan func()

	// Touched by the goroutine of Run only.
	due     []action
	open    int // what later has begun, and that has not ended
	crashed []crash
	down    map[int]bool    // killed or left, and not started again yet
	leaving map[int]*leaver // made to leave, in the present life
	silent  int             // daemons that did not answer when records were collected
	readAt  time.Duration   // when records were collected last, on CLOCK_BOOTTIME
	stopped map[int]int     // pauses of a process, by pid
	stops   []stop          // what was stopped when
	letters []string        // names of the nodes, without their lives
	lost    []lostMachine

	hostiles []string // names of members that are no daemons

	mu      sync.Mutex
	kills   map[string]bool // jobs of which a task was killed, and not only its shim
	left    []string        // processes that outlived their daemon
	samples map[int][]usage // by life
}

// action is something to do later.
type action struct {
	at time.Duration // CLOCK_BOOTTIME
	do func()
}

// crash is a kill of a daemon, or the end of one that left.
type crash struct {
	letter string // of the node
	at     time.Duration
}

// Run carries out a plan, and judges. An error means that the run could not be made.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{
		Options: o, down: map[int]bool{}, leaving: map[int]*leaver{}, stopped: map[int]int{}, kills: map[string]bool{},
		samples: map[int][]usage{}, report: newReport(o),
		answers: make(chan func(), answersMax),
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	defer r.fabric.close()
	defer r.grid.End()
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	r.zero = bootTime()
	r.say("the grid is ready")
	r.faulty(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	final := r.settle(ctx)
	outputs, files := r.outputs(ctx, final), r.files(ctx, final)
	if ctx.Err() != nil {
		return nil, ctx.Err() // what was not looked at must not count
	}
	r.checks.Wait()
	killed := r.grid.End()
	return r.report, r.judge(&evidence{run: r, final: final, outputs: outputs, files: files, killed: killed})
}

func (r *run) say(format string, args ...any) {
	if r.Log == nil {
		return
	}
	at := time.Duration(0)
	if r.zero > 0 {
		at = bootTime() - r.zero
	}
	fmt.Fprintf(r.Log, "%9.3f  %s\n", at.Seconds(), fmt.Sprintf(format, args...))
}

// prepare makes the folders. Programs are copied, so that processes of this run are known by
// their program.
func (r *run) prepare() error {
	bin := filepath.Join(r.Folder, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return err
	}
	r.ledger = filepath.Join(r.Folder, "ledger")
	if err := os.WriteFile(r.ledger, nil, 0o600); err != nil {
		return err
	}
	for name, from := range map[string]string{"canvass": r.Canvass, "task": r.Task} {
		program, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(bin, name), program, 0o700); err != nil {
			return err
		}
	}
	var err error
	pid := os.Getpid()
	if r.fabric, err = newFabric(r.Plan.Nodes, [2]byte{byte(1 + pid>>8%254), byte(pid)}); err != nil {
		return err
	}
	if err := os.Setenv("CANVASS_PANIC", "1"); err != nil { // the log of a daemon that panics says where
		return err
	}
	r.grid = local.Grid{
		Folder: filepath.Join(r.Folder, "g"), Binary: filepath.Join(bin, "canvass"), Nodes: r.Plan.Nodes,
		Shutdown: LeaveLimit,
		Shape:    r.shape,
	}
	if err := r.grid.Make(); err != nil {
		r.fabric.close()
		return err
	}
	r.workload = &workload{
		seed: r.Plan.Seed, binary: r.grid.Binary, task: []string{filepath.Join(bin, "task"), taskWord, r.ledger},
		jobs: map[string]*handed{}, programs: make(chan struct{}, programsLimit),
	}
	for i := range r.Plan.Nodes {
		r.workload.sockets = append(r.workload.sockets, r.grid.Socket(i))
	}
	return nil
}

// shape puts a daemon behind its proxy.
func (r *run) shape(i int, c *node.Config) {
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
		r.letters = append(r.letters, letterOf(n.Node.String()))
	}
	return nil
}

// at puts an action off.
func (r *run) at(at time.Duration, do func()) {
	i, _ := slices.BinarySearchFunc(r.due, at+1, func(a action, t time.Duration) int { return cmp.Compare(a.at, t) })
	r.due = slices.Insert(r.due, i, action{at, do})
}

// answersMax bounds what has ended and was not looked at yet.
const answersMax = 64

// later does something that takes time, and then something on the goroutine of Run.
func (r *run) later(do func() error, then func(error)) {
	r.open++
	r.checks.Go(func() {
		err := do()
		r.answers <- func() { r.open--; then(err) }
	})
}

// faulty is the part of the run with faults and load. At its end all is healed.
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
	// What heals is among what is due, and some of it later than the end of the plan.
	for (len(r.due) > 0 || r.open > 0) && ctx.Err() == nil {
		r.until(ctx, bootTime()+100*milli)
	}
	r.until(ctx, bootTime()+r.Plan.Bounds.Restart)
	r.report.HealedAfter = bootTime() - r.zero
	r.say("all is healed")
}

// until does what is due, up to a time, and watches the daemons.
func (r *run) until(ctx context.Context, end time.Duration) {
	for ctx.Err() == nil {
		now := bootTime()
		for len(r.due) > 0 && r.due[0].at <= now {
			next := r.due[0]
			r.due = r.due[1:]
			next.do()
		}
		if now = bootTime(); now >= end {
			return
		}
		wake := end
		if len(r.due) > 0 {
			wake = min(wake, r.due[0].at)
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

// ended starts a daemon again that has ended by itself, as a supervisor does.
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
		r.say("n%d has fenced itself: %s", i+1, lastLine(r.grid.Log(i)))
		r.down[i] = true
		r.at(bootTime()+time.Second, func() { r.restart(i) })
		return
	}
	text := fmt.Sprintf("at %v daemon n%d has ended by itself: %v; the last line of its log: %s",
		bootTime()-r.zero, i+1, how, lastLine(r.grid.Log(i)))
	r.say("%s", text)
	r.report.Exits = append(r.report.Exits, text)
	r.down[i] = true
	r.at(bootTime()+time.Second, func() { r.restart(i) })
}

func (r *run) restart(i int) {
	if r.grid.Alive(i) { // its end was not reported yet
		r.at(bootTime()+10*milli, func() { r.restart(i) })
		return
	}
	delete(r.down, i)
	if err := r.grid.Start(i); err != nil {
		r.report.Exits = append(r.report.Exits, err.Error())
	}
	r.say("n%d is started again", i+1)
}

// lastLine is the last line of a file.
func lastLine(file string) string {
	text, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// sample measures the daemons, again and again while there are faults.
func (r *run) sample() {
	for i := range r.Plan.Nodes {
		if !r.grid.Alive(i) {
			continue
		}
		pid := r.grid.PID(i)
		if u, ok := usageOf(pid); ok {
			r.samples[pid] = append(r.samples[pid], u)
		}
	}
	if next := bootTime() + sampleEvery; next < r.zero+r.Plan.Duration {
		r.at(next, r.sample)
	}
}
