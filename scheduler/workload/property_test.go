package workload_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/workload"
)

// draw draws a sorted workload; times are small, so that many are equal, or arbitrary.
func draw(t *rapid.T) *scheduler.Workload {
	micros := rapid.OneOf(rapid.Int64Range(0, 12), rapid.Int64Range(0, 1<<50))
	w := &scheduler.Workload{}
	for i := range rapid.IntRange(1, 30).Draw(t, "jobs") {
		w.Jobs = append(w.Jobs, scheduler.Job{
			Number: int64(i), SubmitMicros: micros.Draw(t, "submit"), RunMicros: micros.Draw(t, "run"),
			RequestMicros: scheduler.Unknown, EstimateMicros: scheduler.Unknown, Nodes: rapid.IntRange(1, 20).Draw(t, "size"),
		})
	}
	w.Sort()
	return w
}

// drawFactor draws a decimal number and its value.
func drawFactor(t *rapid.T, least string) (text string, value *big.Rat) {
	text = rapid.StringMatching(`[1-9][0-9]{0,2}(\.[0-9]{1,4})?|`+least).Draw(t, "factor")
	value, _ = new(big.Rat).SetString(text)
	return text, value
}

// check applies a selection and checks that the workload given is as it was.
func check(t *rapid.T, given *scheduler.Workload, selection string, nodes int) *scheduler.Workload {
	before := append([]scheduler.Job{}, given.Jobs...)
	w, err := workload.Select(given, selection, nodes, 7)
	require.NoError(t, err)
	require.Equal(t, before, given.Jobs)
	return w
}

// half is whether a whole number is the nearest to a fraction, halves up.
func half(got int64, exact *big.Rat) bool {
	d := new(big.Rat).Sub(new(big.Rat).SetInt64(got), exact)
	return d.Cmp(big.NewRat(-1, 2)) > 0 && d.Cmp(big.NewRat(1, 2)) <= 0
}

// Compressing changes submissions only, and those exactly.
func TestCompressIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		text, by := drawFactor(t, `0\.[0-9]?[1-9]`)
		scale := new(big.Rat).Inv(by)
		selection := "compress:by=" + text
		if given.SpanMicros() > 0 && rapid.Bool().Draw(t, "to") {
			span, _ := new(big.Rat).SetString(text)
			span.Mul(span, big.NewRat(1_000_000, 1))
			scale.Quo(span, new(big.Rat).SetInt64(given.SpanMicros()))
			selection = "compress:to=" + text
		}
		w := check(t, given, selection, 0)
		first := given.Jobs[0].SubmitMicros
		for i, j := range w.Jobs {
			exact := new(big.Rat).Mul(scale, new(big.Rat).SetInt64(given.Jobs[i].SubmitMicros-first))
			require.True(t, half(j.SubmitMicros-first, exact), "job %d: %d for %v", i, j.SubmitMicros-first, exact)
			j.SubmitMicros = given.Jobs[i].SubmitMicros
			require.Equal(t, given.Jobs[i], j)
			require.True(t, i == 0 || w.Jobs[i-1].SubmitMicros <= w.Jobs[i].SubmitMicros)
		}
	})
}

func TestRunsAreScaledExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		text, by := drawFactor(t, `0\.[0-9]?[1-9]`)
		w := check(t, given, "runs:by="+text, 0)
		for i, j := range w.Jobs {
			run := given.Jobs[i].RunMicros
			exact := new(big.Rat).Mul(by, new(big.Rat).SetInt64(run))
			require.True(t, half(j.RunMicros, exact) || run > 0 && j.RunMicros == 1 && exact.Cmp(big.NewRat(1, 2)) < 0)
			j.RunMicros = run
			require.Equal(t, given.Jobs[i], j)
		}
	})
}

// A folded size is the smallest that holds the former one.
func TestFoldRoundsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		text, by := drawFactor(t, `1`)
		w := check(t, given, "fold:"+text, 0)
		for i, j := range w.Jobs {
			size := big.NewRat(int64(given.Jobs[i].Nodes), 1)
			require.GreaterOrEqual(t, new(big.Rat).Mul(by, big.NewRat(int64(j.Nodes), 1)).Cmp(size), 0)
			require.Negative(t, new(big.Rat).Mul(by, big.NewRat(int64(j.Nodes)-1, 1)).Cmp(size))
			j.Nodes = given.Jobs[i].Nodes
			require.Equal(t, given.Jobs[i], j)
		}
	})
}

