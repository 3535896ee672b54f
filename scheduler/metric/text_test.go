package metric_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/scheduler/metric"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		value  float64
		digits int
		want   string
	}{
		{0, 4, "0"}, {104.6, 2, "100"}, {0.06582, 3, "0.0658"}, {-153_812, 4, "-153800"}, {99.14, 4, "99.14"},
		{999_999, 2, "1000000"}, {0.00012, 1, "0.0001"}, {0.0000123, 2, "1.2e-05"}, {3e20, 2, "3e+20"},
		{math.Inf(-1), 3, "-Inf"}, {math.NaN(), 3, "NaN"},
	} {
		assert.Equal(t, c.want, metric.Text(c.value, c.digits))
	}
}
