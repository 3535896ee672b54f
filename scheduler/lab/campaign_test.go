package lab_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

// small are the runs of two policies on few generated jobs.
func small(t *testing.T) []lab.Run {
	t.Helper()
	base := lab.MustCell("workload=lublin:N=60,nodes=16", "estimate=exact")
	over := []lab.Values{{Name: "policy", Values: []string{"fcfs", "easy"}}}
	runs, err := lab.Product([]lab.Cell{base}, over, []uint64{1, 2, 3})
	require.NoError(t, err)
	return runs
}

func campaign(rows *lab.Rows, workers int) *lab.Campaign {
	return &lab.Campaign{Lab: &lab.Lab{Commit: "c"}, Rows: rows, Workers: workers}
}

// plain removes what may differ from run to run.
func plain(rows []*lab.Row) []lab.Row {
	var all []lab.Row
	for _, r := range rows {
		c := *r
		c.ElapsedSeconds, c.PeakBytes = 0, 0
		all = append(all, c)
	}
	return all
}

func TestWorkersDoNotChangeRows(t *testing.T) {
	one, err := campaign(lab.NoRows(), 1).Do(context.Background(), small(t))
	require.NoError(t, err)
	two, err := campaign(lab.NoRows(), 2).Do(context.Background(), small(t))
	require.NoError(t, err)
	require.Len(t, one, 6)
	assert.Equal(t, plain(one), plain(two))
	assert.Equal(t, "easy", one[3].Settings.Get("policy"))
	assert.Equal(t, 60, one[0].Summary.Submitted)
}

// A second campaign runs only the missing runs, also after a death that cut the last line off.
func TestCampaignGoesOn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	rows, err := lab.OpenRows(folder)
	require.NoError(t, err)
	first, err := campaign(rows, 2).Do(context.Background(), small(t)[:4])
	require.NoError(t, err)
	require.NoError(t, rows.Close())

	path := filepath.Join(folder, lab.RowsFile)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	whole := strings.Count(string(text), "\n")
	require.Equal(t, 4, whole)
	require.NoError(t, os.WriteFile(path, text[:len(text)-10], 0o600))

	rows, err = lab.OpenRows(folder)
	require.NoError(t, err)
	require.Len(t, rows.All(), 3)
	ran := 0
	c := campaign(rows, 1)
	c.Progress = func(lab.Progress) { ran++ }
	all, err := c.Do(context.Background(), small(t))
	require.NoError(t, err)
	require.NoError(t, rows.Close())
	assert.Equal(t, 3, ran)
	assert.Equal(t, plain(first), plain(all[:4]))

	read, err := lab.ReadRows(folder)
	require.NoError(t, err)
	assert.Len(t, read, 6)
}

func TestInterruptedCampaignKeepsWhatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := campaign(lab.NoRows(), 1)
	c.Progress = func(p lab.Progress) {
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
		rows, err := lab.OpenRows(folder)
		require.NoError(t, err)
		share, err := lab.Shard(small(t), shard)
		require.NoError(t, err)
		_, err = campaign(rows, 1).Do(context.Background(), share)
		require.NoError(t, err)
		require.NoError(t, rows.Close())
		folders = append(folders, folder)
	}
	into := lab.NoRows()
	added, err := lab.Merge(into, folders)
	require.NoError(t, err)
	assert.Equal(t, 6, added)

	path := filepath.Join(folders[0], lab.RowsFile)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := strings.Replace(string(text), `"done_jobs":60`, `"done_jobs":59`, 1)
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
	_, err = lab.Merge(into, folders[:1])
	assert.ErrorContains(t, err, "another result than before")
}

func TestRowsThatAreRefused(t *testing.T) {
	folder := t.TempDir()
	_, err := lab.ReadRows(folder)
	assert.ErrorContains(t, err, "there are no rows in")
	for _, c := range []struct{ text, want string }{
		{"nonsense\n", ":1: not a row"},
		{`{"schema":99}` + "\n", "schema 99"},
		{`{"unknown":1}` + "\n", "not a row of this version"},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, lab.RowsFile), []byte(c.text), 0o600))
		_, err := lab.ReadRows(folder)
		assert.ErrorContains(t, err, c.want)
		_, err = lab.OpenRows(folder)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestBadCells(t *testing.T) {
	l := &lab.Lab{}
	for _, c := range []struct {
		cell lab.Cell
		want string
	}{
		{lab.Cell{}, "no workload is given"},
		{lab.MustCell("workload=lublin:N=20,nodes=16"), "requested time"},
	} {
		_, err := l.Run(context.Background(), "", c.cell, 1)
		var mistake *usage.Error
		if assert.ErrorAs(t, err, &mistake, c.want) {
			assert.Contains(t, mistake.Error(), c.want)
		}
	}
	_, err := l.Run(context.Background(), "", lab.MustCell("workload=swf:nowhere.swf"), 1)
	assert.ErrorIs(t, err, lab.ErrNoData)
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
		_, err := (&lab.Lab{Data: c.data}).Run(context.Background(), "", lab.MustCell("workload=swf:"+c.log), 1)
		require.ErrorIs(t, err, lab.ErrNoData)
		assert.ErrorContains(t, err, c.want, c.log)
	}
}

// A row can be run again, and it is noticed if that gives another result.
func TestAgain(t *testing.T) {
	l := &lab.Lab{}
	cell := lab.MustCell("workload=lublin:N=30,nodes=16", "policy=fcfs")
	o, err := l.Run(context.Background(), "", cell, 3)
	require.NoError(t, err)
	again, err := l.Again(context.Background(), o.Row)
	require.NoError(t, err)
	assert.Equal(t, o.Records, again.Records)

	row := *o.Row
	row.StartsDigest = "0"
	_, err = l.Again(context.Background(), &row)
	require.ErrorContains(t, err, "start at other times")
	row = *o.Row
	row.SourceDigest = "0"
	_, err = l.Again(context.Background(), &row)
	require.ErrorContains(t, err, "had the digest 0")
}
