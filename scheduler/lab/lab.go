package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
	"github.com/canvass-grid/canvass/scheduler/latency"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/platform"
	"github.com/canvass-grid/canvass/scheduler/program"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// Lab runs cells. It may be used by several goroutines at once.
type Lab struct {
	Data   string             // folder of logs that are not found where their name says; "" for none
	Commit string             // of the program, for rows
	Strict bool               // a job that can never run is an error
	Cores  []scheduler.System // that run cells of fidelity cores, for policies that are known

	// Programs runs the policies that are programs; the zero value has the usual limits.
	Programs program.System

	Formulas []*metric.Formula // measures that the user has written, for the rows

	// Reads is called before a file is opened, and may refuse it; nil refuses none.
	Reads func(path string) error

	lock sync.Mutex
	logs map[string]*scheduler.Workload // those read, by path and cleaning

	found foundClusters
}

// Outcome is a run with all that it was made of.
type Outcome struct {
	Row      *Row
	Workload *scheduler.Workload
	Platform *scheduler.Platform
	Records  []scheduler.Record
	MovedBy  func(job int) string // the algorithms that have moved a job; nil if no job can move

	// Hosts returns the nodes of each record. If the system only counts nodes, [scheduler.Allocate]
	// chooses them.
	Hosts func(ctx context.Context) ([]scheduler.NodeSet, error)

	ChoosesNodes bool // the system chooses nodes, rather than only counting them

	retrace func(job int) ([]scheduler.Stop, error) // nil if it is not known where jobs waited
}

// ErrNoData says that a log is not there.
var ErrNoData = errors.New("there is no such log")

// ErrNoJobs says that a run is not about jobs, but about the prediction of latencies.
var ErrNoJobs = usage.Errorf("this run has no jobs: it predicts latencies")

// errNoCores says that the program was built without a simulator.
var errNoCores = errors.New("run the cores: this laboratory lacks them; set Lab.Cores")

// noData is an error about data other than a log that is not there.
type noData struct{ error }

// Unwrap returns the error.
func (e noData) Unwrap() error { return e.error }

// Is reports whether an error is looked for that says so.
func (noData) Is(target error) bool { return target == ErrNoData }

// asUsage marks an error as one about the settings, unless it is about a file, missing data or the
// decisions of a policy.
func asUsage(err error) error {
	if own := (*central.PolicyError)(nil); errors.As(err, &own) {
		return err
	}
	for _, of := range []error{nil, latency.ErrMatrix, fileio.ErrKind, ErrNoData} {
		if errors.Is(err, of) {
			return err
		}
	}
	return usage.Errorf("%v", err)
}

// Run runs a cell with a seed. Errors about its settings are [usage.Error], those about a log that
// is missing are [ErrNoData].
func (l *Lab) Run(ctx context.Context, experiment string, c Cell, seed uint64) (*Outcome, error) {
	if err := l.readsOf(c); err != nil {
		return nil, err
	}
	row := &Row{
		Schema: RowSchema, Experiment: experiment, Settings: c.resolved(), Seed: seed,
		Commit: l.Commit, Go: runtime.Version(),
	}
	row.complete()
	if text := c.Get("predict"); text != "" {
		return &Outcome{Row: row}, l.predict(ctx, row, text)
	}
	s, err := l.read(c)
	if err != nil {
		return nil, err
	}
	w, p, err := l.jobsAndPlatform(s, seed)
	if err != nil {
		return nil, err
	}
	on, err := l.ground(ctx, &s.ground, p, seed)
	if err != nil {
		return nil, err
	}
	row.ClusteringDigest, row.Clusters = on.digest, on.quality
	return l.run(ctx, s, w, on, row)
}

// run runs the jobs of a cell and fills in its row.
func (l *Lab) run(ctx context.Context, s *settings, w *scheduler.Workload, on *ground, row *Row) (*Outcome, error) {
	began := time.Now()
	r, err := s.run(ctx, w, &on.Ground, row.Seed)
	if stopped := ctx.Err(); stopped != nil && err != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, asUsage(err)
	}
	elapsed := time.Since(began)
	if l.Strict {
		if err := allRan(w, r.Records); err != nil {
			return nil, err
		}
	}
	row.Summary, err = metric.Summarise(w, on.Platform, r.Records, metric.Options{Trim: s.trim, Tasks: r.Tasks})
	if errors.Is(err, metric.ErrNoJobs) {
		err = noJobs(w, on.Platform, r.Records, s.trim)
	}
	if err != nil {
		return nil, asUsage(err)
	}
	row.of(w, on.Platform, r)
	if err := row.evaluate(l.Formulas, w, on.Platform, r.Records); err != nil {
		return nil, asUsage(err)
	}
	row.took(elapsed)
	o := &Outcome{
		Row: row, Workload: w, Platform: on.Platform, Records: r.Records, MovedBy: r.MovedBy, Hosts: r.Hosts,
		ChoosesNodes: r.Hosts != nil, retrace: r.Retrace,
	}
	if !o.ChoosesNodes {
		o.Hosts = func(context.Context) ([]scheduler.NodeSet, error) {
			return scheduler.Allocate(on.Platform, w.Jobs, r.Records)
		}
	}
	return o, nil
}

