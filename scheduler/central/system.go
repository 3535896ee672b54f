package central

import (
	"context"

	"github.com/canvass-grid/canvass/scheduler"
)

// System has the policies of this package. Two of its settings, choice and passes, are common ones.
type System struct{}

// Policies implements [scheduler.System].
func (System) Policies() []scheduler.Policy {
	var list []scheduler.Policy
	for _, p := range policies() {
		list = append(list, p.Policy)
	}
	return list
}

// Settings implements [scheduler.System].
func (System) Settings() []scheduler.Setting {
	return []scheduler.Setting{{
		Name: "compress", Default: compressEach, Values: Compressions(),
		Doc: "with conservative, reservations after a job has ended early: each moves to an earlier time if " +
			"it can (as in pyss), they keep their order and move up (as in Alea), all are made anew, or they never " +
			"change: each, order, anew or never",
	}}
}

// Prepare implements [scheduler.System].
func (System) Prepare(value func(setting string) string) (scheduler.Runner, error) {
	o := Options{Policy: value("policy"), Choice: value("choice"), Passes: value("passes"), Compress: value("compress")}
	if _, err := find(o); err != nil {
		return nil, err
	}
	return func(ctx context.Context, w *scheduler.Workload, g *scheduler.Ground, seed uint64) (*scheduler.Result, error) {
		o := o // runs can take place at the same time
		o.Seed = seed
		r, err := Run(ctx, w, g.Platform, o)
		if err != nil {
			return nil, err
		}
		result := &scheduler.Result{Records: r.Records, Tasks: r.Tasks, Digest: r.Digest}
		if r.Tasks != nil {
			result.Counts = scheduler.Worth(w, r.Records)
			result.Hosts = func(context.Context) ([]scheduler.NodeSet, error) {
				return scheduler.AllocateTasks(g.Platform, w, r.Tasks)
			}
		}
		return result, nil
	}, nil
}
