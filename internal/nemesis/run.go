package nemesis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
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

	// Touched by the goroutine of Run only.
	due     []action
	crashed []crash
	down    map[int]bool    // killed or left, and not started again yet
	leaving map[int]*leaver // made to leave, in the present life
	silent  int             // daemons that did not answer when records were collected
	readAt  time.Duration   // when records were collected last, on CLOCK_BOOTTIME
	stopped map[int]int     // pauses of a process, by pid
	stops   []stop          // what was stopped when

	mu      sync.Mutex
	kills   map[string]bool // jobs of which a process was killed
	left    []string        // processes that outlived their daemon
	samples map[int][]usage // by life
	letters []string        // names of the nodes, without their lives
}

// action is something to do later.
type action struct {
	at time.Duration // CLOCK_BOOTTIME
	do func()
}

// crash is a kill of a daemon, or the end of one that left.
type crash struct {
	node int
	at   time.Duration
}

// Run carries out a plan, and judges. An error means that the run could not be made.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{
		Options: o, down: map[int]bool{}, leaving: map[int]*leaver{}, stopped: map[int]int{}, kills: map[string]bool{},
		samples: map[int][]usage{}, report: newReport(o),
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
	outputs := r.outputs(ctx, final)
	if ctx.Err() != nil {
		return nil, ctx.Err() // what was not looked at must not count
	}
	r.checks.Wait()
	killed := r.grid.End()
	return r.report, r.judge(final, outputs, killed)
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
		Shape: func(i int, c *node.Config) {
			c.Listen, c.Advertise, c.DialFrom = r.fabric.listen(i), r.fabric.door(i), r.fabric.address(i)
			c.CPUs = 1
		},
	}
	if err := r.grid.Make(); err != nil {
		r.fabric.close()
		return err
	}
	r.workload = &workload{
		seed: r.Plan.Seed, binary: r.grid.Binary, task: []string{filepath.Join(bin, "task"), taskWord, r.ledger},
		jobs: map[string]*handed{},
	}
	for i := range r.Plan.Nodes {
		r.workload.sockets = append(r.workload.sockets, r.grid.Socket(i))
	}
	return nil
}

// start starts the daemons and waits until the grid is ready.
func (r *run) start(ctx context.Context) error {
	for i := range r.Plan.Nodes {
		if err := r.grid.Start(i); err != nil {
			return err
		}
	}
	limit, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	for {
		nodes, err := api.NewClient(r.grid.Socket(0)).Nodes(limit)
		if err == nil && local.Formed(nodes, r.Plan.Nodes) {
			for _, n := range nodes {
				letter, _, _ := strings.Cut(n.Node.String(), ".")
				r.letters = append(r.letters, letter)
			}
			return nil
		}
		select {
		case <-limit.Done():
			return errors.Join(fmt.Errorf("the grid is not ready after %v", readyLimit), err)
		case i := <-r.grid.Ended():
			return fmt.Errorf("daemon n%d has ended before the grid was ready (%v); its log is %s",
				i+1, r.grid.Gone(i), r.grid.Log(i))
		case <-time.After(100 * milli):
		}
	}
}

// at puts an action off.
func (r *run) at(at time.Duration, do func()) {
	i, _ := slices.BinarySearchFunc(r.due, at+1, func(a action, t time.Duration) int { return cmp.Compare(a.at, t) })
	r.due = slices.Insert(r.due, i, action{at, do})
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
	for len(r.due) > 0 && ctx.Err() == nil {
		r.until(ctx, r.due[0].at)
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
		}
	}
}

