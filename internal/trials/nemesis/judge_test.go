package main_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/verbatim"
	nemesis "github.com/canvass-grid/canvass/internal/trials/nemesis"
	"github.com/canvass-grid/canvass/protocol"
)

// seen is a sound run of one job of two tasks, in its second attempt.
func seen() (nemesis.Seen, []string) {
	begin := time.Unix(1000, 0)
	end, later := begin.Add(time.Second), begin.Add(2*time.Second)
	by := protocol.NodeID{Address: 1, Incarnation: 1}
	hosts := []protocol.NodeID{by, {Address: 2, Incarnation: 1}}
	r := &jobs.Record{
		ID: "j", Spec: jobs.Spec{Tasks: 2, Outputs: verbatim.List{"out/**"}}, State: jobs.Succeeded, Attempts: []jobs.Attempt{
			{By: by, Epoch: 1, Hosts: hosts, Begin: begin, End: &end},
			{By: by, Epoch: 2, Hosts: hosts, Begin: later, End: &later, Statuses: make([]jobs.Status, 2)},
		},
	}
	var lines []string
	line := func(what string, epoch, rank, at int) {
		lines = append(lines, fmt.Sprintf("%s j B-%d %d 2 B %d", what, epoch, rank, at))
	}
	line("start", 1, 0, 100)
	line("beat", 1, 0, 200)
	line("start", 2, 0, 300)
	line("start", 2, 1, 310)
	line("end", 2, 0, 400)
	line("end", 2, 1, 410)
	files := map[nemesis.OutputFile]nemesis.Content{}
	for rank := range 2 {
		for _, path := range nemesis.OutputPaths() {
			files[nemesis.File("j", rank, path)] = nemesis.Got(nemesis.ContentOf("j", "B-2", rank, path), nil)
		}
	}
	return nemesis.Seen{
		Files: files,
		Final: map[string]*jobs.Record{"j": r}, Codes: map[string]int{"j": 0}, Killed: map[string]bool{},
		Ended: map[string]time.Duration{"j": 500 * time.Microsecond}, ReadAt: 600 * time.Microsecond,
	}, lines
}

// bereave leaves the job unfinished, without these of its custodians.
func bereave(s *nemesis.Seen, lines []string, lost ...string) []string {
	r := s.Final["j"]
	r.State, r.Custodians, r.Attempts = jobs.Accepted, jobs.Custodians{1, 2, 3}, r.Attempts[:1]
	s.Ended, s.Lost = nil, lost
	return lines[:2]
}

