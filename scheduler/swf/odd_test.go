package swf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/swf"
)

// Files as editors, other systems and copies leave them mean the same as the plain one.
func TestOddFilesAreReadAsThePlainOne(t *testing.T) {
	header, jobs := "; Version: 2.2\n; MaxProcs: 1024\n", log("1 0 0 4 2 2 9 1", "2 1.5 0 4 2 2 9 1")
	plain := read(t, header+jobs, swf.Options{})
	require.Equal(t, 1024, plain.Nodes)
	for name, text := range map[string]string{
		"a byte order mark":          "\xef\xbb\xbf" + header + jobs,
		"a mark before the key":      "\xef\xbb\xbf; MaxProcs: 1024\n" + jobs,
		"CR LF":                      strings.ReplaceAll(header+jobs, "\n", "\r\n"),
		"blanks before the colon":    "; MaxProcs : 1024\n" + jobs,
		"a tab before the colon":     ";MaxProcs\t:\t1024\n" + jobs,
		"separators":                 "; MaxProcs: 1,024\n" + jobs,
		"zeros after gzip":           zipped(t, header+jobs) + strings.Repeat("\x00", 512),
		"two members":                zipped(t, header) + zipped(t, jobs),
		"decimals that say nothing":  header + log("1 0.00000000 0 4 2 2 9 1", "2 1.50000000000 0 4.0000000 2 2 9 1"),
		"the machine after the jobs": "; Version: 2.2\n" + jobs + "; MaxProcs: 1024\n",
	} {
		got := read(t, text, swf.Options{})
		assert.Equal(t, plain.Jobs, got.Jobs, name)
		assert.Equal(t, plain.Nodes, got.Nodes, name)
		assert.Empty(t, got.Changes, name)
	}
}

func TestRound(t *testing.T) {
	text := log("1 0.0000004 1.0000005 4.1234567 2 2 9.9999995 1", "2 1 0 4 2 2 9.000000 1")
	w := read(t, text, swf.Options{Round: true})
	j := w.Jobs[0]
	assert.Equal(t, []int64{0, 1_000_001, 4_123_457, 10_000_000},
		[]int64{j.SubmitMicros, j.WaitMicros, j.RunMicros, j.RequestMicros})
	assert.Equal(t, []scheduler.Change{{What: "changed: a time rounded to whole microseconds", Jobs: 1}}, w.Changes)
	_, _, err := swf.Read(strings.NewReader(log("1 0 0 1152921504606.8469769 2 2 9 1")), "log", swf.Options{Round: true})
	assert.ErrorContains(t, err, "field 4 (run time)")
}

// A value that nothing uses is no reason to refuse a log.
func TestFieldsThatAreNotUsed(t *testing.T) {
	w := read(t, "1 0 0 5 1 -7 x 1 9 1.2.3 1 1 1 1 1 1 last -50\n2 0 0 5 1 0.12345678 -1 1 9 -1 1 1 1 1 1 1 -1 -50\n",
		swf.Options{})
	require.Len(t, w.Jobs, 2)
	assert.Equal(t, []scheduler.Change{
		{What: "ignored: no CPU time of the format (field 6); nothing uses it", Jobs: 2},
		{What: "ignored: no used memory of the format (field 7); nothing uses it", Jobs: 1},
		{What: "ignored: no requested memory of the format (field 10); nothing uses it", Jobs: 1},
		{What: "ignored: no preceding job of the format (field 17); nothing uses it", Jobs: 1},
		{What: "ignored: no think time of the format (field 18); nothing uses it", Jobs: 2},
	}, w.Changes)
	_, _, err := swf.Read(strings.NewReader(log("1 0 -50 4 2 2 9 1")), "log", swf.Options{})
	assert.ErrorContains(t, err, "field 3 (wait time)", "policy actual uses it")
}

