package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
)

// The first numbers of a stream are pinned: a seed that was printed must keep its meaning.
func TestChanceIsStable(t *testing.T) {
	c := NewChance(1, 2)
	assert.Equal(t, []int64{pinnedBelow, pinnedExponential}, []int64{int64(c.Below(1000)), c.Exponential(50_000)})
}

const pinnedBelow, pinnedExponential = 293, 45930

func TestExponentialHasItsMeanAndItsTail(t *testing.T) {
	c, sum, late := NewChance(3, 0), int64(0), 0
	const draws, mean = 200_000, 50_000
	for range draws {
		v := c.Exponential(mean)
		sum += v
		if v > 3*mean {
			late++
		}
	}
	assert.InDelta(t, mean, float64(sum)/draws, mean/100)
	assert.InDelta(t, 0.0498, float64(late)/draws, 0.003, "the odds of three times the mean are exp(-3)")
}

func TestParseLatency(t *testing.T) {
	for text, want := range map[string]Latency{
		"constant 50000":                     Constant(50000),
		"uniform 1000 90000":                 Uniform{1000, 90000},
		"uniform 7 7":                        Uniform{7, 7},
		"exponential 50000 asymmetric 500":   Asymmetric{Exponential(50000), 500},
		"":                                   nil,
		"constant":                           nil,
		"constant 0":                         nil,
		"constant -1":                        nil,
		"uniform 9 8":                        nil,
		"exponential 50ms":                   nil,
		"asymmetric 5":                       nil,
		"constant 1 2":                       nil,
		"exponential 99999999999999":         nil,
		"exponential 9999999999999999999999": nil,
	} {
		got, err := ParseLatency(text)
		if want == nil {
			require.ErrorIs(t, err, ErrLatency, text)
			continue
		}
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestAsymmetricLinksDifferByDirection(t *testing.T) {
	l := Asymmetric{Constant(1_000_000), 500}
	differ := 0
	for a := range protocol.Address(10) {
		there, back := l.Micros(a, a+1, nil), l.Micros(a+1, a, nil)
		assert.GreaterOrEqual(t, there, int64(1_000_000))
		assert.LessOrEqual(t, there, int64(1_500_000))
		if there != back {
			differ++
		}
	}
	assert.Greater(t, differ, 5)
}
