package metric

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// tasksOf returns the tasks of the jobs that ran, as another run. Each task of such a job has one
// record, begins after its predecessors have ended, and lies within its job.
func tasksOf(w *scheduler.Workload, p *scheduler.Platform, ran []job, records []scheduler.Record) (*run, error) {
	table := w.Tasks
	if len(records) != table.Len() {
		return nil, fmt.Errorf("%w: %d records for %d tasks, want one for each", ErrRecords, len(records), table.Len())
	}
	var all []job
	for i := range ran {
		j := &ran[i]
		for task, end := table.Of(j.index); task < end; task++ {
			r := &records[task]
			if problem := wrongTask(table, p, j, r, task); problem != "" {
				return nil, fmt.Errorf("%w: task %d of job %d %s", ErrRecords, task, j.index, problem)
			}
			for _, next := range table.Successors(task) {
				if records[next].StartMicros < r.EndMicros {
					return nil, fmt.Errorf("%w: task %d of job %d starts at %d µs, and its predecessor %d ends at %d µs",
						ErrRecords, next, j.index, records[next].StartMicros, task, r.EndMicros)
				}
			}
			all = append(all, job{
				index: j.index, cluster: r.Cluster, nodes: int64(table.Nodes(task)), user: j.user,
				submit: j.submit, start: r.StartMicros, end: r.EndMicros,
			})
		}
	}
	return newRun(p, all), nil
}

// wrongTask describes an error in the record of a task; "" if it is valid.
func wrongTask(t *scheduler.Tasks, p *scheduler.Platform, j *job, r *scheduler.Record, task int32) string {
	switch {
	case r.Task != task || r.Job != j.index:
		return fmt.Sprintf("has the record of task %d of job %d", r.Task, r.Job)
	case r.Excluded != "":
		return fmt.Sprintf("did not run (%s), but its job did", r.Excluded)
	case r.Cluster < 0 || r.Cluster >= len(p.Clusters):
		return fmt.Sprintf("ran in cluster %d, want 0 to %d", r.Cluster, len(p.Clusters)-1)
	case r.EndMicros-r.StartMicros != t.ExecMicros(task):
		return fmt.Sprintf("started at %d µs and ended at %d µs, want a run of %d µs",
			r.StartMicros, r.EndMicros, t.ExecMicros(task))
	case r.StartMicros < j.start || r.EndMicros > j.end:
		return fmt.Sprintf("ran from %d to %d µs, but its job from %d to %d µs", r.StartMicros, r.EndMicros, j.start, j.end)
	}
	return ""
}
