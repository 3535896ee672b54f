package lab

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/scheduler/cluster"
	"github.com/canvass-grid/canvass/scheduler/latency"
	clustersim "github.com/canvass-grid/canvass/sim/cluster"
)

// onCores is the cost of a refinement on the cores, and how far its clusters are from those of the
// batch: Kolmogorov-Smirnov distances of their sizes.
type onCores struct {
	SteadySeconds   float64 `json:"steady_seconds"` // virtual time
	Messages        uint64  `json:"messages"`
	Steps           uint64  `json:"steps"`
	ApartFound      float64 `json:"found_ks"`
	ApartAdvertised float64 `json:"advertised_ks"`
	AgainSeconds    float64 `json:"again_seconds,omitempty"` // virtual, from a failure until 95 % are in clusters
}

// refineOnCores lets heads and clients refine the candidates of a batch. If some are to fail, they
// do so in a second run.
func refineOnCores(
	ctx context.Context, in *latency.Input, batch *cluster.Found, failPercent int,
) (*cluster.Found, *onCores, error) {
	s := batch.Settings
	cfg := refine.DefaultConfig(s.Memberships, s.Size, uint32(s.DiameterNanos/1000))
	cfg.Criterion = s.Criterion
	micros := func(a, b int) int64 { return (in.Nanos(a, b) + 999) / 1000 }
	r, err := clustersim.Refine(ctx, cfg, batch.Candidates, micros, batch.Seed)
	if err != nil {
		return nil, nil, err
	}
	again := int64(0)
	if failPercent > 0 {
		if again, err = clustersim.Recover(ctx, cfg, batch.Candidates, micros, batch.Seed, 10*failPercent); err != nil {
			return nil, nil, err
		}
	}
	f := batch.Given(r.Own, r.Advertised)
	first, second := batch.Quality(in), f.Quality(in)
	return f, &onCores{
		SteadySeconds: float64(r.SteadyMicros) / 1e6, Messages: r.Messages, Steps: r.Steps,
		ApartFound:      cluster.Apart(&first.Own, &second.Own),
		ApartAdvertised: cluster.Apart(&first.Advertised, &second.Advertised),
		AgainSeconds:    float64(again) / 1e6,
	}, nil
}

// rows are the lines of the table.
func (c *onCores) rows() [][]string {
	rows := [][]string{
		{"KS distance of sizes from the batch", fmt.Sprintf("%.3g", c.ApartFound), fmt.Sprintf("%.3g",
			c.ApartAdvertised)},
		{"virtual time until steady, s", fmt.Sprintf("%.1f", c.SteadySeconds), "-"},
		{"messages", fmt.Sprint(c.Messages), "-"},
		{"steps of the cores", fmt.Sprint(c.Steps), "-"},
	}
	if c.AgainSeconds > 0 {
		again := fmt.Sprintf("%.1f", c.AgainSeconds)
		rows = append(rows, []string{"virtual time until 95 % are in clusters again, s", "-", again})
	}
	return rows
}
