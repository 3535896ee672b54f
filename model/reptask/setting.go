package reptask

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Setting describes a grid and the jobs that run on it. It need not be in the catalogue. Nodes are
// named by their indexes.
type Setting struct {
	Name     string
	Clusters [][]int // by node: the nodes of its cluster, itself included if it can run jobs
	Jobs     []Submission
	Moves    []Move
	Cancels  []int // owners whose first job is cancelled
	Crashers []int // nodes that may crash; none means all
	Budget   model.Budget
}

// Submission is a job. An owner submits its jobs in their order.
type Submission struct {
	Owner      int
	Submitted  uint64 // as the client reports; of two jobs the one with the lower number is older
	Size       int    // k, the number of dependent tasks
	Over       reptask.Over
	Candidates []int // possible representatives, in the order in which they are asked
}

// Degree returns one of the degrees of over-provisioning of section 4.3, by an index of two bits:
// none, 1.5-fold, 8-fold and total.
func Degree(index uint64) reptask.Over {
	return [...]reptask.Over{reptask.OverNone, 1_500, 8_000, reptask.OverTotal}[index&3]
}

// Move is a command that moves the first job of an owner from one node to another, if it is there.
type Move struct{ Owner, From, To int }

// Compile returns the model of a setting, without liveness and without witnesses. A node that
// restarts gets its cluster again. "No cluster could take it" counts as an end of a job, whether or
// not the capacity suffices. An error wraps [model.ErrSystem] or [model.ErrBudget].
func (s Setting) Compile() (model.Checkable, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	drawn := scenario{
		name: s.Name, cancels: model.NodeNames(s.Cancels), crashers: model.NodeNames(s.Crashers), rejoins: true,
		budget: s.Budget,
		tight:  true, hopeless: true, safety: true,
	}
	for _, cluster := range s.Clusters {
		drawn.clusters = append(drawn.clusters, model.NodeNames(cluster))
	}
	for _, j := range s.Jobs {
		drawn.jobs = append(
			drawn.jobs,
			request{model.NodeName(j.Owner), j.Submitted, j.Size, j.Over, model.NodeNames(j.Candidates)},
		)
	}
	for _, m := range s.Moves {
		drawn.moves = append(drawn.moves, moving{model.NodeName(m.Owner), model.NodeName(m.From), model.NodeName(m.To)})
	}
	return compile(drawn)
}

// validate reports what is wrong with a setting. Compiling checks the budget.
func (s Setting) validate() error {
	if err := model.ValidateName(s.Name); err != nil {
		return err
	}
	nodes := len(s.Clusters)
	if nodes == 0 || nodes > model.MaxNodes {
		return fmt.Errorf(
			"%w: %d nodes; there is at least one, and all are at most %d",
			model.ErrSystem,
			nodes,
			model.MaxNodes,
		)
	}
	named := slices.Concat(append(slices.Clone(s.Clusters), s.Cancels, s.Crashers)...)
	owners, owned := slices.Clone(s.Cancels), map[int]bool{}
	for i, j := range s.Jobs {
		named, owned[j.Owner] = append(append(named, j.Owner), j.Candidates...), true
		if j.Size < 1 || !j.Over.Valid() || len(j.Candidates) == 0 {
			return fmt.Errorf(
				"%w: job %d has the size %d, the degree %d of over-provisioning and %d candidates; "+
					"a job has at least one dependent task, a degree of 0 or at least %d, and at least one candidate",
				model.ErrSystem,
				i,
				j.Size,
				j.Over,
				len(j.Candidates),
				reptask.OverNone,
			)
		}
	}
	for _, m := range s.Moves {
		named, owners = append(named, m.Owner, m.From, m.To), append(owners, m.Owner)
	}
	if err := model.ValidateNodes(nodes, named...); err != nil {
		return err
	}
	for _, node := range owners {
		if !owned[node] {
			return fmt.Errorf(
				"%w: the first job of node %d must move or be cancelled, and it has no job",
				model.ErrSystem,
				node,
			)
		}
	}
	return nil
}
