package experiment

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/embed"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// Prediction is how wrong the predictions of latencies are.
type Prediction struct {
	Errors       embed.Errors `json:"errors"`
	Floor        embed.Errors `json:"floor"`        // of a tree of the sites; zero pairs without sites
	Measurements int          `json:"measurements"` // by all hosts; 0 if not counted
	Hosts        int          `json:"hosts"`
}

// nearNanos is how far apart a pair is at most that is near (Jackson 2015, table 5.6), and
// floorRestarts how many random trees of sites are climbed from.
const (
	nearNanos     = 10_000
	floorRestarts = 100
)

// predict runs a cell that predicts latencies. The seed draws the input and all that the method
// draws.
func (l *Lab) predict(ctx context.Context, experiment string, c *Cell, seed uint64) (*Outcome, error) {
	how, input, found := strings.Cut(c.Get("predict"), " of ")
	method, rest, timed := strings.Cut(how, ":")
	if found && method == "clusters" {
		return l.clusters(ctx, experiment, c, rest, input, seed)
	}
	var effort embed.Effort
	var err error
	if timed {
		effort.Rounds, err = strconv.Atoi(rest)
	}
	if !found || err != nil || timed && effort.Rounds < 1 {
		return nil, usage.Errorf("predict is %q: write METHOD of INPUT or METHOD:ROUNDS of INPUT, as in "+
			"\"vivaldi:128000 of umiacs-like\"", c.Get("predict"))
	}
	g, err := embed.Parse(input, l.Data, seed)
	if errors.Is(err, embed.ErrNoData) {
		return nil, noData{err}
	}
	if err != nil {
		return nil, asUsage(err)
	}
	began := time.Now()
	made, err := embed.Predict(g.Input, method, effort, seed)
	if err != nil {
		return nil, asUsage(err)
	}
	row := &Row{
		Schema: RowSchema, Experiment: experiment, Settings: c.Resolved(), Seed: seed,
		Commit: l.Commit, Go: runtime.Version(), Source: g.Name, PlatformNodes: g.Hosts,
		ElapsedSeconds: time.Since(began).Seconds(), PeakBytes: taken(), Summary: metric.Summary{},
		Prediction: &Prediction{
			Errors: embed.Compare(g.Input, made, nearNanos), Floor: g.Floor(floorRestarts), Hosts: g.Hosts,
		},
	}
	if t, ok := made.(*embed.Anchors); ok {
		row.Prediction.Measurements = t.Measured()
	}
	return &Outcome{Row: row}, nil
}
