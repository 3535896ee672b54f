package can

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Setting is a model that a driver with a clock can run too: the nodes, their commands, and the
// faults. Nodes are named by their indexes: the founders in the order of their joins, then the
// joiners.
type Setting struct {
	Name     string // of the model
	Space    space.Space
	Coords   []space.Point // by node
	Founders int
	Contacts []int // the contacts of the joiners
	Leavers  []int
	Crashers []int // nodes that may crash; for Compile, none means all
	Returns  []int // nodes that join again after a restart
	Budget   model.Budget
}

// Compile returns the corrected core's model of a setting, without liveness and without witnesses.
// Its name is can/drawn/ and that of the setting. A crash leaves at least two members, and the next
// one comes after recovery, unless only one node may crash and two members stay in any case. An
// error wraps [model.ErrSystem] or [model.ErrBudget].
func (s Setting) Compile() (model.Checkable, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	drawn := scenario{
		layout: layout{
			name:    "drawn",
			virtual: s.Space.Virtual,
			sizes:   s.Space.Size[:s.Space.Dims],
			nodes:   s.Coords[:s.Founders],
		},
		name: s.Name, leavers: model.NodeNames(s.Leavers), crashers: model.NodeNames(s.Crashers),
		rejoin: model.NodeNames(s.Returns), budget: s.Budget,
		successive: s.Budget.Crash > 1 || s.Founders-len(s.Leavers) < 2, drawn: true, chancy: true, safety: true,
	}
	for i, coord := range s.Coords[s.Founders:] {
		drawn.joiners = append(drawn.joiners, joiner{coord, model.NodeName(s.Contacts[i])})
	}
	return drawn.corrected().Compile()
}

// validate reports what is wrong with a setting. Compiling checks the budget.
func (s Setting) validate() error {
	if err := model.ValidateName(s.Name); err != nil {
		return err
	}
	nodes := len(s.Coords)
	switch {
	case nodes > model.MaxNodes || s.Founders < 1 || s.Founders > nodes:
		return fmt.Errorf(
			"%w: %d founders of %d nodes; there is at least one, and all are at most %d",
			model.ErrSystem,
			s.Founders,
			nodes,
			model.MaxNodes,
		)
	case len(s.Contacts) != nodes-s.Founders:
		return fmt.Errorf(
			"%w: %d contacts for %d nodes that come from outside; each needs one",
			model.ErrSystem,
			len(s.Contacts),
			nodes-s.Founders,
		)
	}
	switch {
	case s.Space.Dims < 1 || s.Space.Dims > len(space.Point{}):
		return fmt.Errorf("%w: the space has %d dimensions; make one with space.New", model.ErrSystem, s.Space.Dims)
	case s.Space.Virtual > 0 && s.Founders > 1:
		return fmt.Errorf(
			"%w: the space has a virtual dimension, in which %d founders might never find a place",
			model.ErrSystem,
			s.Founders,
		)
	}
	for i, contact := range s.Contacts {
		if contact >= s.Founders {
			return fmt.Errorf(
				"%w: node %d asks node %d, and only the first %d nodes are founders",
				model.ErrSystem,
				s.Founders+i,
				contact,
				s.Founders,
			)
		}
	}
	for i, coord := range s.Coords {
		if !s.Space.Whole().Contains(coord) {
			return fmt.Errorf(
				"%w: the coordinates of node %d, %v, are outside the space of %v",
				model.ErrSystem,
				i,
				coord,
				s.Space.Size[:s.Space.Dims],
			)
		}
		if at := slices.Index(s.Coords, coord); at < i && s.Space.Virtual == 0 {
			return fmt.Errorf("%w: nodes %d and %d have the same coordinates, %v", model.ErrSystem, at, i, coord[:s.Space.Dims])
		}
	}
	return model.ValidateNodes(nodes, slices.Concat(s.Contacts, s.Leavers, s.Crashers, s.Returns)...)
}

// Settings lists those of the models of the corrected core in which all properties hold, but for
// those of rare: a setting does not state their rules.
func Settings() []Setting {
	var all []Setting
	for _, list := range [][]scenario{rows(), planes(), crashes(), adequacy()} {
		for i := range list {
			if len(list[i].expect) == 0 {
				all = append(all, list[i].setting())
			}
		}
	}
	return all
}

func (s *scenario) setting() Setting {
	set := Setting{Name: s.info("can").Name, Space: s.space(), Founders: len(s.layout.nodes), Budget: s.budget}
	for i := range s.nodeCount() {
		set.Coords = append(set.Coords, s.coordinate(i))
		if s.mayCrash(id(model.NodeName(i))) {
			set.Crashers = append(set.Crashers, i)
		}
	}
	for _, j := range s.joiners {
		set.Contacts = append(set.Contacts, nodesNamed(j.contact)...)
	}
	set.Leavers, set.Returns = nodesNamed(s.leavers), nodesNamed(s.rejoin)
	return set
}

// nodesNamed returns the indexes of the nodes with these names.
func nodesNamed(names string) (all []int) {
	for _, name := range strings.Split(names, "") {
		all = append(all, int(name[0]-'A'))
	}
	return all
}

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
