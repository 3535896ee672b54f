package lab

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// actual replays the waits of a log. They include limits of users and down time, which no
// simulation has.
type actual struct{}

// Policies implements [scheduler.System].
func (actual) Policies() []scheduler.Policy {
	return []scheduler.Policy{{Name: "actual", Rule: "no policy: jobs start when the log says that they did"}}
}

// Settings implements [scheduler.System].
func (actual) Settings() []scheduler.Setting { return nil }

// Prepare implements [scheduler.System].
func (actual) Prepare(func(string) string) (scheduler.Runner, error) { return replay, nil }

func replay(_ context.Context, w *scheduler.Workload, g *scheduler.Ground, _ uint64) (*scheduler.Result, error) {
	records := make([]scheduler.Record, len(w.Jobs))
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if j.WaitMicros < 0 {
			return nil, fmt.Errorf("policy actual: job %d (number %d) has no wait in the log; use a log that has, "+
				"or another policy", i, j.Number)
		}
		r := scheduler.Record{
			Job: i, StartMicros: j.SubmitMicros + j.WaitMicros, EndMicros: j.SubmitMicros + j.WaitMicros + j.RunMicros,
		}
		if at := j.Partition - 1; at >= 0 && at < int64(len(g.Clusters)) {
			r.Cluster = int(at)
		}
		records[i] = r
	}
	return &scheduler.Result{Records: records, Digest: scheduler.Digest(records)}, nil
}
