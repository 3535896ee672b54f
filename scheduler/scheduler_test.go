package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/scheduler"
)

func TestSortKeepsTheOrderOfEqualSubmissions(t *testing.T) {
	w := scheduler.Workload{Jobs: []scheduler.Job{
		{Number: 1, SubmitMicros: 5}, {Number: 2, SubmitMicros: 3}, {Number: 3, SubmitMicros: 5},
		{Number: 4, SubmitMicros: 3},
	}}
	assert.Equal(t, 2, w.Sort())
	var order []int64
	for _, j := range w.Jobs {
		order = append(order, j.Number)
	}
	assert.Equal(t, []int64{2, 4, 1, 3}, order)
	assert.Equal(t, int64(2), w.SpanMicros())
	assert.Zero(t, (&scheduler.Workload{}).SpanMicros())
}

func TestNoteAddsUp(t *testing.T) {
	var w scheduler.Workload
	w.Note("dropped: no run time", 2)
	w.Note("dropped: no nodes", 0)
	w.Note("dropped: no run time", 3)
	assert.Equal(t, []scheduler.Change{{What: "dropped: no run time", Jobs: 5}}, w.Changes)
}

func TestPlatformCountsNodes(t *testing.T) {
	p := scheduler.Platform{Clusters: []scheduler.Cluster{{Nodes: 3}, {Nodes: 7}, {Nodes: 2}}}
	assert.Equal(t, 12, p.Nodes())
	assert.Equal(t, 7, p.Largest())
	assert.Zero(t, (&scheduler.Platform{}).Largest())
}

// The numbers of a stream are part of the format of rows: they must never change.
func TestStreamsAreRepeatable(t *testing.T) {
	first := scheduler.Stream(1, "a").Uint64()
	assert.Equal(t, first, scheduler.Stream(1, "a").Uint64())
	assert.NotEqual(t, first, scheduler.Stream(1, "b").Uint64())
	assert.NotEqual(t, first, scheduler.Stream(2, "a").Uint64())
	assert.Equal(t, uint64(0xcfb620a5800342c5), first)
}