// Shaking moves no submission by more than it may, and does nothing else.
func TestShakeIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		most := rapid.Int64Range(1, 1<<40).Draw(t, "most")
		w := check(t, given, fmt.Sprintf("shake:%d.%06d", most/s, most%s), 0)
		require.Len(t, w.Jobs, len(given.Jobs))
		was := map[int64]scheduler.Job{}
		for _, j := range given.Jobs {
			was[j.Number] = j
		}
		for i, j := range w.Jobs {
			require.GreaterOrEqual(t, j.SubmitMicros, int64(0))
			require.LessOrEqual(t, j.SubmitMicros, was[j.Number].SubmitMicros+most)
			require.GreaterOrEqual(t, j.SubmitMicros, was[j.Number].SubmitMicros-most)
			require.True(t, i == 0 || w.Jobs[i-1].SubmitMicros <= j.SubmitMicros)
			j.SubmitMicros = was[j.Number].SubmitMicros
			require.Equal(t, was[j.Number], j)
		}
	})
}

// Both ends of a move are reached, and moves do not lean to one side.
func TestShakeIsUniform(t *testing.T) {
	given := &scheduler.Workload{Jobs: make([]scheduler.Job, 30_000)}
	for i := range given.Jobs {
		given.Jobs[i] = scheduler.Job{Number: int64(i), SubmitMicros: s, Nodes: 1}
	}
	w, err := workload.Select(given, "shake:0.000001", 0, 1)
	require.NoError(t, err)
	count := map[int64]int{}
	for _, j := range w.Jobs {
		count[j.SubmitMicros-s]++
	}
	require.Len(t, count, 3)
	for _, n := range count {
		assert.InDelta(t, 10_000, n, 400) // about 5 standard deviations
	}
}

// At the beginning of the clock, moves to before it are reflected: jobs do not gather at 0.
func TestShakeIsReflected(t *testing.T) {
	given := &scheduler.Workload{Jobs: make([]scheduler.Job, 30_000)}
	w, err := workload.Select(given, "shake:0.000001", 0, 1)
	require.NoError(t, err)
	at := map[int64]int{}
	for _, j := range w.Jobs {
		at[j.SubmitMicros]++
	}
	assert.Len(t, at, 2)
	assert.InDelta(t, 20_000, at[1], 400)
}

// The densest window may be the last one.
func TestTheLastWindowIsDensest(t *testing.T) {
	given := &scheduler.Workload{Jobs: []scheduler.Job{
		{SubmitMicros: 0, Nodes: 1}, {SubmitMicros: 10 * s, Nodes: 2}, {SubmitMicros: 11 * s, Nodes: 3},
	}}
	w, err := workload.Select(given, "window:densest:2", 0, 1)
	require.NoError(t, err)
	require.Len(t, w.Jobs, 2)
	assert.Equal(t, []int{2, 3}, []int{w.Jobs[0].Nodes, w.Jobs[1].Nodes})
}

// The densest window against all windows.
func TestDensestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		n := rapid.IntRange(1, len(given.Jobs)).Draw(t, "n")
		w := check(t, given, fmt.Sprintf("window:densest:%d", n), 0)
		best, least := -1, int64(0)
		for i := 0; i+n <= len(given.Jobs); i++ {
			span := (&scheduler.Workload{Jobs: given.Jobs[i : i+n]}).SpanMicros()
			if best < 0 || span < least {
				best, least = i, span
			}
		}
		checkWindow(t, given, w, best, best+n)
	})
}

// The busiest window against all windows.
func TestBusiestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		length := rapid.OneOf(rapid.Int64Range(1, 12), rapid.Int64Range(1, 1<<50)).Draw(t, "length")
		w := check(t, given, fmt.Sprintf("window:busiest:%d.%06d", length/s, length%s), 0)
		best, most := 0, 0
		for i, a := range given.Jobs {
			inside := 0
			for _, b := range given.Jobs[i:] {
				if b.SubmitMicros < a.SubmitMicros+length {
					inside++
				}
			}
			if inside > most {
				best, most = i, inside
			}
		}
		checkWindow(t, given, w, best, best+most)
	})
}

// checkWindow checks that a window holds the given jobs on its own clock.
func checkWindow(t *rapid.T, given, w *scheduler.Workload, first, end int) {
	want := append([]scheduler.Job{}, given.Jobs[first:end]...)
	begin := want[0].SubmitMicros
	for i := range want {
		want[i].SubmitMicros -= begin
	}
	require.Equal(t, want, w.Jobs)
}

// After load:to the span is the nearest to area over (nodes times load).
func TestLoadIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := draw(t)
		nodes := rapid.IntRange(1, 1000).Draw(t, "nodes")
		text, load := drawFactor(t, `0\.[0-9]?[1-9]`)
		sum := new(big.Rat)
		for _, j := range given.Jobs {
			sum.Add(sum, new(big.Rat).Mul(big.NewRat(int64(j.Nodes), 1), big.NewRat(j.RunMicros, 1)))
		}
		span := sum.Quo(sum, load.Mul(load, big.NewRat(int64(nodes), 1)))
		if given.SpanMicros() == 0 || span.Cmp(big.NewRat(1, 1)) < 0 {
			t.Skip("no load to scale")
		}
		w := check(t, given, "load:to="+text, nodes)
		require.True(t, half(w.SpanMicros(), span), "%d for %v", w.SpanMicros(), span)
	})
}