func TestJudges(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *nemesis.Seen, lines []string) []string
		want   string // the judge that finds it; empty: none
	}{
		"sound": {func(_ *nemesis.Seen, lines []string) []string { return lines }, ""},
		"forgotten": {func(s *nemesis.Seen, lines []string) []string {
			s.Codes["k"] = 0
			return lines
		}, "J1 AckedKept"},
		"overlap by a heartbeat": {func(_ *nemesis.Seen, lines []string) []string {
			return append(lines, "beat j B-1 0 2 B 300")
		}, "J2 OneRun"},
		"a rank that starts twice": {func(_ *nemesis.Seen, lines []string) []string {
			return append(lines, "start j B-2 1 2 B 320")
		}, "J2 OneRun"},
		"runs after its end was known": {func(_ *nemesis.Seen, lines []string) []string {
			return append(lines, "beat j B-2 1 2 B 501")
		}, "J2b EndedStays"},
		"no permit": {func(s *nemesis.Seen, lines []string) []string {
			s.Final["j"].Attempts = s.Final["j"].Attempts[1:]
			return lines
		}, "J5 OnePermit"},
		"begun after a look at a job that goes on": {func(s *nemesis.Seen, lines []string) []string {
			s.Final["j"].State, s.ReadAt = jobs.Running, 290*time.Microsecond
			s.Final["j"].Attempts, s.Ended = s.Final["j"].Attempts[:1], nil
			return lines
		}, "J1 AckedKept"},
		"waits for one of three custodians that is lost": {func(s *nemesis.Seen, lines []string) []string {
			return bereave(s, lines, "C")
		}, "J1 AckedKept"},
		"two of three custodians are lost": {func(s *nemesis.Seen, lines []string) []string {
			return bereave(s, lines, "C", "D")
		}, ""},
		"begun after a look at a job that has ended": {func(s *nemesis.Seen, lines []string) []string {
			s.ReadAt = 290 * time.Microsecond
			s.Final["j"].Attempts = s.Final["j"].Attempts[:1]
			return lines
		}, "J2 OneRun J5 OnePermit J8 Results J8b OutputsKept"},
		"permits overlap": {func(s *nemesis.Seen, lines []string) []string {
			s.Final["j"].Attempts[0].End = nil
			return lines
		}, "J5 OnePermit"},
		"a rank that did not end": {func(_ *nemesis.Seen, lines []string) []string {
			return lines[:len(lines)-1]
		}, "J8 Results"},
		"success of a job that fails": {func(s *nemesis.Seen, lines []string) []string {
			s.Codes["j"] = 7
			return lines
		}, "J8 Results"},
		"another code": {func(s *nemesis.Seen, lines []string) []string {
			s.Codes["j"] = 7
			s.Final["j"].State = jobs.Failed
			s.Final["j"].Attempts[1].Statuses[1].Code = 8
			return lines
		}, "J8 Results"},
		"a signal that the nemesis has not sent": {func(s *nemesis.Seen, lines []string) []string {
			s.Final["j"].State = jobs.Failed
			s.Final["j"].Attempts[1].Statuses[1].Signal = 9
			return lines
		}, "J8 Results"},
		"cancelled by nobody": {func(s *nemesis.Seen, lines []string) []string {
			s.Final["j"].State = jobs.Cancelled
			return lines
		}, "J8 Results"},
	} {
		s, lines := seen()
		lines = c.change(&s, lines)
		found, _ := violated(t, s, lines)
		assert.Equal(t, c.want, found, name)
	}
}

