package swf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/canvass-grid/canvass/scheduler"
)

// Write writes a workload as a log. Its jobs must be sorted by submission and hold nothing that the
// format cannot, such as a negative run time; the error names the job.
func Write(out io.Writer, w *scheduler.Workload) error {
	if w.HasTables() {
		return fmt.Errorf("write a log: the jobs of %s have tasks, needs or values, and the format has none of these; "+
			"name the generator and the seed instead", w.Name)
	}
	return write(out, w, func(int, *scheduler.Job) {})
}

// WriteSchedule writes a workload with the records of its jobs, one for each in any order: wait is
// start less submission, run time is end less start, partition is the cluster's index plus 1. A job
// that was excluded has status 5 (cancelled) and no wait, run time, allocated processors and
// partition.
func WriteSchedule(out io.Writer, w *scheduler.Workload, records []scheduler.Record) error {
	of := make([]*scheduler.Record, len(w.Jobs))
	for i := range records {
		r := &records[i]
		if r.Job < 0 || r.Job >= len(of) {
			return fmt.Errorf("write a schedule: a record is of job %d, and the workload has jobs 0 to %d; "+
				"give the workload that was scheduled", r.Job, len(of)-1)
		}
		if of[r.Job] != nil {
			return fmt.Errorf("write a schedule: job %d has two records; give one", r.Job)
		}
		submit := w.Jobs[r.Job].SubmitMicros
		if r.Excluded == "" && (r.StartMicros < submit || r.EndMicros < r.StartMicros) {
			return fmt.Errorf("write a schedule: job %d is submitted at %d µs, starts at %d µs and ends at %d µs; "+
				"these must be in order", r.Job, submit, r.StartMicros, r.EndMicros)
		}
		of[r.Job] = r
	}
	for i, r := range of {
		if r == nil {
			return fmt.Errorf("write a schedule: job %d has no record; give one, with a reason if it was excluded", i)
		}
	}
	return write(out, w, func(i int, j *scheduler.Job) { apply(of[i], j) })
}

// apply puts a record's times into a job. An excluded job is one with an unknown run time.
func apply(r *scheduler.Record, j *scheduler.Job) {
	if r.Excluded != "" {
		j.WaitMicros, j.RunMicros, j.Partition, j.Status = scheduler.Unknown, scheduler.Unknown, scheduler.Unknown, 5
		return
	}
	j.WaitMicros = r.StartMicros - j.SubmitMicros
	j.RunMicros = r.EndMicros - r.StartMicros
	j.Partition = int64(r.Cluster) + 1
}

// write writes the header and a line for each job, as changed by with.
func write(out io.Writer, w *scheduler.Workload, with func(i int, j *scheduler.Job)) error {
	buffered := bufio.NewWriter(out)
	writeHeader(buffered, w)
	var line []byte
	last := int64(0)
	for i := range w.Jobs {
		j := w.Jobs[i]
		// Only a record can say that a job did not run: a job of a workload has a run time.
		if j.RunMicros < 0 {
			return fmt.Errorf("write job %d (number %d): its run time of %d µs is negative", i, j.Number, j.RunMicros)
		}
		with(i, &j)
		if j.SubmitMicros < last {
			return fmt.Errorf("write job %d (number %d): it is submitted at %d µs, before the job ahead of it; "+
				"sort the workload", i, j.Number, j.SubmitMicros)
		}
		last = j.SubmitMicros
		fields := fieldsOf(&j)
		if err := writable(&fields); err != nil {
			return fmt.Errorf("write job %d (number %d): %w", i, j.Number, err)
		}
		line = appendLine(line[:0], &fields)
		if _, err := buffered.Write(line); err != nil {
			return fmt.Errorf("write a log: %w", err)
		}
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write a log: %w", err)
	}
	return nil
}