// The format has a line for a whole job (status 0, 1 or 5), then one for each part between two
// swaps (2; the last has 3 or 4). Only the first counts.
func TestPartsOfJobs(t *testing.T) {
	const ofWhole = "dropped: part of a job that was swapped out (status 2, 3 or 4); the whole job has its own line"
	const orphan = "dropped: part of a job that was swapped out (status 2, 3 or 4); the whole job has no line"
	for _, c := range []struct {
		name    string
		lines   []string
		numbers []int64
		changes []scheduler.Change
	}{
		{"a job and its parts", []string{"1 0 0 4 2 2 9 1", "1 0 0 1 2 2 9 2", "1 -1 2 3 2 2 9 3", "2 9 0 4 2 2 9 0"},
			[]int64{1, 2}, []scheduler.Change{{What: ofWhole, Jobs: 2}}},
		{"the job behind its parts", []string{"1 0 0 1 2 2 9 2", "1 -1 2 3 2 2 9 4", "1 0 0 4 2 2 9 0", "2 9 0 4 2 2 9 0"},
			[]int64{1, 2}, []scheduler.Change{{What: ofWhole, Jobs: 2}}},
		{"parts without the job", []string{"1 0 0 1 2 2 9 2", "1 -1 2 3 2 2 9 3", "2 9 0 4 2 2 9 0"},
			[]int64{2}, []scheduler.Change{{What: orphan, Jobs: 2}}},
		{"parts without the job at the end", []string{"2 0 0 4 2 2 9 0", "3 9 0 1 2 2 9 2", "3 -1 2 3 2 2 9 3"},
			[]int64{2}, []scheduler.Change{{What: orphan, Jobs: 2}}},
		{"exit codes", []string{"1 0 0 1 2 2 9 2", "2 1 0 3 2 2 9 3", "3 2 0 4 2 2 9 2"}, []int64{1, 2, 3}, nil},
		{"exit codes without numbers", []string{"-1 0 0 1 2 2 9 2", "-1 1 0 3 2 2 9 3", "-1 2 0 4 2 2 9 2"},
			[]int64{-1, -1, -1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := read(t, log(c.lines...), swf.Options{})
			var numbers []int64
			for _, j := range w.Jobs {
				numbers = append(numbers, j.Number)
			}
			assert.Equal(t, c.numbers, numbers)
			assert.Equal(t, c.changes, w.Changes)
		})
	}
}

// The statements about the machine are kept for display.
func TestHeaderThatIsUsed(t *testing.T) {
	job := log("1 0 0 4 2 2 9 1")
	procs := scheduler.Statement{Name: "MaxProcs", Text: "1,024 (of 2,048)", Value: 1024}
	nodes := scheduler.Statement{Name: "MaxNodes", Text: "64", Value: 64}
	both := "; MaxNodes: 64\n; MaxProcs: N/A\n; MaxProcs: 1,024 (of 2,048)\n;   the rest is for others\n" + job
	assert.Equal(t, []scheduler.Statement{procs}, read(t, both, swf.Options{}).Header)
	assert.Equal(t, []scheduler.Statement{nodes, procs}, read(t, both, swf.Options{Unit: "node"}).Header)
	assert.Equal(t, []scheduler.Statement{nodes}, read(t, "; MaxNodes: 64\n"+job, swf.Options{}).Header)
	assert.Empty(t, read(t, job, swf.Options{}).Header)
}

// No option that gets a log through the reader may lose what its header says.
func TestHeadersAreNotSkipped(t *testing.T) {
	job := log("1 0 0 4 2 2 9 1")
	for _, header := range []string{
		"MaxProcs: 64", "# MaxProcs: 64", "\u200b; MaxProcs: 64", "\u00a0;MaxProcs : 64", "// MaxNodes: 64", "Note: it grew",
	} {
		_, _, err := swf.Read(strings.NewReader(header+"\n"+job), "log", swf.Options{SkipBad: true})
		assert.ErrorContains(t, err, "begin the line with a semicolon", header)
	}
	w := read(t, "1 2 3\n"+job+"Error: the disk is full\n", swf.Options{SkipBad: true})
	assert.Equal(t, []scheduler.Change{{What: "skipped: malformed line", Jobs: 2}}, w.Changes)
	_, _, err := swf.Read(strings.NewReader(job+"MaxProcs: 64\n"), "log", swf.Options{SkipBad: true})
	assert.ErrorContains(t, err, "log:2:")
}
