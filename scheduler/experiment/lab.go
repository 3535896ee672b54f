package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/embed"
	"github.com/canvass-grid/canvass/scheduler/generate"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/platform"
	"github.com/canvass-grid/canvass/scheduler/swf"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// Lab runs cells. It may be used by several goroutines at once.
type Lab struct {
	Data   string // folder of logs that are not found where their name says; "" for none
	Commit string // of the program, for rows
	Strict bool   // a job that can never run is an error
	Cores  Cores  // runs cells of fidelity cores; nil: none can be run

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
	Moves    []reptask.Moves // by job; nil if no job can move, or the cores ran

	again retraced
}

// ErrNoData says that a log is not there.
var ErrNoData = errors.New("there is no such log")

// noData is an error about data other than a log that is not there.
type noData struct{ error }

// Unwrap returns the error.
func (e noData) Unwrap() error { return e.error }

// Is reports whether an error is looked for that says so.
func (noData) Is(target error) bool { return target == ErrNoData }

// Run runs a cell with a seed. Errors about its settings are [usage.Error], those about a log that
// is missing are [ErrNoData].
func (l *Lab) Run(ctx context.Context, experiment string, c *Cell, seed uint64) (*Outcome, error) {
	if err := l.readsOf(c); err != nil {
		return nil, err
	}
	if c.Get("predict") != "" {
		return l.predict(ctx, experiment, c, seed)
	}
	policy, runner, err := policyOf(c)
	if err != nil {
		return nil, err
	}
	if overlapping(c.Get("clustering")) && !runner.overlaps {
		return nil, usage.Errorf("clustering %s: a central policy such as %s has no overlapping clusters; "+
			"use disjoint:N, or static, dlb, qb or qb+dlb", c.Get("clustering"), policy.Name)
	}
	if !runner.overlaps {
		if err := unused(c); err != nil {
			return nil, err
		}
	}
	runner, counts, err := l.engine(c, runner)
	if err != nil {
		return nil, err
	}
	w, p, err := l.jobs(c, policy, seed)
	if err != nil {
		return nil, err
	}
	on, err := l.grounds(ctx, c, p, seed)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	result, err := runner.run(ctx, w, on, c, seed)
	if stopped := ctx.Err(); stopped != nil && err != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, asUsage(err)
	}
	elapsed := time.Since(began)
	if l.Strict {
		if err := allRan(w, result.records); err != nil {
			return nil, err
		}
	}
	summary, err := metric.Summarise(w, p, result.records, metric.Options{Trim: c.Get("trim")})
	if err != nil {
		return nil, asUsage(err)
	}
	row := &Row{
		Schema: RowSchema, Experiment: experiment, Settings: c.Resolved(), Seed: seed,
		Commit: l.Commit, Go: runtime.Version(),
		Source: w.Name, SourceDigest: w.Digest, PlatformNodes: p.Nodes(),
		SpanSeconds: float64(w.SpanMicros()) / float64(scheduler.Second), Changes: w.Changes,
		StartsDigest: result.digest, Decentralised: result.counts, Cores: counts, Summary: summary,
		ClusteringDigest: on.digest, Clusters: on.quality, FirstExcluded: firstExcluded(w, result.records),
		ElapsedSeconds: elapsed.Seconds(), PeakBytes: taken(),
	}
	return &Outcome{row, w, p, result.records, result.moves, retracing(w, on, c, seed)}, nil
}

// jobs reads or makes the jobs of a cell and its platform. Errors about the log come before errors
// about the platform.
func (l *Lab) jobs(c *Cell, policy Policy, seed uint64) (*scheduler.Workload, *scheduler.Platform, error) {
	w, err := l.Workload(c, seed)
	if err != nil {
		return nil, nil, err
	}
	if policy.Estimates {
		if err := workload.CanEstimate(w, c.Get("estimate")); err != nil {
			return nil, nil, asUsage(err)
		}
	}
	p, err := Platform(c, w)
	if err != nil {
		return nil, nil, err
	}
	if w, err = Selected(c, w, p.Nodes(), seed); err != nil {
		return nil, nil, err
	}
	if policy.Estimates {
		if w, err = workload.Estimate(w, c.Get("estimate"), seed); err != nil {
			return nil, nil, asUsage(err)
		}
	}
	return w, p, nil
}

// mostExcluded is how many jobs that were never started a row names.
const mostExcluded = 10

// firstExcluded lists the numbers of the first jobs that were never started.
func firstExcluded(w *scheduler.Workload, records []scheduler.Record) (numbers []int64) {
	for _, r := range records {
		if r.Excluded != "" && len(numbers) < mostExcluded {
			numbers = append(numbers, w.Jobs[r.Job].Number)
		}
	}
	return numbers
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
		"filter:size<=N, or exclude them without --strict", grouped(excluded, "job"), thousands(int64(len(records))),
		w.Jobs[first].Number, records[first].Excluded)
}

// ErrNoJobs says that a run is not about jobs, but about the prediction of latencies.
var ErrNoJobs = usage.Errorf("this run has no jobs: it predicts latencies")

// taken is the memory that the process has from the operating system.
func taken() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// Workload reads or makes the jobs of a cell, before any selection. The result is shared and must
// not be changed.
func (l *Lab) Workload(c *Cell, seed uint64) (*scheduler.Workload, error) {
	text := c.Get("workload")
	name, found := strings.CutPrefix(text, "swf:")
	switch {
	case text == "":
		return nil, usage.Errorf("no workload is given: use --workload swf:FILE, or a generator: " +
			"lublin:N=1000,nodes=128")
	case !found:
		w, err := generate.Parse(text, seed)
		return w, asUsage(err)
	}
	skip, err := c.yes("skip-bad")
	if err != nil {
		return nil, err
	}
	path := l.find(name)
	o := swf.Options{
		ZeroRun: c.Get("zero-run"), NoProcessors: c.Get("no-processors"), Overrun: c.Get("overrun"),
		Size: c.Get("processors"), Status: c.Get("status"), Unit: c.Get("unit"), SkipBad: skip,
	}
	return l.read(path, o)
}