// writeHeader leaves errors to the Flush that follows.
func writeHeader(out *bufio.Writer, w *scheduler.Workload) {
	fmt.Fprintf(out, "; Version: 2.2\n; MaxJobs: %d\n; MaxRecords: %d\n", len(w.Jobs), len(w.Jobs))
	nodes := w.Origin.MaxNodes
	if !w.Origin.Logged {
		nodes = int64(w.Nodes) // of one processor each
	}
	if nodes > 0 {
		fmt.Fprintf(out, "; MaxNodes: %d\n", nodes)
	}
	if w.Nodes > 0 {
		fmt.Fprintf(out, "; MaxProcs: %d\n", w.Nodes)
	}
	if at := w.Origin.UnixMicros; at > 0 {
		fmt.Fprintf(out, "; UnixStartTime: %d\n", at/scheduler.Second) // whole seconds, as the format has them
	}
	if w.Origin.TimeZone != "" {
		fmt.Fprintf(out, "; TimeZoneString: %s\n", oneLine(w.Origin.TimeZone))
	}
	for i, name := range w.Partitions {
		fmt.Fprintf(out, "; Partition: %d %s\n", i+1, oneLine(name))
	}
	fmt.Fprintf(out, "; Note: made by canvass from %s, SHA-256 %s\n", oneLine(w.Name), oneLine(w.Digest))
	for _, c := range w.Changes {
		fmt.Fprintf(out, "; Note: %s: %d\n", oneLine(c.What), c.Jobs)
	}
}

// oneLine keeps a name from ending its comment, and from being longer than a reader allows.
func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return ' '
	}, s[:min(len(s), 1<<10)])
}

func fieldsOf(j *scheduler.Job) record {
	f := record{
		fieldNumber: j.Number, fieldSubmit: j.SubmitMicros, fieldWait: j.WaitMicros, fieldRun: j.RunMicros,
		fieldAllocated: int64(j.Nodes), fieldCPU: scheduler.Unknown, fieldMemory: scheduler.Unknown,
		fieldRequested: int64(j.Nodes), fieldRequest: j.RequestMicros, fieldRequestedMemory: scheduler.Unknown,
		fieldStatus: j.Status, fieldUser: j.User, fieldGroup: j.Group, fieldExecutable: j.Executable,
		fieldQueue: j.Queue, fieldPartition: j.Partition,
		fieldPreceding: scheduler.Unknown, fieldThink: scheduler.Unknown,
	}
	if j.RunMicros < 0 {
		f[fieldAllocated] = scheduler.Unknown
	}
	return f
}

// writable refuses what a reader would refuse or take for something else.
func writable(f *record) error {
	for i, value := range f {
		least, most := int64(scheduler.Unknown), int64(maxValue)
		switch {
		case i == fieldSubmit:
			least = 0
		case i == fieldRequested:
			least, most = 1, maxSize
		case i == fieldStatus:
			least = -maxValue
		case i == fieldRequest && value == 0:
			return fmt.Errorf("a requested time of zero cannot be written, since readers take it for unknown")
		}
		if value < least || value > most {
			unit := ""
			if fields[i].kind == decimal {
				unit = " µs"
			}
			return fmt.Errorf("its %s is %d%s; the format allows %d to %d", fields[i].name, value, unit, least, most)
		}
	}
	return nil
}

func appendLine(line []byte, f *record) []byte {
	for i, value := range f {
		if i > 0 {
			line = append(line, ' ')
		}
		if fields[i].kind == decimal {
			line = appendSeconds(line, value)
		} else {
			line = strconv.AppendInt(line, value, 10)
		}
	}
	return append(line, '\n')
}

// appendSeconds writes microseconds as seconds, with as many decimals as needed.
func appendSeconds(line []byte, micros int64) []byte {
	if micros < 0 {
		return append(line, "-1"...)
	}
	line = strconv.AppendInt(line, micros/scheduler.Second, 10)
	fraction := micros % scheduler.Second
	if fraction == 0 {
		return line
	}
	digits := fmt.Sprintf(".%06d", fraction)
	return append(line, strings.TrimRight(digits, "0")...)
}
