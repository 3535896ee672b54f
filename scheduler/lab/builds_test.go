package lab_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// folderOf makes a folder with the row of a run by a build.
func folderOf(t *testing.T, commit string, seed uint64) string {
	t.Helper()
	folder := t.TempDir()
	rows, err := lab.OpenRows(folder)
	require.NoError(t, err)
	l := &lab.Lab{Commit: commit}
	o, err := l.Run(context.Background(), "", lab.MustCell("workload=lublin:N=20,nodes=16", "policy=fcfs"), seed)
	require.NoError(t, err)
	require.NoError(t, rows.Add(o.Row))
	require.NoError(t, rows.Close())
	return folder
}

// Builds with ambiguous names never count as one.
func TestRowsOfBuildsWithoutANameStayApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		one  bool
	}{
		{"abc", "abc", true}, {"abc", "abd", false}, {"", "", false}, {"not-recorded", "not-recorded", false},
		{"unknown", "unknown", false}, {"abc+changes", "abc+changes", false},
		{"not-recorded#01", "not-recorded#01", true}, {"not-recorded#01", "not-recorded#02", false},
		{"abc+changes#01", "abc+changes#01", true}, {"abc+changes#01", "abc+changes#02", false},
	} {
		first, second := folderOf(t, c.a, 1), folderOf(t, c.b, 2)
		rows, err := lab.OpenRows(first)
		require.NoError(t, err)
		assert.Equal(t, c.one, rows.OfAnother(c.b) == "", c)
		require.NoError(t, rows.Close())

		_, err = lab.MergeShards(lab.NoRows(), []string{first, second}, false)
		if c.one {
			assert.NoError(t, err, c)
		} else {
			assert.ErrorContains(t, err, "run all shards with one build", c)
		}
		joined := lab.NoRows()
		_, err = lab.Merge(joined, []string{first, second})
		require.NoError(t, err)
		assert.Equal(t, c.one, joined.Mixed() == "", c)

		added, err := lab.MergeShards(lab.NoRows(), []string{first, second}, true)
		require.NoError(t, err)
		assert.Equal(t, 2, added)
	}
}

// No list of a row is null, not even one of a former version.
func TestListsOfRowsAreNeverNull(t *testing.T) {
	folder := folderOf(t, "abc", 1)
	path := filepath.Join(folder, lab.RowsFile)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	former := strings.NewReplacer(`"changes":[]`, `"changes":null`, `,"header":[]`, "").Replace(string(text))
	require.Len(t, former, len(text)+len("null")-len(`[],"header":[]`))
	rows, err := lab.DecodeRows("former", strings.NewReader(former))
	require.NoError(t, err)
	again, err := json.Marshal(rows[0])
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(string(text)), string(again))

	o, err := (&lab.Lab{}).Run(context.Background(), "", lab.MustCell("predict=dtm of tree:20"), 1)
	require.NoError(t, err)
	text, err = json.Marshal(o.Row)
	require.NoError(t, err)
	for _, list := range []string{`"changes":[]`, `"header":[]`, `"by_size":[]`, `"by_run":[]`, `"excluded_jobs":{}`} {
		assert.Contains(t, string(text), list)
	}
}

// A row has the header fields from which the size of the machine was taken.
func TestHeaderInRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.swf")
	log := "; MaxProcs : 1,024\n1 0 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -50\n"
	require.NoError(t, os.WriteFile(path, []byte(log), 0o600))
	o, err := (&lab.Lab{}).Run(context.Background(), "", lab.MustCell("workload=swf:"+path, "policy=fcfs"), 1)
	require.NoError(t, err)
	assert.Equal(t, 1024, o.Row.PlatformNodes)
	text, err := json.Marshal(o.Row)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"header":[{"name":"MaxProcs","text":"1,024","value":1024}]`)
	assert.Contains(t, string(text),
		`"changes":[{"what":"ignored: no think time of the format (field 18); nothing uses it","jobs":1}]`)
}

// If no job is counted, the error says of which log, on what, and why each job is not.
func TestNoJobsToCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.swf")
	var lines strings.Builder
	for _, size := range []string{"5", "5", "5", "9", "9", "7", "8", "6", "6"} {
		lines.WriteString("1 0 0 5 " + size + " -1 -1 " + size + " 9 -1 1 1 1 1 1 1 -1 -1\n")
	}
	require.NoError(t, os.WriteFile(path, []byte(lines.String()), 0o600))
	run := func(settings ...string) error {
		_, err := (&lab.Lab{}).Run(context.Background(), "", lab.MustCell(append(settings, "workload=swf:"+path)...), 1)
		return err
	}
	assert.EqualError(t, run("platform=pool:4", "policy=fcfs"), "no jobs to count among the 9 jobs of log.swf on pool:4: "+
		"3 jobs excluded (needs 5 nodes; the largest cluster has 4), 2 jobs excluded (needs 6 nodes; the largest cluster "+
		"has 4), 2 jobs excluded (needs 9 nodes; the largest cluster has 4), 1 job excluded (needs 7 nodes; the largest "+
		"cluster has 4), 1 job excluded (needs 8 nodes; the largest cluster has 4); "+
		"choose another platform, or select other jobs")
	assert.EqualError(t, run("platform=pool:5", "policy=fcfs", "trim=standard"), "no jobs to count among the 9 jobs of "+
		"log.swf on pool:5: trim=standard leaves out 3 jobs that ran, 2 jobs excluded (needs 6 nodes; the largest cluster "+
		"has 5), 2 jobs excluded (needs 9 nodes; the largest cluster has 5), 1 job excluded (needs 7 nodes; the largest "+
		"cluster has 5), 1 job excluded (needs 8 nodes; the largest cluster has 5); trim less")
}
