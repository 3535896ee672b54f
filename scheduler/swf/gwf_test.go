package swf_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// gridJob makes a line of 29 fields from the first eleven, the user, the site and the structure.
func gridJob(first, user, site, structure string) string {
	f := strings.Fields(first)
	f = append(f, user, "G0", "X0", "Q0", "-1", "S0", site, structure)
	for len(f) < 29 {
		f = append(f, "-1")
	}
	return strings.Join(f, "\t") + "\n"
}

const gridHeader = "# Version: 1.0\n# MaxProcs : 475\n# a sentence\nJobID\tSubmitTime\tWaitTime\n"

func gridLog() string {
	return gridHeader +
		gridJob("1 1136070024 10.5 138467 1 138371.2 98652 1 259200 -1 1", "U7", "clrlcgce01", "UNITARY") +
		gridJob("2 1136070690 0 11 4 x none 2 -1 -1 0", "U3", "clr lcg", "BAG_OF_TASKS") +
		gridJob("3 1136070000 -1 -1 -1 -1 -1 1 -1 -1 5", "U7", "", "-1") +
		gridJob("4 1136070700 3 12 2 -1 -1 -1 -1 -1 1", "-1", "clrlcgce01", "UNITARY")
}

// The first eleven fields are those of the Standard Workload Format, names have numbers, and the
// clock begins with the first submission.
func TestGridLog(t *testing.T) {
	w := read(t, gridLog(), swf.Options{Format: "gwf"})
	const s = scheduler.Second
	job := func(number, submit, wait, run, request int64, nodes int, user, site, status int64) scheduler.Job {
		return scheduler.Job{
			Number: number, SubmitMicros: submit, WaitMicros: wait, RunMicros: run, RequestMicros: request, Nodes: nodes,
			EstimateMicros: -1, User: user, Group: 1, Executable: 1, Queue: 1, Partition: site, Status: status,
		}
	}
	assert.Equal(t, []scheduler.Job{
		job(1, 24*s, 10_500_000, 138_467*s, 259_200*s, 1, 1, 1, 1),
		job(2, 690*s, 0, 11*s, -1, 2, 2, 2, 0),
		job(4, 700*s, 3*s, 12*s, -1, 2, -1, 1, 1),
	}, w.Jobs)
	assert.Equal(t, []string{"clrlcgce01", "clr lcg"}, w.Partitions)
	assert.Equal(t, 475, w.Nodes)
	assert.Equal(t, []scheduler.Statement{
		{Name: "MaxProcs", Text: "475", Value: 475}, {
			Name: "UnixStartTime", Text: "1136070000", Value: 1_136_070_000, Derived: "the first submission",
		},
	}, w.Header)
	assert.Equal(t, []scheduler.Change{
		{
			What: "ignored: part of a bag of tasks or a workflow (fields 19 and 20); it is submitted when the log says",
			Jobs: 1,
		},
		{What: "ignored: no CPU time of the format (field 6); nothing uses it", Jobs: 1},
		{What: "ignored: no used memory of the format (field 7); nothing uses it", Jobs: 1},
		{What: "dropped: no run time (zero or unknown)", Jobs: 1},
		{What: "used: allocated processors for the size, since none are requested", Jobs: 1},
		{What: "sorted: submitted before the job ahead of it in the log", Jobs: 1},
	}, w.Changes)

	var out bytes.Buffer
	require.NoError(t, swf.Write(&out, w))
	assert.Contains(t, out.String(), "; Partition: 1 clrlcgce01\n; Partition: 2 clr lcg\n")
	assert.Equal(t, w.Jobs, read(t, out.String(), swf.Verbatim()).Jobs)
}

func TestGridLogsAsOtherSystemsLeaveThem(t *testing.T) {
	want := read(t, gridLog(), swf.Options{Format: "gwf"}).Jobs
	for name, text := range map[string]string{
		"CR LF":                   strings.ReplaceAll(gridLog(), "\n", "\r\n"),
		"a byte order mark":       "\xef\xbb\xbf" + gridLog(),
		"packed, zeros after it":  zipped(t, gridLog()) + "\x00\x00",
		"a tab after the last":    strings.ReplaceAll(gridLog(), "\t-1\n", "\t-1\t\n"),
		"values that are missing": strings.ReplaceAll(gridLog(), "\t-1\t", "\t\t"),
	} {
		assert.Equal(t, want, read(t, text, swf.Options{Format: "gwf"}).Jobs, name)
	}
	blanks := strings.ReplaceAll(gridJob("1 5 0 4 2 -1 -1 2 9 -1 1", "U", "S", "UNITARY"), "\t", "  ")
	assert.Len(t, read(t, blanks, swf.Options{Format: "gwf"}).Jobs, 1)
}

func TestErrorsOfGridLogs(t *testing.T) {
	good := gridJob("1 5 0 4 2 -1 -1 2 9 -1 1", "U", "S", "UNITARY")
	for _, c := range []struct{ log, want string }{
		{gridJob("1 5 0 4 2 -1 -1 two 9 -1 1", "U", "S", "UNITARY"),
			`log:1: field 8 (requested processors): "two" is not a whole number; --skip-bad counts and skips such lines`},
		{good + "1\t2\t3\n", "log:2: 3 fields, expected 29; --skip-bad counts and skips such lines"},
		{log("1 0 0 4 2 2 9 1"), "log:1: 18 fields, expected 29; such lines are of the Standard Workload Format: " +
			"name the log swf:FILE"},
		{"", "log: the file is empty, expected lines of 29 fields; give a log in the Grid Workloads Format, plain or " +
			"compressed with gzip"},
		{"# MaxProcs: 1,02\n" + good, `log:1: the header states a MaxProcs of "1,02", expected a whole number such as ` +
			"1024 or 1,024, or N/A; correct the header"},
	} {
		_, _, err := swf.Read(strings.NewReader(c.log), "log", swf.Options{Format: "gwf"})
		assert.EqualError(t, err, c.want)
	}
	_, _, err := swf.Read(strings.NewReader("# a comment\n"+good), "log", swf.Options{})
	assert.ErrorContains(t, err, "name the log gwf:FILE")
	_, _, err = swf.Read(strings.NewReader(good), "log", swf.Options{})
	assert.ErrorContains(t, err, "name the log gwf:FILE")
}

// FuzzReadGrid finds no log that makes the reader panic, and writes each workload.
func FuzzReadGrid(f *testing.F) {
	f.Add([]byte(gridLog()))
	f.Add([]byte(gridJob("1 1152921504606 0 4 2 -1 -1 2 9.0000000 -1 1", "U", "S\x00", "")))
	f.Add([]byte("\xef\xbb\xbfJobID\r\n"))
	fuzzFormat(f, "gwf")
}

// fuzzFormat reads a file, and writes and reads the workload.
func fuzzFormat(f *testing.F, format string) {
	f.Fuzz(func(t *testing.T, file []byte) {
		_, _, _ = swf.Read(bytes.NewReader(file), "log", swf.Options{Format: format, SkipBad: true, Unit: "node"})
		w, _, err := swf.Read(bytes.NewReader(file), "log", swf.Options{Format: format})
		if err == nil {
			checkSecondReading(t, w)
			for _, j := range w.Jobs {
				require.LessOrEqual(t, j.Partition, int64(len(w.Partitions)))
			}
		}
	})
}
