package experiment_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/experiment"
)

// small are the runs of two policies on few generated jobs.
func small(t *testing.T) []experiment.Run {
	t.Helper()
	base := experiment.Cell{Workload: "lublin:N=60,nodes=16", Estimate: "exact"}
	over := []experiment.Values{{Name: "policy", Values: []string{"fcfs", "easy"}}}
	runs, err := experiment.Product([]experiment.Cell{base}, over, []uint64{1, 2, 3})
	require.NoError(t, err)
	return runs
}

func campaign(rows *experiment.Rows, workers int) *experiment.Campaign {
	return &experiment.Campaign{Lab: &experiment.Lab{Commit: "c"}, Rows: rows, Workers: workers}
}

// plain removes what may differ from run to run.
func plain(rows []*experiment.Row) []experiment.Row {
	var all []experiment.Row
	for _, r := range rows {
		c := *r
		c.ElapsedSeconds, c.PeakBytes = 0, 0
		all = append(all, c)
	}
	return all
}

func TestWorkersDoNotChangeRows(t *testing.T) {
	one, err := campaign(experiment.NoRows(), 1).Do(context.Background(), small(t))
	require.NoError(t, err)
	two, err := campaign(experiment.NoRows(), 2).Do(context.Background(), small(t))
	require.NoError(t, err)
	require.Len(t, one, 6)
	assert.Equal(t, plain(one), plain(two))
	assert.Equal(t, "easy", one[3].Settings.Policy)
	assert.Equal(t, 60, one[0].Summary.Submitted)
}

// A second campaign runs only the missing runs, also after a death that cut the last line off.
func TestCampaignGoesOn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	rows, err := experiment.OpenRows(folder)
	require.NoError(t, err)
	first, err := campaign(rows, 2).Do(context.Background(), small(t)[:4])
	require.NoError(t, err)
	require.NoError(t, rows.Close())

	path := filepath.Join(folder, experiment.RowsFile)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	whole := strings.Count(string(text), "\n")
	require.Equal(t, 4, whole)
	require.NoError(t, os.WriteFile(path, text[:len(text)-10], 0o600))

	rows, err = experiment.OpenRows(folder)
	require.NoError(t, err)
	require.Len(t, rows.All(), 3)
	ran := 0
	c := campaign(rows, 1)
	c.Progress = func(experiment.Progress) { ran++ }
	all, err := c.Do(context.Background(), small(t))
	require.NoError(t, err)
	require.NoError(t, rows.Close())
	assert.Equal(t, 3, ran)
	assert.Equal(t, plain(first), plain(all[:4]))

	read, err := experiment.ReadRows(folder)
	require.NoError(t, err)
	assert.Len(t, read, 6)
}

func TestInterruptedCampaignKeepsWhatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := campaign(experiment.NoRows(), 1)
	c.Progress = func(p experiment.Progress) {
		if p.Done == 2 {
			cancel()
		}
	}
	rows, err := c.Do(ctx, small(t))
	require.ErrorIs(t, err, context.Canceled)
	assert.GreaterOrEqual(t, len(rows), 2)
	assert.Less(t, len(rows), 6)
}

func TestMerge(t *testing.T) {
	var folders []string
	for _, shard := range []string{"1/2", "2/2", "1/1"} {
		folder := t.TempDir()
		rows, err := experiment.OpenRows(folder)
		require.NoError(t, err)
		share, err := experiment.Shard(small(t), shard)
		require.NoError(t, err)
		_, err = campaign(rows, 1).Do(context.Background(), share)
		require.NoError(t, err)
		require.NoError(t, rows.Close())
		folders = append(folders, folder)
	}
	into := experiment.NoRows()
	added, err := experiment.Merge(into, folders)
	require.NoError(t, err)
	assert.Equal(t, 6, added)

	path := filepath.Join(folders[0], experiment.RowsFile)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := strings.Replace(string(text), `"done_jobs":60`, `"done_jobs":59`, 1)
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
	_, err = experiment.Merge(into, folders[:1])
	assert.ErrorContains(t, err, "another result than before")
}

