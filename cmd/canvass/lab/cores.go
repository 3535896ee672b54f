package lab

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	gridsim "github.com/canvass-grid/canvass/sim/grid"
)

// runCores runs a workload on the cores.
func runCores(
	ctx context.Context, w *scheduler.Workload, g *parallel.Grid, o parallel.Options, t experiment.Trouble,
) (*parallel.Result, *experiment.CoreCounts, error) {
	r, err := gridsim.Run(ctx, w, g, gridsim.Options{
		Options: o, Apart: t.Apart, Loss: t.Loss,
		Churn: gridsim.Churn{LeaveMicros: t.LeaveMicros, FailMicros: t.FailMicros, AwayMicros: t.AwayMicros},
	})
	if err != nil {
		return nil, nil, err
	}
	f := &r.Faults
	return &parallel.Result{Records: r.Records, Digest: r.Digest, Counts: r.Counts}, &experiment.CoreCounts{
		Messages: r.Messages, Dropped: f.Dropped, Failed: f.Failed, Left: f.Left, Returned: f.Returned,
		Again: f.Again, Twice: f.Twice, Late: f.LateMicros, LostTogether: f.LostTogether, LostBetween: f.LostBetween,
		LostAdopted: f.LostAdopted, LostUnderWay: f.LostUnderWay, LostOther: f.LostOtherwise,
	}, nil
}

// messages writes how many messages of each kind a job of the first row took, if that row is of the
// cores.
func (env Env) messages(rows []*experiment.Row) {
	if len(rows) == 0 || rows[0].Cores == nil || rows[0].Summary.Submitted == 0 {
		return
	}
	jobs := float64(rows[0].Summary.Submitted)
	var all []string
	sum := uint64(0)
	for _, kind := range slices.Sorted(maps.Keys(rows[0].Cores.Messages)) {
		n := rows[0].Cores.Messages[kind]
		sum += n
		all = append(all, fmt.Sprintf("%s %.4g", kind, float64(n)/jobs))
	}
	fmt.Fprintf(env.Stdout, "messages per job: %.4g; %s\n", float64(sum)/jobs, strings.Join(all, ", "))
}
