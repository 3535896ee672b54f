package scheduler

import "fmt"

// Tables has facts about the jobs of a workload that most workloads lack, each in a table by job. A
// table that is nil takes no memory.
type Tables struct {
	Needs  *Needs  // requirements of jobs; nil if any node will do
	Tasks  *Tasks  // with an order; nil if each job is rigid, one task
	Curves *Curves // the value of a job by the time that it takes; nil if there is none
}

// HasTables reports whether there is any table.
func (t *Tables) HasTables() bool { return *t != Tables{} }

// CheckTables demands that each table has all jobs of the workload.
func (w *Workload) CheckTables() error {
	for _, t := range []struct {
		name string
		is   bool
		jobs func() int
	}{
		{"needs", w.Needs != nil && len(w.Needs.Dimensions) > 0, w.Needs.Jobs}, {"tasks", w.Tasks != nil, w.Tasks.Jobs},
		{"curves", w.Curves != nil, w.Curves.Jobs},
	} {
		if t.is && t.jobs() != len(w.Jobs) {
			return fmt.Errorf("workload %q has %d jobs and %s of %d; add those of every job, in order",
				w.Name, len(w.Jobs), t.name, t.jobs())
		}
	}
	return nil
}
