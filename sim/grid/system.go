package grid

import (
	"context"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/sim/load"
)

// System has the policies and settings of the fast engine. It runs them on the cores.
type System struct{ parallel.System }

// Prepare implements [scheduler.System].
func (System) Prepare(value func(setting string) string) (scheduler.Runner, error) {
	s, err := parallel.Read(value)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, w *scheduler.Workload, on *scheduler.Ground, seed uint64) (*scheduler.Result, error) {
		g, o, err := s.On(on, seed)
		if err != nil {
			return nil, err
		}
		t := s.Trouble
		r, err := Run(ctx, w, g, Options{
			Options: o, Apart: t.Apart, Loss: t.Loss,
			Churn: load.Churn{LeaveMicros: t.LeaveMicros, FailMicros: t.FailMicros, AwayMicros: t.AwayMicros},
		})
		if err != nil {
			return nil, err
		}
		return &scheduler.Result{
			Records: r.Records, Digest: r.Digest, Detail: []any{&r.Counts, &r.Cores},
			Hosts: func(context.Context) ([]scheduler.NodeSet, error) { return r.Hosts, nil },
		}, nil
	}, nil
}