// exitFenced is how a daemon ends whose life is over: it can begin another one at once.
const exitFenced = 3

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
	if how.ExitCode() == exitFenced {
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

// settle waits until all jobs have ended and all daemons are members again, and then makes each
// daemon run a job. It gives up when no job has ended for the time that the grid has to settle:
// faults of many minutes leave many jobs behind.
func (r *run) settle(ctx context.Context) map[string]*jobs.Record {
	healed := bootTime()
	last, fewest := healed, math.MaxInt
	final := map[string]*jobs.Record{}
	for ctx.Err() == nil {
		r.until(ctx, bootTime()+200*milli)
		open := r.collect(ctx, final)
		whole, why := r.whole(ctx)
		if r.report.Open, r.report.Unsettled = open, why; len(open) == 0 && whole {
			break
		}
		limit := r.Settle
		if !r.Plan.Bounds.Progress() {
			limit = min(limit, unjudged)
		}
		if len(open) < fewest {
			last, fewest = bootTime(), len(open)
		}
		if now := bootTime(); now-last > limit || now-healed > mostSettling*limit {
			r.say("not settled: %d jobs are open; %s", len(open), why)
			r.explain(ctx, final)
			break
		}
	}
	r.report.SettledAfter = bootTime() - healed
	r.probe(ctx)
	// A daemon that has ended meanwhile is started again, so that its records can be read.
	for limit := bootTime() + readyLimit; ctx.Err() == nil && bootTime() < limit; {
		r.until(ctx, bootTime()+100*milli)
		r.silent, r.readAt = 0, bootTime()
		if r.collect(ctx, final); r.silent == 0 {
			break
		}
	}
	return final
}

// mostSettling bounds how many times the time to settle may begin anew.
const mostSettling = 20

// collect reads the records of all daemons, and returns the jobs that have not ended.
func (r *run) collect(ctx context.Context, final map[string]*jobs.Record) (open []string) {
	for i, socket := range r.workload.sockets {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		all, err := api.NewClient(socket).Jobs(limited)
		cancel()
		if err != nil {
			r.silent++
			open = append(open, fmt.Sprintf("those of n%d, which does not answer: %v", i+1, err))
		}
		for _, record := range all {
			final[record.ID] = record
			if !record.State.Final() {
				open = append(open, fmt.Sprintf("%s at n%d: %s, %d attempts, wish %q, %s",
					record.ID, i+1, record.State, len(record.Attempts), record.Wish, record.Note))
			}
		}
	}
	return open
}

// explain logs what the daemons say of the jobs that have not ended.
func (r *run) explain(ctx context.Context, final map[string]*jobs.Record) {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	nodes, err := api.NewClient(r.workload.sockets[0]).Nodes(limited)
	cancel()
	r.say("error %v", err)
	for _, n := range nodes {
		r.say("%v: zone %s, cluster %v, queue %d, runs %q", n.Node, n.Zone, n.Cluster, n.Queue, n.Running)
	}
	for id, h := range r.workload.jobs {
		record := final[id]
		if record == nil || record.State.Final() {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, callLimit)
		why, err := api.NewClient(r.workload.sockets[h.entry]).Why(limited, id)
		cancel()
		r.say("%s of %d at n%d, owner %v, custodians %v, tries %d, changes %v: %+v %v", id, h.spec.Tasks, h.entry+1,
			record.Owner, record.Custodians.Nodes(), record.Tries, record.Changes, why, err)
	}
}

// whole reports whether all daemons answer, are members, and know each other, and zones of members
// are all of the map.
func (r *run) whole(ctx context.Context) (bool, string) {
	for i, socket := range r.workload.sockets {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		nodes, err := api.NewClient(socket).Nodes(limited)
		cancel()
		if err != nil {
			return false, fmt.Sprintf("n%d does not answer: %v", i+1, err)
		}
		if len(nodes) != r.Plan.Nodes {
			return false, fmt.Sprintf("n%d knows %d nodes, not %d", i+1, len(nodes), r.Plan.Nodes)
		}
		for _, n := range nodes {
			if n.Error != "" || n.Zone == "" {
				return false, fmt.Sprintf("n%d says of %v: phase %q %s", i+1, n.Node, n.Phase, n.Error)
			}
		}
		if broken := api.Broken(nodes); broken != "" {
			return false, fmt.Sprintf("n%d says: %s", i+1, broken)
		}
	}
	return true, ""
}

// unjudged is how long a run waits for what is not judged.
const unjudged = 20 * time.Second

// probeLimit is how long a job takes at most in a grid that has settled.
const probeLimit = 15 * time.Second

// probe hands one job in at each daemon.
func (r *run) probe(ctx context.Context) {
	for i := range r.workload.sockets {
		c := &client{r.workload, r.workload.number(), nil}
		h := &handed{key: fmt.Sprintf("probe-%d", i), entry: i, duration: 50 * milli}
		h.spec = jobs.Spec{Tasks: min(4, r.Plan.Nodes), Command: append(slices.Clone(c.task), h.duration.String(), "0")}
		limited, cancel := context.WithTimeout(ctx, probeLimit)
		began := bootTime()
		record, err := c.daemon(h).Submit(limited, api.Submission{Spec: h.spec, Key: h.key})
		if err == nil {
			c.acknowledged(h, record)
			record, err = c.daemon(h).Wait(limited, record.ID)
		}
		cancel()
		if err != nil || record.State != jobs.Succeeded {
			r.report.Probes = append(r.report.Probes, fmt.Sprintf("a job of %d tasks at n%d: %v", h.spec.Tasks, i+1, err))
		}
		r.say("a job at n%d took %v, error %v", i+1, (bootTime() - began).Round(milli), err)
	}
}

// outputs fetches what the tasks of jobs have printed that have succeeded, by job and rank.
func (r *run) outputs(ctx context.Context, final map[string]*jobs.Record) map[string][]string {
	all := map[string][]string{}
	for id, h := range r.workload.jobs {
		record := final[id]
		if record == nil || record.State != jobs.Succeeded {
			continue
		}
		for rank := range record.Spec.Tasks {
			limited, cancel := context.WithTimeout(ctx, callLimit)
			out, err := api.NewClient(r.workload.sockets[h.entry]).Output(limited, id,
				api.OutputQuery{Attempt: -1, Rank: rank, Stream: "stdout"})
			cancel()
			text := string(out.Data)
			if err != nil {
				text = "error: " + err.Error()
			}
			all[id] = append(all[id], text)
		}
	}
	return all
}
