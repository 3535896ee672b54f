package lab_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

// On four nodes: job 1 takes three for 100 s, job 2 wants all, job 3 wants one for 50 s and job 4
// one for 500 s. Job 5 is too large.
const fiveJobs = `; MaxProcs: 4
1 0 -1 100 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1
2 10 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
3 20 -1 50 1 -1 -1 1 60 -1 1 1 1 1 1 1 -1 -1
4 30 -1 500 1 -1 -1 1 500 -1 1 1 1 1 1 1 -1 -1
5 40 -1 10 9 -1 -1 9 10 -1 1 1 1 1 1 1 -1 -1
`

func lives(t *testing.T, policy string, job int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "five.swf")
	require.NoError(t, os.WriteFile(path, []byte(fiveJobs), 0o600))
	cell := lab.MustCell("workload=swf:"+path, "policy="+policy)
	o, err := (&lab.Lab{}).Run(context.Background(), "", cell, 1)
	require.NoError(t, err)
	text, err := lab.Explain(o, job)
	require.NoError(t, err)
	return text
}

func TestALifeInWords(t *testing.T) {
	assert.Equal(t, `job 3: 1 node for 50 s, of which the policy expected 60 s
It was submitted at 20 s. 1 job waited then, and cluster pool had 1 of its 4 nodes free.
It started at once in cluster pool and ended at 70 s.
The rule of easy: the head has a reservation; others start if they cannot delay it, the oldest first.
1 job still waited that had come before it, the oldest being job 2, which needs 4 nodes. So it was backfilled: `+
		"as far as the policy knew, it could not delay that job.\n", lives(t, "easy", 3))
	assert.Equal(t, `job 3: 1 node for 50 s
It was submitted at 20 s. 1 job waited then, and cluster pool had 1 of its 4 nodes free.
While it waited, 1 job that had come before it and 0 jobs that came later started.
From 20 s on, cluster pool had room for it, at least for some time. The oldest job that waited then was 2, which `+
		`needs 4 nodes.
It started at 200 s in cluster pool, after a wait of 180 s, and ended at 250 s.
The rule of fcfs: only the head of the queue may start, once a cluster has room for it.
At 200 s it was the oldest of the jobs that waited.
`, lives(t, "fcfs", 3))
}

// The words that must be in the history of a job under each policy, and words that must not.
func TestWhyAJobStarted(t *testing.T) {
	for _, c := range []struct {
		policy  string
		job     int64
		says    string
		saysNot string
	}{
		{"fcfs", 2, "had room before 100 s, when 1 job ended in cluster pool (1).", "pool had room"},
		{"fcfs", 5, "never started: it needs 9 nodes; the largest cluster has 4.", "submitted"},
		{"easy", 2, "At 100 s it was the oldest", "backfilled"},
		{"easy", 4, "At 200 s it was the oldest", "backfilled"},
		{"conservative", 3, "Its own reservation had come", "backfilled"},
		{"first-fit", 4, "they did not fit, and it did", "backfilled"},
		{"sjf", 3, "the shortest estimate, 60 s. The next of the 1 job that still waited was job 2", "oldest"},
		{"smallest", 3, "it had the fewest nodes, 1 node", "oldest"},
		{"random", 2, "the oldest of the jobs that waited for its cluster", "backfilled"},
	} {
		text := lives(t, c.policy, c.job)
		assert.Contains(t, text, c.says, c.policy)
		assert.NotContains(t, text, c.saysNot, c.policy)
	}
}

// The incarnations of all jobs tell as many moves as the run counted, by algorithm.
func TestMovesInWords(t *testing.T) {
	for _, policy := range []string{"static", "dlb", "qb+dlb"} {
		cell := lab.MustCell("workload=sharcnet-like:N=40,span=40", "select=filter:size<=16", "platform=uniform:3x16",
			"policy="+policy)
		o, err := (&lab.Lab{}).Run(context.Background(), "", cell, 1)
		require.NoError(t, err)
		dlb, qb := uint64(0), uint64(0)
		for _, j := range o.Workload.Jobs {
			text, err := lab.Explain(o, j.Number)
			require.NoError(t, err)
			assert.Contains(t, text, " on the map it waited in cluster c")
			byDLB, byQB := strings.Count(text, "(DLB)"), strings.Count(text, "(QB)")
			dlb, qb = dlb+uint64(byDLB), qb+uint64(byQB)
			assert.Equal(t, byDLB+byQB > 0, strings.Contains(text, "before its last move, and waited"), text)
			assert.Equal(t, byDLB+byQB == 0 && policy != "static", strings.Contains(text, "It did not move."), text)
		}
		assert.Equal(t, o.Row.Decentralised.DLBMoves, dlb, policy)
		assert.Equal(t, o.Row.Decentralised.QBMoves, qb, policy)
		assert.Equal(t, policy != "static", dlb > 0, policy)
		assert.Equal(t, policy == "qb+dlb", qb > 0, policy)
	}
}

func TestALifeOfNobody(t *testing.T) {
	cell := lab.MustCell("workload=lublin:N=5,nodes=16", "policy=fcfs")
	o, err := (&lab.Lab{}).Run(context.Background(), "", cell, 1)
	require.NoError(t, err)
	_, err = lab.Explain(o, 99)
	assert.ErrorContains(t, err, "there is no job 99 among the 5 jobs")
}
