package plot_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/scheduler/plot"
)

// Every label is refused or drawn as text that a page accepts.
func TestAnyLabelIsRefusedOrHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := bars()
		s.Title, s.Caption = rapid.String().Draw(t, "title"), rapid.String().Draw(t, "caption")
		s.Groups[0].Label = rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune(`<>&"'#;:=ab -]`)))).
			Draw(t, "label")
		f, err := plot.Bars(s)
		var bad *plot.DataError
		if errors.As(err, &bad) {
			return
		}
		require.NoError(t, err)
		_, err = plot.Page("P", s.Caption, []*plot.Figure{f}, []string{s.Title})
		require.NoError(t, err)
	})
}

func TestThinKeepsTheOutline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []plot.Coordinate
		x := 0.0
		for range rapid.IntRange(0, 200).Draw(t, "vertices") {
			x += float64(rapid.IntRange(0, 3).Draw(t, "dx")) / 20
			in = append(in, plot.Coordinate{X: x, Y: float64(rapid.IntRange(0, 9).Draw(t, "y"))})
		}
		out := plot.Thin(in)
		at := 0
		low, high, count := map[float64]float64{}, map[float64]float64{}, map[float64]int{}
		for _, p := range out {
			i := slices.Index(in[at:], p)
			require.GreaterOrEqual(t, i, 0, "vertices of the line, in its order")
			at += i
			c := math.Floor(p.X / plot.Column)
			if count[c]++; count[c] == 1 {
				low[c], high[c] = p.Y, p.Y
			}
			low[c], high[c] = min(low[c], p.Y), max(high[c], p.Y)
			assert.LessOrEqual(t, count[c], 4)
		}
		for _, p := range in {
			c := math.Floor(p.X / plot.Column)
			require.NotZero(t, count[c])
			assert.LessOrEqual(t, low[c], p.Y)
			assert.GreaterOrEqual(t, high[c], p.Y)
		}
		if len(in) > 0 {
			assert.Equal(t, []plot.Coordinate{in[0], in[len(in)-1]}, []plot.Coordinate{out[0], out[len(out)-1]})
		}
	})
}

func TestWrapFitsAndKeepsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab WMi-é ,"))).Draw(t, "text")
		widest := rapid.Float64Range(20, 200).Draw(t, "widest")
		lines := plot.Wrap(text, widest)
		for _, l := range lines {
			assert.LessOrEqual(t, plot.Width(l), widest, l)
		}
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		assert.Equal(t, bare(text), bare(strings.Join(lines, "")))
	})
}

func TestTicksAreRoundAndTellValuesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.Bool().Draw(t, "log")
		low := 1e-6
		if !log {
			low = -1e9
		}
		values := rapid.SliceOfN(rapid.Float64Range(low, 1e9), 1, 5).Draw(t, "values")
		from, to, at, texts := plot.Ticks(values, log)
		assert.True(t, slices.IsSorted(at))
		assert.GreaterOrEqual(t, len(at), 2, "%g to %g", from, to)
		assert.LessOrEqual(t, len(at), 20)
		distinct := slices.Compact(slices.Clone(texts))
		assert.Equal(t, distinct, texts)
		for _, v := range at {
			assert.InDelta(t, min(max(v, from), to), v, 1e-6*(to-from))
		}
	})
}

func TestNumbersOnAxes(t *testing.T) {
	_, _, _, texts := plot.Ticks([]float64{0, 5000}, false)
	assert.Equal(t, []string{"0", "1,000", "2,000", "3,000", "4,000", "5,000"}, texts)
	_, _, _, texts = plot.Ticks([]float64{1, 100_000}, true)
	assert.Equal(t, []string{"1", "10", "100", "1,000", "10,000", "100,000"}, texts)
	_, _, _, texts = plot.Ticks([]float64{2, 30}, true)
	assert.Equal(t, []string{"2", "5", "10", "20"}, texts)
	_, _, _, texts = plot.Ticks([]float64{-0.4, 0.2}, false)
	assert.Equal(t, []string{"−0.4", "−0.2", "0.0", "0.2"}, texts)
}
