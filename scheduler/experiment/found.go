package experiment

import (
	"fmt"
	"math"
)

// spanned is a mean with its 95 % interval, which a single run does not have.
func spanned(mean, low, high float64, unit string) string {
	if math.IsInf(low, -1) && math.IsInf(high, 1) {
		return fmt.Sprintf("%.4g%s in one run", mean, unit)
	}
	return fmt.Sprintf("%.4g%s, 95 %% interval %.4g to %.4g", mean, unit, low, high)
}
