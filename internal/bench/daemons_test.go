package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARowSaysWhetherAGoalIsMet(t *testing.T) {
	made := func(system string, wants []want, runs ...[]float64) *series {
		return &series{measure: measure{goal: "P1", what: "jobs", system: system, unit: "jobs/s", wants: wants}, runs: runs}
	}
	least := want{50, 60, true, []factor{{"slow", 2}, {"fast", 0.5}, {"absent", 9}, {"shown", 0}}}
	ours := made("ours", []want{least}, []float64{70}, []float64{90}, []float64{80})
	slow, fast := made("slow", half, []float64{40}), made("fast", half, []float64{100})
	assert.Equal(t, "| P1 | jobs | ours | 80 jobs/s | 70 to 90 | ≥ 60 jobs/s | 2 × slow (≥ 2), 0.8 × fast (≥ 0.5) | met |",
		rowOf(ours, least, []*series{ours, slow, fast}))
	slow.runs = [][]float64{{41}}
	assert.Contains(t, rowOf(ours, least, []*series{ours, slow, fast}), "| missed |")
	shown := made("shown", half, []float64{800})
	assert.Contains(t, rowOf(ours, least, []*series{ours, shown}), "| 0.1 × shown | met |")
	slow.runs = nil // it could not be measured
	assert.Contains(t, rowOf(ours, least, []*series{ours, slow, fast}), "| 0.8 × fast (≥ 0.5) | met |")

	most := want{percent: 100, limit: 85}
	assert.Contains(t, rowOf(ours, most, nil), "| ≤ 85 jobs/s |  | missed |")
	most.limit = 90
	assert.Contains(t, rowOf(ours, most, nil), "| met |")
	slow.runs = [][]float64{{40}}
	assert.Equal(t, "| P1 | jobs | slow | 40 jobs/s | 40 to 40 |  |  |  |", rowOf(slow, half[0], nil))
	slow.runs = [][]float64{{math.Inf(1)}}
	assert.Equal(t, "| P1 | jobs, the most | slow | never |  | ≤ 90 jobs/s |  | missed |", rowOf(slow, most, nil))
}
