package payments

import (
	"testing"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/checktest"
)

// Each budget of faults is a check of all interleavings.
func TestPayments(t *testing.T) {
	for _, test := range []struct {
		name   string
		budget model.Budget
	}{
		{"no faults", model.Budget{}},
		{"a drop", model.Budget{Drop: 1}},
		{"a duplicate", model.Budget{Duplicate: 1}},
		{"many", model.Budget{Drop: 2, Duplicate: 1}},
		{"premature timeouts", model.Budget{Drop: 1, Spurious: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			system, err := New()
			if err != nil {
				t.Fatal(err)
			}
			checktest.RunSystem(t, system, checktest.Budget(test.budget))
		})
	}
}
