package experiment

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/embed"
	"github.com/canvass-grid/canvass/scheduler/metric"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// maxClusters bounds a file of clusters, in bytes.
const maxClusters = 64 << 20

// grounds are the clusters that a workload runs on.
type grounds struct {
	*scheduler.Platform
	lists   [][]int              // the advertised clusters; nil: each node's cluster of the platform
	digest  string               // of a file of clusters
	quality *cluster.Quality     // of clusters that were found
	between func(a, b int) int64 // latencies between clusters; nil if they are those within
}

// overlapping reports whether a clustering gives each node its own list.
func overlapping(clustering string) bool {
	kind, _, found := strings.Cut(clustering, ":")
	return found && slices.Contains([]string{"overlap", "dyn", "dyn-sym", "file"}, kind)
}

// grounds makes the clusters that nodes of a cell advertise. The seed determines found clusters.
func (l *Lab) grounds(ctx context.Context, c *Cell, p *scheduler.Platform, seed uint64) (*grounds, error) {
	text := c.Get("clustering")
	kind, setting, _ := strings.Cut(text, ":")
	g := &grounds{Platform: p}
	var err error
	if g.between, err = l.between(c, p, seed); err != nil {
		return nil, err
	}
	switch {
	case !overlapping(text):
		return g, nil
	case kind == "overlap":
		n, err := strconv.Atoi(setting)
		if err != nil {
			return nil, usage.Errorf("clustering is %q: use overlap:N, N nodes a cluster", text)
		}
		g.lists, err = platform.Overlap(p, n)
		return g, asUsage(err)
	case kind == "file":
		return g, g.read(setting)
	}
	on, s, err := l.placed(text, setting, p, seed)
	if err != nil {
		return nil, err
	}
	f, err := l.found.find(ctx, c.Get("platform")+" "+on.Name, on.Input, s, seed)
	if err != nil {
		return nil, err
	}
	quality := f.Quality(on.Input)
	g.quality, g.lists = &quality, f.Lists(kind == "dyn-sym")
	return g, nil
}

// foundClusters are clusters that were found before. Cells that differ in memberships, criterion or
// symmetry begin with the same candidates.
type foundClusters struct {
	lock sync.Mutex
	all  map[string]*cluster.Found
}

// mostFound bounds the clusterings that stay in memory: one of SHARCNET takes 10 MB.
const mostFound = 24

// find finds the clusters of an input, which has a name that no other input has.
func (m *foundClusters) find(
	ctx context.Context, name string, in *embed.Input, s cluster.Settings, seed uint64,
) (*cluster.Found, error) {
	key := fmt.Sprintf("%s %d %d %d %d", name, s.Size, s.DiameterNanos, s.Aggregate, seed)
	m.lock.Lock()
	known := m.all[key]
	m.lock.Unlock()
	if known != nil {
		return known.Again(in, s.Memberships, s.Criterion), nil
	}
	f, err := cluster.Find(ctx, in, s, seed, nil)
	if err != nil {
		return nil, err
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.all == nil || len(m.all) >= mostFound {
		m.all = map[string]*cluster.Found{}
	}
	m.all[key] = f
	return f, nil
}

// read reads a file of clusters.
func (g *grounds) read(path string) error {
	text, err := fileio.Read(path, maxClusters)
	if err != nil {
		return fmt.Errorf("read clusters: %w", err)
	}
	clusters, err := platform.DecodeClusters(path, text)
	if err != nil {
		return err
	}
	g.digest = fmt.Sprintf("%x", sha256.Sum256(text))[:16]
	g.lists, err = clusters.Lists(g.Platform)
	return err
}

// placed gives a platform latencies, and reads settings of clusters as [cluster.ParseSettings]
// does. The sites are made-up ones, or with sites=median, mean or lowest measured ones.
func (l *Lab) placed(
	clustering, settings string, p *scheduler.Platform, seed uint64,
) (*embed.Grid, cluster.Settings, error) {
	s, others, err := cluster.ParseSettings(settings)
	if err != nil {
		return nil, s, usage.Errorf("clustering is %q: %v", clustering, err)
	}
	sites := "plane"
	for _, other := range others {
		var known bool
		if sites, known = strings.CutPrefix(other, "sites="); !known {
			return nil, s, usage.Errorf("clustering is %q: %q is no setting; use memberships=M, diameter=200us, "+
				"criterion=greedy, aggregate=K or sites=median", clustering, other)
		}
	}
	g, err := embed.At(p, sites, l.Data, seed)
	if errors.Is(err, embed.ErrNoData) {
		return nil, s, noData{err}
	}
	if err != nil {
		return nil, s, asUsage(err)
	}
	g.Name += ":sites=" + sites
	return g, s, nil
}

// clusters runs a cell that finds clusters. The seed draws the input and all that the search draws.
func (l *Lab) clusters(
	ctx context.Context, experiment string, c *Cell, settings, input string, seed uint64,
) (*Outcome, error) {
	s, others, err := cluster.ParseSettings(settings)
	if err == nil && len(others) > 0 {
		err = fmt.Errorf("%q is no setting of clusters", others[0])
	}
	if err != nil {
		return nil, usage.Errorf("predict is %q: %v", c.Get("predict"), err)
	}
	g, err := embed.Parse(input, l.Data, seed)
	if errors.Is(err, embed.ErrNoData) {
		return nil, noData{err}
	}
	if err != nil {
		return nil, asUsage(err)
	}
	began := time.Now()
	f, err := l.found.find(ctx, input, g.Input, s, seed)
	if err != nil {
		return nil, err
	}
	quality := f.Quality(g.Input)
	return &Outcome{Row: &Row{
		Schema: RowSchema, Experiment: experiment, Settings: c.Resolved(), Seed: seed,
		Commit: l.Commit, Go: runtime.Version(), Source: g.Name, PlatformNodes: g.Hosts, Summary: metric.Summary{},
		ElapsedSeconds: time.Since(began).Seconds(), PeakBytes: taken(), Clusters: &quality,
	}}, nil
}