// logSuffixes are the endings of logs.
var logSuffixes = []string{".swf", ".swf.gz"}

func isLog(name string) bool {
	return slices.ContainsFunc(logSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// logsLike says which logs a path may have meant that is not there: those beside it, and those of
// the folder of data.
func (l *Lab) logsLike(path string) string {
	name := filepath.Base(path)
	folders := []string{filepath.Dir(path)}
	if within, err := filepath.Rel(l.Data, path); err == nil && l.Data != "" {
		folders = append(folders, filepath.Dir(within)) // where it was looked for first
	}
	var part, all []string
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // a folder that is not there has no logs to propose
		}
		for _, e := range entries {
			if !isLog(e.Name()) || slices.Contains(all, e.Name()) {
				continue
			}
			all = append(all, e.Name())
			if strings.Contains(strings.ToLower(e.Name()), strings.ToLower(name)) {
				part = append(part, e.Name())
			}
		}
	}
	if len(part) == 0 {
		part = usage.Nearest(name, all)
	}
	switch {
	case 0 < len(part) && len(part) <= mostProposed:
		return usage.Question(part, all)
	case l.Data == "":
		return "name the folder that holds it with --data or CANVASS_DATA"
	case 0 < len(all) && len(all) <= mostListed:
		return "the logs that can be found are " + strings.Join(all, ", ")
	}
	return fmt.Sprintf("the folder of data, %s, has %d other logs", l.Data, len(all))
}

// mostListed bounds the logs that an error lists if no name is similar to the given one.
const mostListed = 20

// mostProposed bounds the names that an error proposes.
const mostProposed = 3

// find returns the path of a log: as it is, or in the folder of data.
func (l *Lab) find(name string) string {
	if _, err := os.Stat(name); err != nil && l.Data != "" && !filepath.IsAbs(name) {
		return filepath.Join(l.Data, name)
	}
	return name
}

// read reads a log, or returns it as it was read before with the same options.
func (l *Lab) read(path string, o swf.Options) (*scheduler.Workload, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	key := fmt.Sprintf("%s %+v", path, o)
	if w := l.logs[key]; w != nil {
		return w, nil
	}
	if err := l.reads(path); err != nil {
		return nil, err
	}
	w, _, err := swf.ReadFile(path, o)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s; %s", ErrNoData, path, l.logsLike(path))
	}
	if err != nil {
		return nil, err
	}
	if l.logs == nil || len(l.logs) >= mostLogs {
		l.logs = map[string]*scheduler.Workload{}
	}
	l.logs[key] = w
	return w, nil
}

// readsOf asks whether the files may be read that a cell names, apart from its log.
func (l *Lab) readsOf(c *Cell) error {
	clusters, isFile := strings.CutPrefix(c.Get("clustering"), "file:")
	if !isFile {
		clusters = ""
	}
	return l.reads(append(embed.Files(l.Data), platform.FileOf(c.Get("platform")), clusters)...)
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

// mostLogs bounds the logs that stay in memory: a large one takes 50 MB.
const mostLogs = 4

// Platform makes the clusters of a cell. Without a platform, they are one pool as large as the
// machine that the log is from.
func Platform(c *Cell, w *scheduler.Workload) (*scheduler.Platform, error) {
	name := c.Get("platform")
	if name == "" {
		if w.Nodes == 0 {
			return nil, usage.Errorf("%s does not say how large its machine was; use --platform pool:N, or another",
				w.Name)
		}
		name = fmt.Sprintf("pool:%d", w.Nodes)
	}
	p, err := platform.Parse(name)
	if err != nil && platform.FileOf(name) != "" {
		return nil, err // of the file, not of the command line
	}
	if err != nil {
		return nil, asUsage(err)
	}
	pool, err := c.yes("pool")
	if err != nil {
		return nil, err
	}
	if pool {
		p = platform.Pool(p)
	}
	return clustered(c, p)
}

func clustered(c *Cell, p *scheduler.Platform) (*scheduler.Platform, error) {
	text := c.Get("clustering")
	if text == "actual" || overlapping(text) {
		return p, nil
	}
	var n int
	if _, err := fmt.Sscanf(text, "disjoint:%d", &n); err != nil || text != fmt.Sprintf("disjoint:%d", n) {
		return nil, usage.Errorf("clustering is %q: use actual, disjoint:N for groups of N nodes, "+
			"overlap:N, dyn:N, dyn-sym:N, or file:PATH", text)
	}
	cut, err := platform.Disjoint(p, n)
	return cut, asUsage(err)
}

// Selected applies the selections of a cell. Some of them scale the load of a number of nodes.
func Selected(c *Cell, w *scheduler.Workload, nodes int, seed uint64) (*scheduler.Workload, error) {
	text := c.Get("select")
	if text == "" {
		return w, nil
	}
	w, err := workload.Select(w, text, nodes, seed)
	return w, asUsage(err)
}

// usage marks an error as one about the settings.
func asUsage(err error) error {
	if err == nil || errors.Is(err, embed.ErrMatrix) || errors.Is(err, fileio.ErrKind) {
		return err // an error in a file is no usage error
	}
	return usage.Errorf("%v", err)
}
