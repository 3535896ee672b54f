package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/platform"
	"github.com/canvass-grid/canvass/scheduler/program"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// settings are the settings of a cell that runs jobs, read.
type settings struct {
	jobs     jobSource
	ground   groundSettings
	policy   scheduler.Policy
	estimate string
	trim     string
	run      scheduler.Runner
}

// jobSource says where jobs come from, and which are taken.
type jobSource struct {
	log       string // a file; or
	cleaning  swf.Options
	generator string // a generator with its settings
	selection string
}

// groundSettings say where jobs run.
type groundSettings struct {
	platform string // "" for a pool as large as the machine of the log
	pool     bool
	clustering
}

// clustering says which clusters nodes advertise.
type clustering struct {
	kind   string           // actual, disjoint, overlap, split, nested, file, dyn or dyn-sym
	nodes  int              // of a cluster; of disjoint, overlap, split and nested
	share  int              // of split and nested: nodes in groups, in per cent
	path   string           // of file
	search cluster.Settings // of dyn and dyn-sym
	sites  string           // likewise
}

// read reads the settings of a cell that runs jobs.
func (l *Lab) read(c Cell) (*settings, error) {
	policy, system, err := known.policy(c.Get("policy"))
	if err != nil {
		return nil, err
	}
	if kind, _, _ := strings.Cut(c.Get("clustering"), ":"); overlapping(kind) && !policy.Overlaps {
		return nil, usage.Errorf("clustering %s: a central policy such as %s has no overlapping clusters; "+
			"use disjoint:N, or %s", c.Get("clustering"), policy.Name, known.overlapping())
	}
	if err := known.unused(c, system); err != nil {
		return nil, err
	}
	if system, err = l.engine(c.Get("fidelity"), policy, system); err != nil {
		return nil, err
	}
	s := &settings{policy: policy, estimate: c.Get("estimate"), trim: c.Get("trim")}
	if s.run, err = system.Prepare(c.Get); err != nil {
		return nil, asUsage(err)
	}
	if s.jobs, err = readJobs(c); err != nil {
		return nil, err
	}
	s.ground, err = readGround(c)
	return s, err
}

// engine returns the system that runs a policy in a fidelity.
func (l *Lab) engine(fidelity string, p scheduler.Policy, bulk scheduler.System) (scheduler.System, error) {
	switch fidelity {
	case "", "bulk":
		if _, is := bulk.(program.System); is {
			return l.Programs, nil
		}
		return bulk, nil
	case "cores":
		for _, s := range l.Cores {
			if slices.Contains(s.Policies(), p) {
				return s, nil
			}
		}
		return nil, errNoCores
	}
	return nil, usage.Errorf("fidelity is %q: use bulk or cores", fidelity)
}

// readJobs reads where the jobs of a cell come from.
func readJobs(c Cell) (s jobSource, err error) {
	s.selection = c.Get("select")
	text := c.Get("workload")
	format, log, isLog := logOf(text)
	switch {
	case text == "":
		return s, usage.Errorf("no workload is given: use --workload swf:FILE, gwf:FILE or sacct:FILE, or a " +
			"generator: lublin:N=1000,nodes=128")
	case !isLog:
		s.generator = text
		return s, nil
	}
	s.log = log
	s.cleaning = swf.Options{
		Format: format, ZeroRun: c.Get("zero-run"), NoProcessors: c.Get("no-processors"), Overrun: c.Get("overrun"),
		Size: c.Get("processors"), Status: c.Get("status"), Unit: c.Get("unit"),
	}
	if s.cleaning.Round, err = readYes(c, "round"); err != nil {
		return s, err
	}
	s.cleaning.SkipBad, err = readYes(c, "skip-bad")
	return s, err
}

// readGround reads where the jobs of a cell run.
func readGround(c Cell) (s groundSettings, err error) {
	s.platform = c.Get("platform")
	if s.pool, err = readYes(c, "pool"); err != nil {
		return s, err
	}
	s.clustering, err = readClustering(c.Get("clustering"))
	return s, err
}

