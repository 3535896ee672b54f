package store

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// RowSize is the size of the space of a setting.
const RowSize = 16

// Setting describes a system on a row. It need not be in the catalogue. Nodes are named by their
// indexes: the founders, from left to right, then the joiners.
type Setting struct {
	Name     string
	Founders []int32 // their coordinates, ascending, from 0 to 15
	Joiners  []int32 // the coordinates of the joiners
	Contacts []int   // the contacts of the joiners
	Leavers  []int
	Crashers []int  // nodes that may crash; none means all
	Returns  []int  // nodes that join again after a restart
	Calls    []Call // those of one node in their order
	Budget   model.Budget
}

// Call is an operation, and the node of the client that calls it. No two calls have the same ID.
type Call struct {
	Node      int
	Operation store.Operation
}

// Compile returns the model of a setting, without liveness and without witnesses. Certain is
// checked if no node leaves; otherwise it depends on the owners of the keys (package
// protocol/store). Nodes crash as often as the budget allows, at any time. The caller must exclude
// what the map cannot survive: two crashes at once, or that of the last taker. An error wraps
// [model.ErrSystem] or [model.ErrBudget].
func (s Setting) Compile() (model.Checkable, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	var nodes []space.Point
	for _, coord := range s.Founders {
		nodes = append(nodes, at(coord))
	}
	drawn := scenario{
		layout: row("drawn", nodes...), name: s.Name, leavers: model.NodeNames(s.Leavers),
		crashers: model.NodeNames(s.Crashers), rejoin: model.NodeNames(s.Returns),
		budget: s.Budget, safety: true, vague: len(s.Leavers) > 0,
	}
	for i, coord := range s.Joiners {
		drawn.joiners = append(drawn.joiners, joiner{at(coord), model.NodeName(s.Contacts[i])})
	}
	for _, c := range s.Calls {
		drawn.calls = append(drawn.calls, call{model.NodeName(c.Node), c.Operation})
	}
	return drawn.system().Compile()
}

// validate reports what is wrong with a setting. Compiling checks the budget.
func (s Setting) validate() error {
	if err := model.ValidateName(s.Name); err != nil {
		return err
	}
	nodes := len(s.Founders) + len(s.Joiners)
	switch {
	case len(s.Founders) == 0 || nodes > model.MaxNodes:
		return fmt.Errorf(
			"%w: %d founders of %d nodes; there is at least one, and all are at most %d",
			model.ErrSystem,
			len(s.Founders),
			nodes,
			model.MaxNodes,
		)
	case len(s.Contacts) != len(s.Joiners):
		return fmt.Errorf(
			"%w: %d contacts for %d nodes that come from outside; each needs one",
			model.ErrSystem,
			len(s.Contacts),
			len(s.Joiners),
		)
	case !slices.IsSorted(s.Founders):
		return fmt.Errorf("%w: the coordinates of founders, %v, are in no order", model.ErrSystem, s.Founders)
	}
	met := map[int32]bool{}
	for _, coord := range slices.Concat(s.Founders, s.Joiners) {
		if coord < 0 || coord >= RowSize || met[coord] {
			return fmt.Errorf("%w: the coordinate %d is not from 0 to %d, or there twice", model.ErrSystem, coord, RowSize-1)
		}
		met[coord] = true
	}
	named := slices.Concat(s.Contacts, s.Leavers, s.Crashers, s.Returns)
	ids := map[uint32]bool{}
	for _, c := range s.Calls {
		named = append(named, c.Node)
		if o := c.Operation; o.Kind > store.Lookup || o.Key[0] < 0 || o.Key[0] >= RowSize || o.Key != at(o.Key[0]) {
			return fmt.Errorf(
				"%w: operation %d is of kind %d, of the key %v; the kind must be one of package protocol/store, "+
					"and the key a point of the row from 0 to %d",
				model.ErrSystem,
				o.ID,
				o.Kind,
				o.Key,
				RowSize-1,
			)
		}
		if ids[c.Operation.ID] {
			return fmt.Errorf("%w: two operations have the ID %d", model.ErrSystem, c.Operation.ID)
		}
		ids[c.Operation.ID] = true
	}
	return model.ValidateNodes(nodes, named...)
}
