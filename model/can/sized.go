package can

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
)

// sized is a system whose map can grow.
type sized struct {
	model.Checkable
	scenario scenario
	build    func(*scenario) (model.Checkable, error)
}

var (
	_ model.Resizable = sized{}
	_ model.Safe      = sized{}
)

// Safety returns the scenario without its liveness properties.
func (c sized) Safety() model.Checkable { return c.Checkable.(model.Safe).Safety() }

func newSized(s scenario, build func(*scenario) (model.Checkable, error)) (model.Checkable, error) {
	c, err := build(&s)
	if err != nil {
		return nil, err
	}
	return sized{c, s, build}, nil
}

func corrected(s *scenario) (model.Checkable, error)   { return s.corrected().Compile() }
func transcribed(s *scenario) (model.Checkable, error) { return s.published().Compile() }

// With returns the same scenario under another budget.
func (c sized) With(b model.Budget) (model.Checkable, error) {
	c.scenario.budget = b
	return newSized(c.scenario, c.build)
}

// WithNodes returns the scenario on a longer row: zones are added at the high end. Other maps are
// fixed.
func (c sized) WithNodes(nodes int) (model.Checkable, error) {
	s := c.scenario
	zones := nodes - len(s.joiners)
	switch present := len(s.layout.nodes); {
	case !strings.HasPrefix(s.layout.name, "row"):
		return nil, fmt.Errorf(
			"model %s: %w: its map is fixed at %d nodes; only rows grow",
			c.Info().Name,
			model.ErrNodes,
			s.nodeCount(),
		)
	case zones < present || nodes > model.MaxNodes:
		return nil, fmt.Errorf("model %s: %w: --nodes %d; it must be from %d to %d",
			c.Info().Name, model.ErrNodes, nodes, s.nodeCount(), model.MaxNodes)
	}
	s.resized = s.resized || zones > len(s.layout.nodes)
	s.layout.sizes, s.layout.nodes = slices.Clone(s.layout.sizes), slices.Clone(s.layout.nodes)
	for len(s.layout.nodes) < zones {
		s.layout.nodes = append(s.layout.nodes, at(s.layout.sizes[0]))
		s.layout.sizes[0] += 4
	}
	return newSized(s, c.build)
}
