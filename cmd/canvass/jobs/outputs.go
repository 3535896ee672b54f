package jobs

import (
	"errors"
	"fmt"
	"path"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
)

// outputsOf are the outputs of the last attempt of a job. With several tasks each rank has a
// folder. The error names an output that is lost and that the pattern may mean.
func (e Env) outputsOf(r *jobs.Record, pattern string) (all []jobs.File, err error) {
	last := r.Last()
	if last == nil {
		return nil, nil
	}
	e.remark(r)
	for rank := range last.Ranks {
		told := &last.Ranks[rank]
		place := func(name string) string {
			if r.Spec.Tasks == 1 {
				return name
			}
			return path.Join(fmt.Sprintf("rank-%d", rank), name)
		}
		if told.Lacks(pattern, place) {
			err = errors.Join(err, fmt.Errorf("%w: rank %d: %s", blobs.ErrLost, rank, told.Problem))
		}
		for _, f := range told.Outputs {
			f.Path = verbatim.Text(place(string(f.Path)))
			all = append(all, f)
		}
	}
	return all, err
}

// remark names missing outputs of a job.
func (e Env) remark(r *jobs.Record) {
	if last := r.Last(); last != nil {
		for rank := range last.Ranks {
			for _, text := range last.Ranks[rank].Remarks {
				e.Stderr.Printf("canvass: %s, outputs of rank %d: %s\n", r.ID, rank, text)
			}
		}
	}
}