// violated returns the names of the judges that find a violation, and their findings.
func violated(t *testing.T, s nemesis.Seen, lines []string) (judges string, examples []string) {
	t.Helper()
	s.Ledger = filepath.Join(t.TempDir(), "ledger")
	require.NoError(t, os.WriteFile(s.Ledger, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	all, err := nemesis.Judge(s)
	require.NoError(t, err)
	for _, j := range all {
		if j.Verdict == nemesis.Violated {
			judges, examples = strings.TrimSpace(judges+" "+j.Judge), append(examples, j.Examples...)
		}
	}
	return judges, examples
}

func TestLostOutputsAreFound(t *testing.T) {
	path := nemesis.OutputPaths()[1]
	file := nemesis.File("j", 1, path)
	whole := nemesis.ContentOf("j", "B-2", 1, path)
	gone := nemesis.Got("", errors.New("lost"))
	for name, c := range map[string]struct {
		got   nemesis.Content
		lost  []string // machines
		holds bool
	}{
		"there":                                {got: nemesis.Got(whole, nil), holds: true},
		"there without two of three":           {got: nemesis.Got(whole, nil), lost: []string{"C", "D"}, holds: true},
		"lost":                                 {got: gone},
		"empty":                                {got: nemesis.Got("", nil)},
		"cut":                                  {got: nemesis.Got(whole[:len(whole)-1], nil)},
		"of the attempt before":                {got: nemesis.Got(nemesis.ContentOf("j", "B-1", 1, path), nil)},
		"of another rank":                      {got: nemesis.Got(nemesis.ContentOf("j", "B-2", 0, path), nil)},
		"of another file":                      {got: nemesis.Got(nemesis.ContentOf("j", "B-2", 1, "out/first"), nil)},
		"lost with one of three custodians":    {got: gone, lost: []string{"C"}},
		"lost with two of three custodians":    {got: gone, lost: []string{"C", "D"}, holds: true},
		"another one without two of the three": {got: nemesis.Got("other", nil), lost: []string{"C", "D"}},
	} {
		s, lines := seen()
		s.Final["j"].Custodians, s.Lost, s.Files[file] = jobs.Custodians{1, 2, 3}, c.lost, c.got
		judges, examples := violated(t, s, lines)
		if c.holds {
			assert.Empty(t, judges, name)
			continue
		}
		assert.Equal(t, "J8b OutputsKept", judges, name)
		require.Len(t, examples, 1, name)
		assert.Contains(t, examples[0], "job j ", name)
		assert.Contains(t, examples[0], "output "+path+" of rank 1 ", name)
	}
}

func TestOutputsThatNobodyFetchedAreNoPass(t *testing.T) {
	s, lines := seen()
	s.Files = nil
	judges, examples := violated(t, s, lines)
	assert.Equal(t, "J8b OutputsKept", judges)
	assert.Len(t, examples, 4, "two files of two ranks")

	s.Codes["j"], s.Final["j"].State = 7, jobs.Failed // which may lack outputs
	s.Final["j"].Attempts[1].Statuses[1].Code = 7
	judges, _ = violated(t, s, lines)
	assert.Empty(t, judges)
}

func TestTask(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	require.NoError(t, os.WriteFile(ledger, nil, 0o600))
	t.Setenv("CANVASS_JOB", "j")
	t.Setenv("CANVASS_ATTEMPT", "B-2")
	t.Setenv("CANVASS_RANK", "1")
	t.Setenv("CANVASS_SIZE", "2")
	t.Setenv("CANVASS_HOST", "B")
	assert.Equal(t, 3, nemesis.Job().Run([]string{ledger, "50ms", "3"}))
	text, err := os.ReadFile(ledger)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	assert.Contains(t, lines[0], "start j B-2 1 2 B ")
	assert.Contains(t, lines[1], "beat j B-2 1 2 B ")
	assert.Contains(t, lines[len(lines)-1], "end j B-2 1 2 B ")
	assert.NotZero(t, nemesis.Job().Run([]string{"/nowhere/ledger", "50ms", "3"}))

	t.Chdir(t.TempDir())
	assert.Zero(t, nemesis.Job().Run([]string{ledger, "50ms", "0", "outputs"}))
	for _, path := range nemesis.OutputPaths() {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, nemesis.ContentOf("j", "B-2", 1, path), string(text))
	}
}

// Whether a job declares outputs depends on the seed and its key alone, so that a client that tries
// again submits the same job.
func TestAShareOfTheJobsDeclaresOutputs(t *testing.T) {
	all, differs := 0, false
	for n := range 300 {
		key := fmt.Sprintf("c1-%d", n)
		if nemesis.Declares(7, key) {
			all++
		}
		differs = differs || nemesis.Declares(7, key) != nemesis.Declares(8, key)
		assert.Equal(t, nemesis.Declares(7, key), nemesis.Declares(7, key))
	}
	assert.Greater(t, all, 60)
	assert.Less(t, all, 150)
	assert.True(t, differs, "the seed counts")
}

// A run waits for each acknowledged job, even after losses, and for each job whose taker can come
// back.
func TestOrphansAreNotWaitedFor(t *testing.T) {
	record := func(change func(*jobs.Record)) *jobs.Record {
		r := &jobs.Record{ID: "job", State: jobs.Accepted}
		r.Custody.By = protocol.NodeID{Address: 3, Incarnation: 7}
		change(r)
		return r
	}
	none := func(*jobs.Record) {}
	assert.True(t, nemesis.IsOrphan(record(none), false, "B", "D"))
	assert.False(t, nemesis.IsOrphan(record(none), true, "D"), "it was acknowledged")
	assert.False(t, nemesis.IsOrphan(record(none), false, "B"), "its taker can come back")
	assert.False(t, nemesis.IsOrphan(record(func(r *jobs.Record) { r.State = jobs.Running }), false, "D"))
	begun := record(func(r *jobs.Record) { r.Attempts = make([]jobs.Attempt, 1) })
	assert.False(t, nemesis.IsOrphan(begun, false, "D"))
}
