package report

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/metric"
)

// JobTable writes the jobs of runs as a table of CSV, a line for each job.
type JobTable struct{ out *csv.Writer }

// jobColumns are the columns of a table of jobs. Numbers that a log does not have are -1, as in the
// Standard Workload Format. Jobs that did not run have no start, no end, no cluster and no hosts.
var jobColumns = []string{
	"run", "seed", "number", "submit_micros", "start_micros", "end_micros", "nodes", "run_micros",
	"requested_micros", "estimate_micros", "user", "group", "queue", "partition", "executable", "status",
	"cluster", "hosts", "moved_by", "counted", "excluded",
}

// NewJobTable begins a table.
func NewJobTable(w io.Writer) (*JobTable, error) {
	t := &JobTable{csv.NewWriter(w)}
	return t, t.out.Write(jobColumns)
}

// Add adds the jobs of a run, which the table calls by a number.
func (t *JobTable) Add(ctx context.Context, number int, o *lab.Outcome) error {
	lines, err := jobLines(ctx, number, o)
	if err != nil {
		return err
	}
	return t.write(lines)
}

func (t *JobTable) write(lines [][]string) error {
	if err := t.out.WriteAll(lines); err != nil {
		return fmt.Errorf("write the jobs: %w", err)
	}
	return nil
}

// jobLines are the lines of the jobs of a run.
func jobLines(ctx context.Context, number int, o *lab.Outcome) ([][]string, error) {
	if o.Workload == nil {
		return nil, lab.ErrNoJobs
	}
	hosts, err := o.Hosts(ctx)
	if err != nil {
		return nil, err
	}
	counted, err := metric.Counted(o.Workload, o.Platform, o.Records, metric.Options{Trim: o.Row.Summary.Trim})
	if err != nil {
		return nil, err
	}
	run, seed := strconv.Itoa(number), strconv.FormatUint(o.Row.Seed, 10)
	lines := make([][]string, len(o.Records))
	for i, r := range o.Records {
		j, cluster := &o.Workload.Jobs[r.Job], ""
		if r.Excluded == "" {
			cluster = o.Platform.Clusters[r.Cluster].Name
		}
		lines[i] = []string{
			run, seed, decimal(j.Number), decimal(j.SubmitMicros), ran(r, r.StartMicros), ran(r, r.EndMicros),
			strconv.Itoa(j.Nodes), decimal(j.RunMicros), decimal(j.RequestMicros), decimal(j.EstimateMicros),
			decimal(j.User), decimal(j.Group), decimal(j.Queue), decimal(j.Partition), decimal(j.Executable),
			decimal(j.Status), cluster, hosts[i].String(), movedBy(o, r.Job), strconv.FormatBool(counted[r.Job]),
			r.Excluded,
		}
	}
	return lines, nil
}

// ExportJobs runs the cells of rows again, several at once, and writes their jobs as one table, in
// the order of [Ordered]. The jobs of a row have its number in [RowTable]; a row of predictions has
// no jobs. Equal rows give equal tables with any number of workers.
func ExportJobs(ctx context.Context, in *lab.Lab, rows []*lab.Row, workers int, w io.Writer) error {
	table, err := NewJobTable(w)
	if err != nil {
		return err
	}
	type result struct {
		lines [][]string
		err   error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	turns := make(chan chan result, max(1, workers)-1) // the runs behind the one that is written next
	go func() {
		defer close(turns)
		for i, r := range Ordered(rows) {
			if r.Settings.Get("predict") != "" {
				continue // it has no jobs
			}
			done := make(chan result, 1)
			select {
			case turns <- done:
			case <-ctx.Done():
				return
			}
			go func() {
				o, err := in.Again(ctx, r)
				var lines [][]string
				if err == nil {
					lines, err = jobLines(ctx, i+1, o)
				}
				done <- result{lines, err}
			}()
		}
	}()
	for done := range turns {
		r := <-done
		if r.err != nil {
			return r.err
		}
		if err := table.write(r.lines); err != nil {
			return err
		}
	}
	return ctx.Err()
}
