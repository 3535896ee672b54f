package workload

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// The distance is that of gonum, but for rounding.
func TestDistanceIsThatOfGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.Map(rapid.SliceOf(rapid.Float64Range(0, 5)), func(all []float64) []float64 {
			for i := range all {
				if i%2 == 0 {
					all[i] = float64(int(all[i])) // so that some are equal
				}
			}
			slices.Sort(all)
			return all
		})
		a, b := sample.Draw(t, "a"), sample.Draw(t, "b")
		assert.InDelta(t, stat.KolmogorovSmirnov(a, nil, b, nil), kolmogorovSmirnov(a, b), 1e-12)
	})
}
