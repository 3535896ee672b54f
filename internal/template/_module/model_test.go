package payments

import (
	"testing"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/checktest"
)

// Each budget of faults is a check of all interleavings.
func TestPayments(t *testing.T) {
	budgets := map[string]model.Budget{
		"no faults":    {},
		"a drop":       {Drop: 1},
		"a duplicate":  {Duplicate: 1},
		"many":         {Drop: 2, Duplicate: 1},
		"early alarms": {Drop: 1, Spurious: 2},
	}
	for name, budget := range budgets {
		t.Run(name, func(t *testing.T) {
			system, err := New()
			if err != nil {
				t.Fatal(err)
			}
			checktest.RunSystem(t, system, checktest.Budget(budget))
		})
	}
}