// readYes reads a setting of yes or no.
func readYes(c Cell, name string) (bool, error) {
	switch v := c.Get(name); v {
	case "yes", "no":
		return v == "yes", nil
	default:
		return false, usage.Errorf("%s is %q: use yes or no", name, v)
	}
}

// overlapping reports whether a kind of clustering gives each node its own list.
func overlapping(kind string) bool {
	return slices.Contains([]string{"overlap", "split", "nested", "dyn", "dyn-sym", "file"}, kind)
}

// readClustering reads which clusters nodes advertise.
func readClustering(text string) (c clustering, err error) {
	kind, rest, found := strings.Cut(text, ":")
	c.kind = kind
	number, isNumber := strconv.Atoi(rest)
	switch {
	case text == "actual":
	case kind == "disjoint" && isNumber == nil && rest == strconv.Itoa(number):
		c.nodes = number
	case kind == "overlap" && found:
		if c.nodes = number; isNumber != nil {
			return c, usage.Errorf("clustering is %q: use overlap:N, N nodes a cluster", text)
		}
	case (kind == "split" || kind == "nested") && found:
		return c, c.readBad(text, rest)
	case kind == "file" && found:
		c.path = rest
	case overlapping(kind) && found:
		return c, c.readSearch(text, rest)
	default:
		return c, usage.Errorf("clustering is %q: use actual, disjoint:N for groups of N nodes, "+
			"overlap:N, split:N,share=P%%, nested:N,share=P%%, dyn:N, dyn-sym:N, or file:PATH", text)
	}
	return c, nil
}

// readBad reads the size of the groups of a bad clustering, and how many nodes are in such groups.
func (c *clustering) readBad(text, settings string) (err error) {
	size, share, _ := strings.Cut(settings, ",share=")
	percent, isPercent := strings.CutSuffix(share, "%")
	if c.nodes, err = strconv.Atoi(size); err == nil {
		c.share, err = strconv.Atoi(percent)
	}
	if err != nil || !isPercent {
		return usage.Errorf("clustering is %q: use %s:N,share=50%%, groups of N nodes and half of the nodes in them",
			text, c.kind)
	}
	return nil
}

// readSearch reads settings of a search as [cluster.ParseSettings] does. Sites are made up, or with
// sites=median, mean or lowest measured.
func (c *clustering) readSearch(text, settings string) error {
	search, others, err := cluster.ParseSettings(settings)
	if err != nil {
		return usage.Errorf("clustering is %q: %v", text, err)
	}
	c.search, c.sites = search, "plane"
	for _, other := range others {
		var isSites bool
		if c.sites, isSites = strings.CutPrefix(other, "sites="); !isSites {
			return usage.Errorf("clustering is %q: %q is no setting; use memberships=M, diameter=200us, "+
				"criterion=greedy, aggregate=K or sites=median", text, other)
		}
	}
	return nil
}

// named is the platform that a cell names, or a pool as large as the machine of its log.
func (s *groundSettings) named(w *scheduler.Workload) (string, error) {
	if s.platform != "" {
		return s.platform, nil
	}
	if w.Nodes == 0 {
		return "", usage.Errorf("%s does not say how large its machine was; use --platform pool:N, or another", w.Name)
	}
	return fmt.Sprintf("pool:%d", w.Nodes), nil
}

// on makes the platform for a workload.
func (s *groundSettings) on(w *scheduler.Workload) (*scheduler.Platform, error) {
	name, err := s.named(w)
	if err != nil {
		return nil, err
	}
	p, err := platform.Parse(name)
	if err != nil && platform.FileOf(name) != "" {
		return nil, err // of the file, not of the command line
	}
	if err != nil {
		return nil, asUsage(err)
	}
	if s.pool {
		p = platform.Pool(p)
	}
	if s.kind != "disjoint" {
		return p, nil
	}
	cut, err := platform.Disjoint(p, s.nodes)
	return cut, asUsage(err)
}
