package refine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Setting describes a grid and its events. It need not be in the catalogue. Nodes are named by
// their indexes.
type Setting struct {
	Name             string
	Candidates       [][]int // by node: the first candidates of its head; a node without candidates is a client only
	Membership, Size int     // the bounds M and N
	Criterion        refine.Criterion
	Distant          [][2]int // pairs that are too far from each other
	Drifting         [][2]int // pairs of which every measurement may come out either way
	Later            []Later  // commands that come at any time afterwards, those of one node in their order
	Started          bool     // the first commands also come at any time
	Crashers         []int    // nodes that may crash; none means all
	Budget           model.Budget
}

// Later is a command to a node. CommandAdd and CommandDrop name nodes; the others name none.
type Later struct {
	Node  int
	Kind  refine.CommandKind
	Nodes []int
}

// signOf returns the sign of a kind of command in a scenario; "" if there is no such kind.
func signOf(kind refine.CommandKind) string {
	for sign, k := range commandKinds {
		if k == kind {
			return string(sign)
		}
	}
	return ""
}

// Compile returns the model of a setting, without liveness and without witnesses. An error wraps
// [model.ErrSystem] or [model.ErrBudget].
func (s Setting) Compile() (model.Checkable, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	var candidates, later []string
	for _, of := range s.Candidates {
		names := model.NodeNames(of)
		if names == "" {
			names = "-"
		}
		candidates = append(candidates, names)
	}
	for _, o := range s.Later {
		later = append(later, model.NodeName(o.Node)+signOf(o.Kind)+model.NodeNames(o.Nodes))
	}
	return compile(scenario{
		name: s.Name, candidates: strings.Join(candidates, " "), membership: s.Membership, size: s.Size,
		criterion: s.Criterion,
		distant:   pairsOf(s.Distant), drifting: pairsOf(s.Drifting), later: strings.Join(later, " "), started: s.Started,
		crashers: model.NodeNames(s.Crashers), budget: s.Budget, safety: true,
	})
}

// pairsOf writes pairs as scenarios do.
func pairsOf(pairs [][2]int) string {
	var all []string
	for _, p := range pairs {
		all = append(all, model.NodeName(p[0])+model.NodeName(p[1]))
	}
	return strings.Join(all, " ")
}

// validate reports what is wrong with a setting. Compiling checks the budget.
func (s Setting) validate() error {
	if err := model.ValidateName(s.Name); err != nil {
		return err
	}
	nodes := len(s.Candidates)
	if nodes == 0 || nodes > model.MaxNodes {
		return fmt.Errorf(
			"%w: %d nodes; there is at least one, and all are at most %d",
			model.ErrSystem,
			nodes,
			model.MaxNodes,
		)
	}
	named := slices.Concat(append(slices.Clone(s.Candidates), s.Crashers)...)
	for _, p := range slices.Concat(s.Distant, s.Drifting) {
		named = append(named, p[:]...)
	}
	for _, o := range s.Later {
		named = append(append(named, o.Node), o.Nodes...)
		adds := o.Kind == refine.CommandAdd || o.Kind == refine.CommandDrop
		if signOf(o.Kind) == "" || adds != (len(o.Nodes) > 0) {
			return fmt.Errorf(
				"%w: the command of node %d is of kind %d and names %s; only CommandAdd and CommandDrop name any",
				model.ErrSystem,
				o.Node,
				o.Kind,
				english.Count(len(o.Nodes), "node"),
			)
		}
	}
	cfg := s.config()
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("%w: %w", model.ErrSystem, err)
	}
	return model.ValidateNodes(nodes, named...)
}

// config is that of the core.
func (s Setting) config() refine.Config {
	cfg := refine.DefaultConfig(s.Membership, s.Size, diameter)
	cfg.Criterion = s.Criterion
	return cfg
}
