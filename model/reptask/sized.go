package reptask

import (
	"fmt"

	"github.com/canvass-grid/canvass/model"
)

// fixed is a system that takes other budgets.
type fixed struct {
	model.Checkable
	scenario scenario
}

var _ model.Safe = fixed{}

// Safety returns the scenario without its liveness properties.
func (c fixed) Safety() model.Checkable { return c.Checkable.(model.Safe).Safety() }

// With returns the same scenario under another budget.
func (c fixed) With(b model.Budget) (model.Checkable, error) {
	c.scenario.budget = b
	return compile(c.scenario)
}

func compile(s scenario) (model.Checkable, error) {
	c, err := s.corrected().Compile()
	if err != nil {
		return nil, err
	}
	return fixed{c, s}, nil
}

func compiled(s scenario) model.Checkable {
	c, err := compile(s)
	if err != nil {
		panic(fmt.Sprintf("the catalogue is broken: %v", err))
	}
	return c
}
