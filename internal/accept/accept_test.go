package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachItemIsThereOrSaysWhyNot(t *testing.T) {
	for n, i := range items {
		assert.Equal(t, n+1, i.number)
		assert.NotEmpty(t, i.title)
		assert.NotEqual(t, i.try == nil, i.lacks == "", "item %d", i.number)
	}
}

// of writes a ledger.
func of(t *testing.T, lines string) *trial {
	t.Helper()
	one := &trial{folder: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(one.folder, "ledger"), []byte(lines), 0o600))
	return one
}

func TestTheLedgerNoticesJobsThatRunTwice(t *testing.T) {
	good := of(t, "j A-1 0 10\nj A-1 0 20\nj B-1 0 30\nj B-1 0 40\nk A-2 0 13\nk A-2 0 15")
	ranks, attempts := good.onceAtATime()
	assert.Equal(t, 2, ranks)
	assert.Equal(t, 3, attempts)
	assert.Equal(t, 2, good.mostAtOnce())
	assert.Greater(t, good.lastBeat(), time.Hour)

	bad := of(t, "j A-1 0 10\nj B-1 0 15\nj A-1 0 20\nj B-1 0 40\n")
	assert.Panics(t, func() { bad.onceAtATime() })
}

func TestJudgesOfCanaries(t *testing.T) {
	out := "J1 AckedKept       violated     of 9 none is forgotten\nJ2 OneRun          holds        9\n" +
		"J6b OneHistory     violated     9 steps\nverdict: violated\nthe mutant a was noticed\n" +
		"J8 Results         violated     9\nthe mutant b was noticed\n"
	assert.Equal(t, []string{"a by J1, J6b", "b by J8"}, canariesOf(out))
	assert.Equal(t, []string{"x", "y-z"}, namesIn(`Name: "x", File: "f"},\n{Name: "y-z"`))
}

func TestFullAmounts(t *testing.T) {
	s := settings{amounts: amounts{runs: 5, size: 200, minutes: 1}}
	six := &item{named: amounts{runs: 100}}
	assert.Equal(t, "5 of 100 runs; ", s.of(six).share(six.named))
	require.NoError(t, s.runsFlag("full"))
	assert.Equal(t, "100 of 100 runs; ", s.of(six).share(six.named))
	assert.Equal(t, amounts{runs: 100, size: 200, minutes: 1}, s.of(six).amounts)
	other := &item{named: amounts{size: 10_000, minutes: 60}}
	assert.Equal(t, "10000 of 10000 elements; 60 of 60 minutes; ", s.of(other).share(other.named))
	assert.Empty(t, s.share(amounts{}))
	require.NoError(t, s.runsFlag("7"))
	assert.Equal(t, amounts{runs: 7, size: 200, minutes: 1}, s.of(six).amounts)
	require.Error(t, s.runsFlag("0"))
	require.Error(t, s.runsFlag("many"))
	assert.Equal(t, []int{10, 10, 5}, portions(25))
}

func TestMutantsOfCores(t *testing.T) {
	table := "{\n\tName: \"a-b\", File: \"lease/x.go\",\n},\n{Name: \"c\", File: \"custody/x.go\"}"
	assert.Equal(t, []string{"a-b"}, mutantsOf(table, "lease"))
	assert.Empty(t, mutantsOf(table, "muster"))
}

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
