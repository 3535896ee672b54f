package report

import (
	"context"
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

func writeCSV(w io.Writer, o *lab.Outcome) error {
	t, err := NewJobTable(w)
	if err != nil {
		return err
	}
	return t.Add(context.Background(), 1, o)
}

// movedBy names the algorithms that have moved a job from its first cluster.
func movedBy(o *lab.Outcome, job int) string {
	if o.MovedBy == nil {
		return ""
	}
	return o.MovedBy(job)
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// ran is a time of a job that ran.
func ran(r scheduler.Record, micros int64) string {
	if r.Excluded != "" {
		return ""
	}
	return decimal(micros)
}