func TestRowsThatAreRefused(t *testing.T) {
	folder := t.TempDir()
	_, err := experiment.ReadRows(folder)
	assert.ErrorContains(t, err, "there are no rows in")
	for _, c := range []struct{ text, want string }{
		{"nonsense\n", ":1: not a row"},
		{`{"schema":99}` + "\n", "schema 99"},
		{`{"unknown":1}` + "\n", "not a row of this version"},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, experiment.RowsFile), []byte(c.text), 0o600))
		_, err := experiment.ReadRows(folder)
		assert.ErrorContains(t, err, c.want)
		_, err = experiment.OpenRows(folder)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestBadCells(t *testing.T) {
	lab := &experiment.Lab{}
	for _, c := range []struct {
		cell experiment.Cell
		want string
	}{
		{experiment.Cell{}, "no workload is given"},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16", Policy: "eazy"}, `did you mean "easy"`},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16"}, "requested time"},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16", Policy: "fcfs", Platform: "sharknet"}, `"sharcnet"`},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16", Policy: "fcfs", Pool: "maybe"}, "use yes or no"},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16", Policy: "fcfs", Clustering: "disjoint:x"}, "disjoint:N"},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16", Policy: "fcfs", Trim: "x"}, "trim"},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16", Policy: "fcfs", Select: "had:3"}, `"head"`},
		{experiment.Cell{Workload: "lublin:N=20,nodes=16", Policy: "fcfs", Choice: "worst"}, "choice"},
	} {
		_, err := lab.Run(context.Background(), "", &c.cell, 1)
		var mistake *usage.Error
		if assert.ErrorAs(t, err, &mistake, c.want) {
			assert.Contains(t, mistake.Error(), c.want)
		}
	}
	_, err := lab.Run(context.Background(), "", &experiment.Cell{Workload: "swf:nowhere.swf"}, 1)
	assert.ErrorIs(t, err, experiment.ErrNoData)
}

// An error about a log that is not there suggests similar names: beside it, or in the folder of
// data.
func TestLogsThatAreNotThere(t *testing.T) {
	data, beside := t.TempDir(), t.TempDir()
	for _, path := range []string{
		filepath.Join(data, "KTH-SP2.swf.gz"), filepath.Join(data, "notes.txt"), filepath.Join(beside, "mine.swf"),
	} {
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	for _, c := range []struct{ data, log, want string }{
		{data, "KTH-SP3.swf.gz", `KTH-SP3.swf.gz; did you mean "KTH-SP2.swf.gz"?`},
		{data, "kth", `did you mean "KTH-SP2.swf.gz"?`},
		{data, "lublin_256.swf", "the logs that can be found are KTH-SP2.swf.gz"},
		{data, filepath.Join(beside, "nine.swf"), `did you mean "mine.swf"?`},
		{"", filepath.Join(beside, "nine.swf"), `did you mean "mine.swf"?`},
		{"", "far-away.swf", "with --data or CANVASS_DATA"},
		{t.TempDir(), "far-away.swf", "has 0 other logs"},
	} {
		_, err := (&experiment.Lab{Data: c.data}).Run(context.Background(), "", &experiment.Cell{Workload: "swf:" + c.log}, 1)
		require.ErrorIs(t, err, experiment.ErrNoData)
		assert.ErrorContains(t, err, c.want, c.log)
	}
}

// A row can be run again, and it is noticed if that gives another result.
func TestAgain(t *testing.T) {
	lab := &experiment.Lab{}
	cell := experiment.Cell{Workload: "lublin:N=30,nodes=16", Policy: "fcfs"}
	o, err := lab.Run(context.Background(), "", &cell, 3)
	require.NoError(t, err)
	again, err := lab.Again(context.Background(), o.Row)
	require.NoError(t, err)
	assert.Equal(t, o.Records, again.Records)

	row := *o.Row
	row.StartsDigest = "0"
	_, err = lab.Again(context.Background(), &row)
	require.ErrorContains(t, err, "start at other times")
	row = *o.Row
	row.SourceDigest = "0"
	_, err = lab.Again(context.Background(), &row)
	require.ErrorContains(t, err, "had the digest 0")
}
