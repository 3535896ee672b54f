package workload_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

func jobsOf(nodes []int, run, submit []int64) *scheduler.Workload {
	w := &scheduler.Workload{}
	for i := range nodes {
		w.Jobs = append(w.Jobs, scheduler.Job{Nodes: nodes[i], RunMicros: run[i] * s, SubmitMicros: submit[i] * s})
	}
	return w
}

// Four jobs beside four others. Of the second, three run longer than any of the first, and three
// are larger; they come two seconds apart instead of one.
func TestCompare(t *testing.T) {
	a := jobsOf([]int{1, 1, 2, 3}, []int64{1, 2, 5, 6}, []int64{0, 1, 2, 3})
	b := jobsOf([]int{1, 4, 8, 8}, []int64{2, 7, 8, 9}, []int64{0, 2, 4, 6})
	assert.Equal(t, workload.Comparison{
		Jobs: [2]int{4, 4}, RunTimeDistance: 0.75, SizeDistance: 0.75, SubmissionDistance: 1,
		SerialShares: [2]float64{0.5, 0.25}, PowerOfTwoShares: [2]float64{0.75, 1},
	}, workload.Compare(a, b))
	assert.Equal(t, `                              first   second  distance
jobs                          4       4
run time                                0.7500
size                                    0.7500
time between submissions                1.0000
serial jobs                   50.0 %  25.0 %
sizes that are powers of two  75.0 %  100.0 %
`, workload.Compare(a, b).String())
}

// A workload is no distance from itself, and two are as far apart one way as the other.
func TestComparisonsAreDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) *scheduler.Workload {
			w := &scheduler.Workload{}
			for range rapid.IntRange(2, 20).Draw(t, name) {
				w.Jobs = append(w.Jobs, scheduler.Job{
					Nodes: rapid.IntRange(1, 9).Draw(t, "nodes"), RunMicros: rapid.Int64Range(0, 9*s).Draw(t, "run"),
					SubmitMicros: rapid.Int64Range(0, 99*s).Draw(t, "submit"),
				})
			}
			w.Sort()
			return w
		}
		a, b := draw("first"), draw("second")
		same, there, back := workload.Compare(a, a), workload.Compare(a, b), workload.Compare(b, a)
		assert.Zero(t, same.RunTimeDistance+same.SizeDistance+same.SubmissionDistance)
		assert.Equal(t, there.RunTimeDistance, back.RunTimeDistance)
		assert.Equal(t, there.SizeDistance, back.SizeDistance)
		assert.Equal(t, there.SubmissionDistance, back.SubmissionDistance)
		assert.LessOrEqual(t, there.SizeDistance, 1.0)
	})
}
