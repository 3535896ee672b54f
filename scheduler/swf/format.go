package swf

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// Format is a format of logs.
type Format struct {
	Name     string // as [Options] name it: "swf"
	Ending   string // of its files: ".swf"
	Sentence string
}

// Formats lists the formats that are read. The first is the usual one.
func Formats() []Format {
	return []Format{
		{"swf", ".swf", "The Standard Workload Format, of the Parallel Workloads Archive."},
		{"gwf", ".gwf", "The Grid Workloads Format, of the Grid Workloads Archive."},
		{"sacct", ".sacct", "The output of Slurm's sacct --parsable2."},
	}
}

// dialect is how a format writes its lines.
type dialect struct {
	read   func(line []byte) error // takes a line without its end
	want   string                  // of a line: "lines of 18 fields"
	remedy string                  // for a file of another kind
}

func (r *reader) dialectOf() dialect {
	switch r.options.Format {
	case "gwf":
		return dialect{
			(&gridLog{reader: r}).readLine, "lines of 29 fields",
			"give a log in the Grid Workloads Format, plain or compressed with gzip",
		}
	case "sacct":
		return dialect{
			(&slurmLog{reader: r, seen: map[slurmRun]bool{}}).readLine, "lines of sacct --parsable2",
			"give the output of " + sacctCommand + ", plain or compressed with gzip",
		}
	}
	return dialect{r.readLine, "lines of 18 fields", remedyLog}
}

// otherFormat proposes the format that a line seems to have, if it is another one; or "".
func otherFormat(line []byte, than string) string {
	fields := len(bytes.Fields(line))
	switch {
	case bytes.Contains(line, []byte("JobID")) && bytes.IndexByte(line, '|') >= 0 && than != "sacct":
		return "such lines are of sacct: name the log sacct:FILE"
	case fields == gridFields && than != "gwf", than == "swf" && line[0] == '#':
		return "such lines are of the Grid Workloads Format: name the log gwf:FILE"
	case fields == fieldCount && than != "swf", than != "swf" && line[0] == ';':
		return "such lines are of the Standard Workload Format: name the log swf:FILE"
	}
	return ""
}

// names numbers the names of a column from 1, in the order in which they come.
type names struct {
	numbers map[string]int64
	all     []string
}

// number returns the number of a name.
func (n *names) number(name string) int64 {
	if isUnknown(name) {
		return scheduler.Unknown
	}
	number, known := n.numbers[name]
	if !known {
		if n.numbers == nil {
			n.numbers = map[string]int64{}
		}
		name = strings.Clone(name)
		n.all = append(n.all, name)
		number = int64(len(n.all))
		n.numbers[name] = number
	}
	return number
}

// isUnknown reports whether a text says that a value is not known.
func isUnknown(text string) bool {
	switch text {
	case "", "-1", "Unknown", "None", "N/A", "NULL", "(null)":
		return true
	}
	return false
}

// settleFormat moves the clock of a workload whose times are those of Unix to its first submission,
// and gives it the names of partitions.
func (r *reader) settleFormat(w *scheduler.Workload) {
	if r.options.Format == "swf" || r.first < 0 {
		return
	}
	w.Partitions = r.partitions.all
	for i := range w.Jobs {
		w.Jobs[i].SubmitMicros -= r.first
	}
	seconds := r.first / scheduler.Second
	w.Origin.UnixMicros = r.first
	w.Header = append(w.Header, scheduler.Statement{
		Name: "UnixStartTime", Text: fmt.Sprint(seconds), Value: seconds, Derived: "the first submission",
	})
}
