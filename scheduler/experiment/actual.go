package experiment

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

func actualPolicies() []Policy {
	return []Policy{{Name: "actual", Rule: "no policy: jobs start when the log says that they did"}}
}

// runActual replays the waits of a log. They include limits of users and down time, which no
// simulation has.
func runActual(
	_ context.Context, w *scheduler.Workload, p *grounds, _ *Cell, _ uint64,
) (*ran, error) {
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
		if at := j.Partition - 1; at >= 0 && at < int64(len(p.Clusters)) {
			r.Cluster = int(at)
		}
		records[i] = r
	}
	return &ran{records: records, digest: scheduler.Digest(records)}, nil
}
