package metric

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// ErrRecords says that the records do not fit the workload and the platform.
var ErrRecords = errors.New("the records do not fit the workload and the platform")

// latest bounds times, in microseconds: the difference of two such times is a 64-bit number.
const latest = int64(1) << 62

func beyond(micros int64) bool { return micros <= -latest || micros >= latest }

// check returns the jobs that ran, by index, and counts the others by reason.
func check(
	w *scheduler.Workload, p *scheduler.Platform, records []scheduler.Record,
) (ran []job, excluded map[string]int, err error) {
	if len(records) != len(w.Jobs) {
		return nil, nil, fmt.Errorf("%w: %d records for %d jobs, want one for each",
			ErrRecords, len(records), len(w.Jobs))
	}
	of := make([]*scheduler.Record, len(w.Jobs))
	for i := range records {
		r := &records[i]
		switch {
		case r.Job < 0 || r.Job >= len(w.Jobs):
			return nil, nil, fmt.Errorf("%w: record %d is of job %d, want 0 to %d",
				ErrRecords, i, r.Job, len(w.Jobs)-1)
		case of[r.Job] != nil:
			return nil, nil, fmt.Errorf("%w: job %d has two records, want one", ErrRecords, r.Job)
		}
		of[r.Job] = r
	}
	ran, excluded = make([]job, 0, len(w.Jobs)), map[string]int{}
	for i, r := range of {
		j := &w.Jobs[i]
		if i > 0 && j.SubmitMicros < w.Jobs[i-1].SubmitMicros {
			return nil, nil, fmt.Errorf("%w: job %d is submitted before job %d, want jobs sorted by submission",
				ErrRecords, i, i-1)
		}
		if r.Excluded != "" {
			excluded[r.Excluded]++
			continue
		}
		if problem := wrong(j, p, r, w.Tasks == nil); problem != "" {
			return nil, nil, fmt.Errorf("%w: job %d (number %d in its log) %s", ErrRecords, i, j.Number, problem)
		}
		ran = append(ran, job{
			index: i, cluster: r.Cluster, nodes: int64(j.Nodes), user: j.User,
			submit: j.SubmitMicros, start: r.StartMicros, end: r.EndMicros,
		})
	}
	return ran, excluded, nil
}

// wrong describes an error in the record of a job that ran; "" if it is valid.
func wrong(j *scheduler.Job, p *scheduler.Platform, r *scheduler.Record, isRigid bool) string {
	switch {
	case j.Nodes < 1:
		return fmt.Sprintf("needs %d nodes, want at least 1", j.Nodes)
	case r.Cluster < 0 || r.Cluster >= len(p.Clusters):
		return fmt.Sprintf("ran in cluster %d, want 0 to %d", r.Cluster, len(p.Clusters)-1)
	case j.Nodes > p.Clusters[r.Cluster].Nodes:
		return fmt.Sprintf("needs %d nodes and ran in cluster %q, which has %d",
			j.Nodes, p.Clusters[r.Cluster].Name, p.Clusters[r.Cluster].Nodes)
	case beyond(j.SubmitMicros) || beyond(r.StartMicros) || beyond(r.EndMicros):
		return "has a time beyond 2^62 µs"
	case r.StartMicros < j.SubmitMicros:
		return fmt.Sprintf("started at %d µs, before its submission at %d µs", r.StartMicros, j.SubmitMicros)
	case !isRigid && r.EndMicros < r.StartMicros:
		return fmt.Sprintf("ended at %d µs, before its start at %d µs", r.EndMicros, r.StartMicros)
	case isRigid && (j.RunMicros < 0 || r.EndMicros-r.StartMicros != j.RunMicros):
		return fmt.Sprintf("started at %d µs and ended at %d µs, want a run of %d µs",
			r.StartMicros, r.EndMicros, j.RunMicros)
	}
	return ""
}
