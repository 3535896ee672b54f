package node_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/daemon/runner"
)

// scraped is a scrape of a node whose loop does not turn.
func scraped(t *testing.T) string {
	t.Helper()
	header := flight.Header{Grid: "g", Life: "A-1", Build: "test", Wire: config.Wire}
	record, err := flight.New(t.TempDir(), header)
	require.NoError(t, err)
	defer record.Close()
	text, err := node.Scraped(record)
	require.NoError(t, err)
	return text
}

func TestAScrapeDoesNotWaitForALoopThatHangs(t *testing.T) {
	began := time.Now()
	text := scraped(t)
	assert.Less(t, time.Since(began), 5*time.Second)
	assert.Contains(t, text, "canvass_loop_answers 0\n")
	assert.Contains(t, text, "canvass_flight_records_total 0\n")
	assert.NotContains(t, text, "canvass_jobs")
}

// TestWhatTheDocumentsNameIsThere looks for the metrics, tests and scripts that the documents about
// daemons name.
func TestWhatTheDocumentsNameIsThere(t *testing.T) {
	shown, err := node.Shown()
	require.NoError(t, err)
	there := shown + scraped(t)
	for _, pattern := range []string{
		"../*/*_test.go", "../runner/*/*_test.go", "../../protocol/*/*_test.go", "../../sim/daemon/*_test.go",
		"../../cmd/canvass/*/*_test.go", "../../internal/trials/nemesis/*_test.go",
		"../../cmd/canvass/jobs/testdata/script/*",
	} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			there += filepath.Base(file) + "\n" + string(text)
		}
	}
	for _, document := range []string{"daemon.md", "daemon-assumptions.md", "daemon-threats.md"} {
		text, err := os.ReadFile(filepath.Join("../../docs", document))
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`canvass_[a-z_]+[a-z]`).FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(there, name), "%s names %s", document, name)
		}
		for _, name := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(there, "func "+name+"("), "%s names %s", document, name)
		}
		for _, name := range regexp.MustCompile(`\b\w+\.txtar`).FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(there, name), "%s names %s", document, name)
		}
	}
}

// values are the metrics of a daemon in a text, but the histograms.
func values(text string) map[string]string {
	all := map[string]string{}
	line := regexp.MustCompile(`(?m)^canvass_(\S+?)(?:\{\w+="(\w+)"\})? (\S+)$`)
	for _, found := range line.FindAllStringSubmatch(text, -1) {
		all[strings.TrimSuffix(found[1]+" "+found[2], " ")] = found[3]
	}
	return all
}

// Each metric shows the number that its name says.
func TestMetricsShowWhatTheyAreCalled(t *testing.T) {
	text, err := node.Shown()
	require.NoError(t, err)
	shown := values(text)
	for name, want := range map[string]string{
		"tries_total": "1", "task_starts_total": "2", "task_unfit_total": "3", "task_lost_total": "4",
		"task_kills_total": "5", "jobs_restless": "6", "map_neighbours": "7", "tasks_roles": "8", "tasks_owned_jobs": "9",
		"tasks_floors": "10", "attempts": "11",
		"kept_jobs": "12", "questions": "13", "nodes_known": "14", "turns_taken": "15",
		"turns_waiting": "16", "jobs_ended": "17", "jobs_short": "18", "jobs held": "19", "condemned_alive_total": "20",
		"suspicions_total": "21", "timeout_early_total": "22", "unreadable_total": "23", "tasks_limits_met_total some": "24",
		"uptime_seconds": "25", "incarnation": "26", "lease_left_seconds": "27", "certificate_left_seconds": "28",
		"certificate_failing": "1", "witness": "1", "draining": "1", "member": "1", "map_share_ratio": "0.25",
		"map_dead_neighbours": "29", "map_gap": "1", "cluster_nodes": "30", "tasks": "31", "task_running": "1",
		"link_frames_sent_total": "41", "link_frames_received_total": "42", "link_frames_sent_bytes_total": "43",
		"link_frames_received_bytes_total": "44", "link_frames_delivered_total": "45", "link_frames_resent_total": "46",
		"link_frames_duplicate_total": "47", "link_frames_too_old_total": "48", "link_frames_expired_total": "49",
		"link_frames_outlived_total": "50", "link_frames_overflowed_total": "51", "link_frames_misaddressed_total": "52",
		"link_frames_oversize_total": "53", "link_unauthenticated_total": "54", "link_connections": "55",
		"link_refused_total some": "56", "link_reset_total some": "57",
	} {
		assert.Equal(t, want, shown[name], name)
	}
}

// A daemon counts the jobs of which it has copies, its tasks, and the jobs that wait for their
// turn.
func TestMetricsCountJobs(t *testing.T) {
	a := newAlone(t)
	hands := func(hold bool) string {
		id, _, err := a.Submit(jobs.Spec{Command: []string{"true"}, Tasks: 1, Hold: hold}, "")
		require.NoError(t, err)
		return id
	}
	first := hands(false)
	require.NoError(t, a.until(t, func() bool { return len(a.started) == 1 }))
	a.started[0].exits(runner.Exit{})
	require.NoError(t, a.until(t, func() bool { return a.Job(first).State.Final() }))
	hands(true)
	hands(true)
	for range 100 {
		hands(false)
	}
	require.NoError(t, a.until(t, func() bool { return len(a.started) == 2 }))
	a.passes(t, 10*time.Second)
	text, err := a.Metrics()
	require.NoError(t, err)
	shown := values(text)
	for name, want := range map[string]string{
		"jobs held": "2", "jobs running": "1", "jobs accepted": "67", "jobs queued": "32", "jobs_ended": "1",
		"jobs_short":  "0",
		"tries_total": "34", "task_starts_total": "2", "task_unfit_total": "0", "task_lost_total": "0", "task_running": "1",
		"member": "1", "map_share_ratio": "1", "nodes_known": "0", "turns_taken": "32", "turns_waiting": "67", "witness": "1",
		"kept_jobs": "103", "keepings": "103",
		"attempts": "1", "incarnation": "1", "tasks_roles": "33", "map_neighbours": "0", "questions": "0",
	} {
		assert.Equal(t, want, shown[name], name)
	}
}
