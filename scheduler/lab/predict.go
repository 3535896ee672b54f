package lab

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// Prediction is how wrong the predictions of latencies are.
type Prediction struct {
	Errors       latency.Errors `json:"errors"`
	Floor        latency.Errors `json:"floor"`        // of a tree of the sites; zero pairs without sites
	Measurements int            `json:"measurements"` // by all hosts; 0 if not counted
	Hosts        int            `json:"hosts"`
}

// nearNanos is how far apart a pair is at most that is near (Jackson 2015, table 5.6), and
// floorRestarts how many random trees of sites are climbed from.
const (
	nearNanos     = 10_000
	floorRestarts = 100
)

// predict runs a cell that predicts latencies, or finds clusters. The seed draws the input and all
// that the method draws.
func (l *Lab) predict(ctx context.Context, row *Row, text string) error {
	how, input, found := strings.Cut(text, " of ")
	method, rest, timed := strings.Cut(how, ":")
	if found && method == "clusters" {
		return l.cluster(ctx, row, rest, input)
	}
	var effort latency.Effort
	var err error
	if timed {
		effort.Rounds, err = strconv.Atoi(rest)
	}
	if !found || err != nil || timed && effort.Rounds < 1 {
		return usage.Errorf("predict is %q: write METHOD of INPUT or METHOD:ROUNDS of INPUT, as in "+
			"\"vivaldi:128000 of umiacs-like\"", text)
	}
	g, err := latency.Parse(input, l.Data, row.Seed)
	if err != nil {
		return missing(err)
	}
	began := time.Now()
	made, err := latency.Predict(g.Input, method, effort, row.Seed)
	if err != nil {
		return asUsage(err)
	}
	row.took(time.Since(began))
	row.Source, row.PlatformNodes = g.Name, g.Hosts
	row.Prediction = &Prediction{
		Errors: latency.Compare(g.Input, made, nearNanos), Floor: g.Floor(floorRestarts), Hosts: g.Hosts,
	}
	if t, ok := made.(*latency.Anchors); ok {
		row.Prediction.Measurements = t.Measured()
	}
	return nil
}

// cluster runs a cell that finds clusters.
func (l *Lab) cluster(ctx context.Context, row *Row, settings, input string) error {
	s, others, err := cluster.ParseSettings(settings)
	if err == nil && len(others) > 0 {
		err = fmt.Errorf("%q is no setting of clusters", others[0])
	}
	if err != nil {
		return usage.Errorf("predict is %q: %v", row.Settings.Get("predict"), err)
	}
	g, err := latency.Parse(input, l.Data, row.Seed)
	if err != nil {
		return missing(err)
	}
	began := time.Now()
	f, err := l.found.find(ctx, input, g.Input, s, row.Seed)
	if err != nil {
		return err
	}
	quality := f.Quality(g.Input)
	row.took(time.Since(began))
	row.Source, row.PlatformNodes, row.Clusters = g.Name, g.Hosts, &quality
	return nil
}
