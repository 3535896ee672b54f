package lab_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

func TestWhatSeedsDraw(t *testing.T) {
	for _, c := range []struct {
		settings []string
		over     lab.Over
	}{
		{[]string{"workload=swf:log.swf"}, lab.OneRun},
		{[]string{"workload=swf:log.swf", "select=window:busiest:30d", "policy=actual"}, lab.OneRun},
		{[]string{"workload=swf:log.swf", "policy=qb"}, lab.Placements},
		{[]string{"workload=swf:log.swf", "choice=random"}, lab.Placements},
		{[]string{"workload=swf:log.swf", "select=head:9,window:drawn:3"}, lab.Workloads},
		{[]string{"workload=swf:log.swf", "select=head:9,shake:5s"}, lab.Workloads},
		{[]string{"workload=swf:log.swf", "estimate=factor:3"}, lab.Workloads},
		{[]string{"workload=lublin:N=10,nodes=8"}, lab.Workloads},
		{[]string{"workload=lublin:N=10,nodes=8", "policy=static"}, lab.Both},
		{[]string{"predict=dtm of tree:20"}, lab.Latencies},
	} {
		assert.Equal(t, c.over, lab.MustCell(c.settings...).Draws(), "%v", c.settings)
	}
}

// made runs a cell with seeds.
func made(t *testing.T, seeds uint64, settings ...string) (rows []*lab.Row) {
	t.Helper()
	for seed := uint64(1); seed <= seeds; seed++ {
		out, err := (&lab.Lab{}).Run(context.Background(), "", lab.MustCell(settings...), seed)
		require.NoError(t, err)
		rows = append(rows, out.Row)
	}
	return rows
}

func TestWhatAnIntervalIsOver(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.swf")
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "%d %d -1 %d %d -1 -1 %d -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n", i+1, i, 20+i*i%17, 1+i%8, 1+i%8)
	}
	require.NoError(t, os.WriteFile(log, []byte(text.String()), 0o600))
	drawn, fixed := "workload=sharcnet-like:N=60", "workload=swf:"+log
	few := []string{"select=filter:size<=8", "platform=uniform:2x16", "estimate=exact"}
	of := func(seeds uint64, settings ...string) []*lab.Row { return made(t, seeds, append(few, settings...)...) }
	assert.Equal(t, lab.Both, lab.OverOf(of(3, drawn, "policy=static")))
	assert.Equal(t, lab.Workloads, lab.OverOf(of(3, drawn, "policy=fcfs")))
	assert.Equal(t, lab.OneRun, lab.OverOf(of(1, drawn, "policy=static")), "one seed has no interval")
	// A window as long as the log is drawn, but all seeds have the same jobs, as digests tell.
	runs := of(3, fixed, "policy=fcfs", "select=window:drawn:60")
	assert.Equal(t, lab.OneRun, lab.OverOf(runs))
	assert.Equal(t, runs[0].JobsDigest, runs[1].JobsDigest)
	assert.Equal(t, lab.Placements, lab.OverOf(of(3, fixed, "policy=static")))
	assert.Equal(t, lab.Both, lab.OverOf(append(of(3, drawn, "policy=fcfs"), of(3, drawn, "policy=static")...)))
	assert.Equal(t, lab.Placements, lab.OverOf(append(of(3, fixed, "policy=fcfs"), of(3, fixed, "policy=static")...)))
}

// A policy that draws may have drawn what changes nothing.
func TestEqualStartsAreOneRun(t *testing.T) {
	c := lab.MustCell("workload=swf:log.swf", "platform=pool:8", "policy=static")
	rows := []*lab.Row{
		{Settings: c, Seed: 1, JobsDigest: "a", StartsDigest: "b"},
		{Settings: c, Seed: 2, JobsDigest: "a", StartsDigest: "b"},
	}
	assert.Equal(t, lab.OneRun, lab.OverOf(rows))
	rows[1].StartsDigest = "c"
	assert.Equal(t, lab.Placements, lab.OverOf(rows))
	rows[0].StartsDigest, rows[1].StartsDigest = "", "" // it is not known
	assert.Equal(t, lab.Placements, lab.OverOf(rows))
}

// Each number of a job that a policy or a measure uses is in the digest.
func TestDigestOfJobs(t *testing.T) {
	usual := []string{"workload=lublin:N=200,nodes=16", "platform=pool:16", "estimate=exact"}
	digest := func(settings ...string) string {
		return made(t, 1, append(usual, settings...)...)[0].JobsDigest
	}
	seen := map[string]bool{}
	for _, settings := range [][]string{
		{}, {"select=head:199"}, {"select=runs:by=2"}, {"select=compress:by=2"}, {"select=fold:2"}, {"estimate=factor:3"},
	} {
		d := digest(settings...)
		assert.Len(t, d, 16)
		assert.False(t, seen[d], "%v", settings)
		seen[d] = true
	}
	assert.True(t, seen[digest("policy=conservative")], "a policy changes no jobs")
}
