package jobs_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/commandtest"
	commands "github.com/canvass-grid/canvass/cmd/canvass/jobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

func TestSinceIsReadAsUsersWriteIt(t *testing.T) {
	zone := time.FixedZone("here", 3600)
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, zone)
	for text, want := range map[string]time.Time{
		"90s":                  now.Add(-90 * time.Second),
		"2h":                   now.Add(-2 * time.Hour),
		"7d":                   now.AddDate(0, 0, -7),
		"08:30":                time.Date(2026, 11, 29, 8, 30, 0, 0, zone),
		"08:30:15":             time.Date(2026, 11, 29, 8, 30, 15, 0, zone),
		"2026-11-28":           time.Date(2026, 11, 28, 0, 0, 0, 0, zone),
		"2026-11-28 08:30":     time.Date(2026, 11, 28, 8, 30, 0, 0, zone),
		"2026-11-28T08:30:00Z": time.Date(2026, 11, 28, 8, 30, 0, 0, time.UTC),
	} {
		got, err := commands.ParseSince(text, now)
		require.NoError(t, err, text)
		assert.True(t, want.Equal(got), "%s: %v", text, got)
	}
	for _, text := range []string{"soon", "-2h", "99999d", "25:00", "2026-13-01", "2h ago"} {
		_, err := commands.ParseSince(text, now)
		assert.Equal(t, cli.CodeUsage, cli.CodeOf(err), text)
	}
}

// Running jobs come before ended ones, the newest first; days are shown if they differ.
func TestTheListOfJobs(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.Local)
	job := func(id string, s jobs.State, ago time.Duration, user string) *jobs.Record {
		return &jobs.Record{
			ID: id, State: s, User: user, Changes: []jobs.Change{{At: now.Add(-ago)}},
			Spec: jobs.Spec{Command: []string{"true"}, Tasks: 2},
		}
	}
	all := []*jobs.Record{
		job("old", jobs.Succeeded, 500*24*time.Hour, "ana"), job("run", jobs.Running, 24*time.Hour, "bo"),
		job("new", jobs.Failed, time.Minute, "ana"), job("fresh", jobs.Queued, time.Hour, ""),
	}
	all[2].Spec.Array = &jobs.Array{Ranges: []jobs.Range{{First: 0, Last: 8}}}
	all[2].Counts = map[jobs.State]int{jobs.Failed: 2, jobs.Succeeded: 6, jobs.Running: 1}
	var text strings.Builder
	require.NoError(t, cli.NewOutput(&text).Table(commands.JobTable(all, now)))
	assert.Equal(t, `id     state       tasks  accepted      user  command
fresh  queued      2      11:00:00      -     true
run    running     2      Nov 28 12:00  bo    true
new    failed 8/9  2      11:59:00      ana   true
old    succeeded   2      2025-07-17    ana   true
`, text.String())
}

// many are jobs of two users, of which a few run.
func many(n int) (all []*jobs.Record) {
	for i := range n {
		r := &jobs.Record{
			ID: fmt.Sprintf("job%010d", i), State: jobs.Succeeded, User: []string{"ana", "bo"}[i%2],
			Changes: []jobs.Change{{At: time.Unix(int64(i), 0)}},
			Spec:    jobs.Spec{Command: []string{"python3", "train.py", "--seed", strconv.Itoa(i)}, Tasks: 2},
		}
		if i%(n/5) == 0 {
			r.State = jobs.Running
		}
		all = append(all, r)
	}
	return all
}

// People get the jobs that have not ended and the newest of the others, and how many more there
// are.
func TestAListOfManyJobsIsCut(t *testing.T) {
	var text strings.Builder
	more, err := commands.JobList(&text, many(10_000), commands.MostListed, time.Unix(20_000, 0))
	require.NoError(t, err)
	assert.Equal(t, 10_000-commands.MostListed, more)
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	assert.Len(t, lines, 1+commands.MostListed)
	assert.Equal(t, 5, strings.Count(text.String(), "running"))
	assert.Contains(t, lines[6], "job0000009999")
	more, err = commands.JobList(&text, many(10), 0, time.Unix(20_000, 0))
	require.NoError(t, err)
	assert.Zero(t, more)
}

// BenchmarkListOfJobs prints all of 10,000 jobs, and as many as people get.
func BenchmarkListOfJobs(b *testing.B) {
	for _, limit := range []int{0, commands.MostListed} {
		b.Run(fmt.Sprint("limit ", limit), func(b *testing.B) {
			for b.Loop() {
				var text strings.Builder
				if _, err := commands.JobList(&text, many(10_000), limit, time.Unix(20_000, 0)); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(text.Len()), "printed-bytes")
			}
		})
	}
}

// evil is a text of a user that would clear the screen and forge a line.
const evil = "x\x1b[2J\ncanvass: forged\t\u009b"

// sample is a job whose every text is wide and malicious.
func sample() *jobs.Record {
	wide := strings.Repeat(evil+" ", 20)
	at := time.Now()
	return &jobs.Record{
		ID: "b4k2xxxxxxxxx", State: jobs.Failed, Note: wide, User: evil,
		Spec:    jobs.Spec{Command: []string{wide, wide}, Tasks: 2},
		Changes: []jobs.Change{{At: at, State: jobs.Failed, Reason: wide}},
		Attempts: []jobs.Attempt{{
			Hosts: make([]protocol.NodeID, 2), Reason: wide,
			Statuses: []jobs.Status{{Unfit: true, Error: wide}, {Code: 3}},
			Ranks:    []jobs.Rank{{Begin: at, Stderr: wide, Problem: wide}, {}},
		}},
	}
}

// On a terminal of 80 columns no table is wider, and no text of a user does more than stand there.
func TestTablesFitTheTerminalAndAreHarmless(t *testing.T) {
	for name, write := range map[string]func(*cli.Output) error{
		"status": func(out *cli.Output) error {
			return out.Table(commands.JobTable([]*jobs.Record{sample()}, time.Now()))
		},
		"status ID": func(out *cli.Output) error { return commands.Describe(out, sample(), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			narrow, whole := commandtest.Fits(t, write)
			for _, text := range []string{narrow, whole} {
				assert.NotContains(t, text, "\x1b")
				assert.NotContains(t, text, "\u009b")
				assert.NotContains(t, text, "\ncanvass: forged")
			}
		})
	}
}
