package reptask

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// compile makes the scenario a system, the properties of which depend on its faults.
func compile(s scenario) (model.Checkable, error) {
	return model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
		under := s
		under.budget = b
		return under.corrected().Compile()
	})
}

func compiled(s scenario) model.Checkable {
	c, err := compile(s)
	if err != nil {
		panic(fmt.Sprintf("the catalogue is broken: %v", err))
	}
	return c
}