// jobsAndPlatform makes the jobs of a run and its platform. Errors about the log come before errors
// about the platform.
func (l *Lab) jobsAndPlatform(s *settings, seed uint64) (*scheduler.Workload, *scheduler.Platform, error) {
	w, err := l.source(&s.jobs, seed)
	if err != nil {
		return nil, nil, err
	}
	if s.policy.Estimates {
		if err := workload.CanEstimate(w, s.estimate); err != nil {
			return nil, nil, asUsage(err)
		}
	}
	if w.Tasks != nil && s.policy.Name != "" && !s.policy.Tasks {
		return nil, nil, usage.Errorf("the jobs of %s have tasks with an order, but policy %s runs rigid jobs; use policy %s",
			w.Name, s.policy.Name, oneOf(known.withTasks()))
	}
	p, err := s.ground.on(w)
	if err != nil {
		return nil, nil, err
	}
	if w, err = s.jobs.selected(w, p.Nodes(), seed); err != nil {
		return nil, nil, err
	}
	if s.policy.Estimates {
		if w, err = workload.Estimate(w, s.estimate, seed); err != nil {
			return nil, nil, asUsage(err)
		}
	}
	return w, p, nil
}

// Jobs makes the jobs of a cell, and its platform, as a run of it with any policy does. Without a
// platform, it is one pool as large as the machine that the log is from.
func (l *Lab) Jobs(c Cell, seed uint64) (*scheduler.Workload, *scheduler.Platform, error) {
	var s settings
	var err error
	if s.jobs, err = readJobs(c); err != nil {
		return nil, nil, err
	}
	if s.ground, err = readGround(c); err != nil {
		return nil, nil, err
	}
	return l.jobsAndPlatform(&s, seed)
}

// Workload makes the jobs of a cell. The load that they are scaled to is that of the log's machine.
func (l *Lab) Workload(c Cell, seed uint64) (*scheduler.Workload, error) {
	jobs, err := readJobs(c)
	if err != nil {
		return nil, err
	}
	w, err := l.source(&jobs, seed)
	if err != nil {
		return nil, err
	}
	return jobs.selected(w, w.Nodes, seed)
}

// selected applies the selections. Some of them scale the load of a number of nodes.
func (s *jobSource) selected(w *scheduler.Workload, nodes int, seed uint64) (*scheduler.Workload, error) {
	if s.selection == "" {
		return w, nil
	}
	w, err := workload.Select(w, s.selection, nodes, seed)
	return w, asUsage(err)
}

// mostReasons bounds the reasons that an error lists: one for each size of job is possible.
const mostReasons = 10

// noJobs says why no job of a run is counted.
func noJobs(w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record, trim string) error {
	counts, ran := map[string]int{}, 0
	for _, r := range records {
		if r.Excluded == "" {
			ran++
		} else {
			counts[r.Excluded]++
		}
	}
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var parts []string
	remedy := "choose another platform, or select other jobs"
	if ran > 0 {
		parts = append(parts, fmt.Sprintf("trim=%s leaves out %s that ran", trim, metric.Count(ran, "job")))
		remedy = "trim less"
	}
	others := len(records) - ran
	for _, reason := range reasons[:min(len(reasons), mostReasons)] {
		parts = append(parts, fmt.Sprintf("%s excluded (%s)", metric.Count(counts[reason], "job"), reason))
		others -= counts[reason]
	}
	if others > 0 {
		parts = append(parts, fmt.Sprintf("%s excluded for other reasons", metric.Count(others, "job")))
	}
	return fmt.Errorf("%w among the %s of %s on %s: %s; %s", metric.ErrNoJobs, metric.Count(len(records), "job"), w.Name,
		p.Name, strings.Join(parts, ", "), remedy)
}

// allRan refuses runs with jobs that were never started.
func allRan(w *scheduler.Workload, records []scheduler.Record) error {
	excluded, first := 0, -1
	for _, r := range records {
		if r.Excluded == "" {
			continue
		}
		if excluded++; first < 0 {
			first = r.Job
		}
	}
	if excluded == 0 {
		return nil
	}
	return usage.Errorf("%s of %s can never run; the first is number %d: %s; leave them out with --select "+
		"filter:size<=N, or exclude them without --strict", metric.Count(excluded, "job"),
		metric.Thousands(int64(len(records))), w.Jobs[first].Number, records[first].Excluded)
}

// readsOf asks whether the files may be read that a cell names, apart from its log.
func (l *Lab) readsOf(c Cell) error {
	clusters, isFile := strings.CutPrefix(c.Get("clustering"), "file:")
	if !isFile {
		clusters = ""
	}
	files := append(latency.Files(l.Data), platform.FileOf(c.Get("platform")), clusters)
	return l.reads(append(files, program.Files(c.Get("policy"))...)...)
}

// reads asks whether files may be read.
func (l *Lab) reads(paths ...string) error {
	for _, path := range paths {
		if l.Reads == nil || path == "" {
			continue
		}
		if err := l.Reads(path); err != nil {
			return err
		}
	}
	return nil
}
