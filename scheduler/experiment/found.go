package experiment

import (
	"fmt"
	"math"

	"github.com/canvass-grid/canvass/scheduler/metric"
)

// spanned is a mean with its 95 % interval, which a single run does not have.
func spanned(mean, low, high float64, unit string) string {
	if math.IsInf(low, -1) && math.IsInf(high, 1) {
		return metric.Text(mean, 4) + unit + " in one run"
	}
	return fmt.Sprintf("%s%s, 95 %% interval %s to %s", metric.Text(mean, 4), unit, metric.Text(low, 4),
		metric.Text(high, 4))
}
