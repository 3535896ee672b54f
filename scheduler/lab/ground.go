package lab

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/latency"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// maxClusters bounds a file of clusters, in bytes.
const maxClusters = 64 << 20

// ground is where a workload runs, with the facts about its clusters that rows have.
type ground struct {
	scheduler.Ground
	digest  string           // of a file of clusters
	quality *cluster.Quality // of clusters that were found
}

// ground makes the ground of a run. The seed determines found clusters.
func (l *Lab) ground(
	ctx context.Context, s *groundSettings, p *scheduler.Platform, seed uint64,
) (*ground, error) {
	g := &ground{Ground: scheduler.Ground{Platform: p}}
	g.Sites = func(kind string, seed uint64) (func(a, b int) int64, error) { return l.sites(p, kind, seed) }
	var err error
	switch s.kind {
	case "overlap":
		g.Lists, err = platform.Overlap(p, s.nodes)
		return g, asUsage(err)
	case "split", "nested":
		g.Lists, err = platform.Bad(p, s.nodes, s.share, s.kind == "nested")
		return g, asUsage(err)
	case "file":
		return g, g.read(s.path)
	case "dyn", "dyn-sym":
		return g, l.search(ctx, s, g, seed)
	}
	return g, nil
}

// sites places the clusters of a platform at sites of a kind, and returns the round trips between
// them.
func (l *Lab) sites(p *scheduler.Platform, kind string, seed uint64) (func(a, b int) int64, error) {
	sites, err := latency.SitesOf(kind, l.Data, seed)
	if err != nil {
		return nil, missing(err)
	}
	at := siteOf(p)
	sites = latency.First(sites, at[len(at)-1]+1, seed)
	return func(a, b int) int64 { return sites.Nanos(at[a]%sites.Hosts, at[b]%sites.Hosts) }, nil
}

// siteOf numbers the sites of clusters. Groups into which a cluster was cut are at one site.
func siteOf(p *scheduler.Platform) []int {
	at := make([]int, len(p.Clusters))
	numbers := map[string]int{}
	for c := range p.Clusters {
		name, _, _ := strings.Cut(p.Clusters[c].Name, "/")
		if _, there := numbers[name]; !there {
			numbers[name] = len(numbers)
		}
		at[c] = numbers[name]
	}
	return at
}

// search finds clusters by predicted latencies.
func (l *Lab) search(ctx context.Context, s *groundSettings, g *ground, seed uint64) error {
	on, err := latency.At(g.Platform, s.sites, l.Data, seed)
	if err != nil {
		return missing(err)
	}
	f, err := l.found.find(ctx, s.platform+" "+on.Name+":sites="+s.sites, on.Input, s.search, seed)
	if err != nil {
		return err
	}
	quality := f.Quality(on.Input)
	g.quality, g.Lists = &quality, f.Lists(s.kind == "dyn-sym")
	return nil
}

// missing marks an error about latencies: data that are not there are no mistake of the user.
func missing(err error) error {
	if errors.Is(err, latency.ErrNoData) {
		return noData{err}
	}
	return asUsage(err)
}

// read reads a file of clusters.
func (g *ground) read(path string) error {
	text, err := fileio.Read(path, maxClusters)
	if err != nil {
		return fmt.Errorf("read clusters: %w", err)
	}
	clusters, err := platform.DecodeClusters(path, text)
	if err != nil {
		return err
	}
	g.digest = fmt.Sprintf("%x", sha256.Sum256(text))[:16]
	g.Lists, err = clusters.Lists(g.Platform)
	return err
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
	ctx context.Context, name string, in *latency.Input, s cluster.Settings, seed uint64,
) (*cluster.Found, error) {
	key := fmt.Sprintf("%s %d %d %d %d", name, s.Size, s.DiameterNanos, s.Aggregate, seed)
	m.lock.Lock()
	before := m.all[key]
	m.lock.Unlock()
	if before != nil {
		return before.Again(in, s.Memberships, s.Criterion), nil
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
