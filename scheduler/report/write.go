package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// JobsWriter returns the function that writes the jobs of a run in the format that the name of a
// file asks for by its ending; false if there is none.
func JobsWriter(path string) (write func(io.Writer, *lab.Outcome) error, ok bool) {
	kind, zipped := Ending(path)
	plain, ok := map[string]func(io.Writer, *lab.Outcome) error{"swf": writeSWF, "csv": writeCSV}[kind]
	return func(w io.Writer, o *lab.Outcome) error {
		return Compressed(w, zipped, func(out io.Writer) error { return plain(out, o) })
	}, ok
}

func writeSWF(w io.Writer, o *lab.Outcome) error {
	return swf.WriteSchedule(w, o.Workload, o.Records)
}

// jobColumns are the columns of a CSV file of jobs.
var jobColumns = []string{
	"number", "submit_micros", "start_micros", "end_micros", "nodes", "run_micros", "user", "cluster",
	"moved_by", "excluded",
}

func writeCSV(w io.Writer, o *lab.Outcome) error {
	out := csv.NewWriter(w)
	if err := out.Write(jobColumns); err != nil {
		return err
	}
	for _, r := range o.Records {
		j, cluster := o.Workload.Jobs[r.Job], ""
		if r.Excluded == "" {
			cluster = o.Platform.Clusters[r.Cluster].Name
		}
		if err := out.Write([]string{
			number(j.Number), number(j.SubmitMicros), ran(r, r.StartMicros), ran(r, r.EndMicros), strconv.Itoa(j.Nodes),
			number(j.RunMicros), number(j.User), cluster, movedBy(o, r.Job), r.Excluded,
		}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// movedBy names the algorithms that have moved a job from its first cluster.
func movedBy(o *lab.Outcome, job int) string {
	if o.MovedBy == nil {
		return ""
	}
	return o.MovedBy(job)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// ran is a time of a job that ran.
func ran(r scheduler.Record, micros int64) string {
	if r.Excluded != "" {
		return ""
	}
	return number(micros)
}
