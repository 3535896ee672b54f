package reptask

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// scenario is a grid and the jobs that run on it. Nodes are named A, B, C… in the order of
// clusters.
type scenario struct {
	name      string
	doc       string
	clusters  []string // the cluster of each node, itself included: "ABC"
	jobs      []request
	moves     []moving // by dynamic load balancing
	queued    []moving // by queue balancing
	turns     []turn   // of balancing, at node A: the core decides which job moves
	each      bool     // a job may move once by each algorithm, not once in all
	kth       bool     // QB compares the k-th best queue position
	cancels   string   // owners whose first job is cancelled
	leaves    string   // nodes that leave
	cordons   string   // nodes that are cordoned
	uncordons string   // those of them that take tasks again, at any time later
	budget    model.Budget
	crashers  string // names of nodes that may crash; all if empty
	rejoins   bool   // nodes that restart get their clusters again
	tight     bool   // capacity may not suffice for every job
	witnesses string // in addition to Completed
	hopeless  bool   // some job never completes: there is no witness Completed
	safety    bool   // check no liveness: it takes too long, or does not hold
	allStart  bool   // check AllStart too, which cannot hold when a voter may crash
	deep      bool
	// deepUnder lists the networks (drop, dup, repeat) under which the scenario is deep although it is
	// not otherwise.
	deepUnder string
	// vast scenarios have tens of millions of states under unbounded duplication, and are not checked
	// under it.
	vast   bool
	expect []model.Expectation
}

// request is a job: its owner, its submission time, the number k of its dependent tasks, and its
// possible representatives.
type request struct {
	owner      string
	submitted  uint64
	size       int
	over       reptask.Over
	candidates string
}

// moving is a command that moves the first job of an owner from one node to another.
type moving struct{ owner, from, to string }

func id(name byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

func ids(names string) []protocol.NodeID {
	var all []protocol.NodeID
	for i := range len(names) {
		all = append(all, id(names[i]))
	}
	return all
}

// named returns the jobs by their names: an owner numbers its own.
func (s *scenario) named() []reptask.Job {
	var all []reptask.Job
	count := map[string]uint32{}
	for _, r := range s.jobs {
		count[r.owner]++
		all = append(all, reptask.Job{Submitted: r.submitted, Owner: id(r.owner[0]), Number: count[r.owner]})
	}
	return all
}

// sizes returns the k of each job.
func (s *scenario) sizes() func(reptask.Job) int {
	sizes := map[reptask.Job]int{}
	for i, j := range s.named() {
		sizes[j] = s.jobs[i].size
	}
	return func(j reptask.Job) int { return sizes[j] }
}

// candidates returns the possible representatives of each job.
func (s *scenario) candidates() func(reptask.Job) []protocol.NodeID {
	candidates := map[reptask.Job][]protocol.NodeID{}
	for i, j := range s.named() {
		candidates[j] = ids(s.jobs[i].candidates)
	}
	return func(j reptask.Job) []protocol.NodeID { return candidates[j] }
}

func (s *scenario) oracle() oracle[reptask.State, reptask.Message] {
	return oracle[reptask.State, reptask.Message]{
		sizes: s.sizes(), jobs: len(s.jobs), roomy: !s.tight,
		cancelled: func(j reptask.Job) bool {
			return j.Number == 1 && strings.Contains(s.cancels, model.NodeName(int(j.Owner.Address)))
		},
	}
}

// corrected builds the closed system of the corrected core.
func (s *scenario) corrected() *model.System[reptask.State, reptask.Message, reptask.Command] {
	cfg := s.config()
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	o := s.oracle()
	sys := &model.System[reptask.State, reptask.Message, reptask.Command]{
		Info: s.info("reptask"),
		Core: &agent{
			Core: &reptask.Core{Config: cfg}, nodes: len(s.clusters), candidates: s.candidates(), turns: s.turns,
		},
		Identity: func(n reptask.State) protocol.NodeID { return n.Self },
		Crashable: func(_ *globalState[reptask.State, reptask.Message], node int) bool {
			return s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node))
		},
		Due:          due,
		Monitor:      monitor[reptask.State]{view: ViewOf, sizes: s.sizes(), candidates: s.candidates(), each: s.each},
		View:         func(n reptask.State) any { return ViewOf(n) },
		QuiescentEnd: func(*globalState[reptask.State, reptask.Message]) bool { return true }, // AllDone is stronger
		Properties:   o.all(s),
	}
	for i := range s.clusters {
		sys.Nodes = append(sys.Nodes, model.Node[reptask.State, reptask.Command]{
			Name: model.NodeName(i), State: reptask.New(protocol.Address(i)), Commands: s.commands(i),
		})
		sys.Prelude = append(sys.Prelude, model.PreludeCommand[reptask.Command]{Node: i, Command: s.cluster(i)})
	}
	return sys
}

func (s *scenario) config() reptask.Config {
	cfg := reptask.DefaultConfig()
	cfg.MoveEach, cfg.KthPosition = s.each, s.kth
	if s.turns != nil {
		cfg.Dims, cfg.Machine, cfg.Classes = dimensions, 1, classes()
	}
	return cfg
}

func (s *scenario) cluster(i int) reptask.Command {
	o := reptask.Command{Kind: reptask.CommandCluster}
	for _, id := range ids(s.clusters[i]) {
		q := reptask.Neighbour{ID: id}
		if s.turns != nil {
			q.Capability = required
		}
		o.Cluster = append(o.Cluster, q)
	}
	return o
}

// commands returns the commands of the i-th node in its first incarnation and in its second.
func (s *scenario) commands(i int) [][]reptask.Command {
	var first []reptask.Command
	for _, r := range s.jobs {
		if r.owner == model.NodeName(i) {
			c := reptask.Command{
				Kind: reptask.CommandSubmit, Submitted: r.submitted, Candidates: ids(r.candidates),
				Spec: reptask.Spec{Size: uint32(r.size), Over: r.over},
			}
			if s.turns != nil {
				c.Spec.Requirement = required
				c.Spec.Requirement[nodesDim] = int32(r.size)
			}
			first = append(first, c)
		}
	}
	if strings.Contains(s.cancels, model.NodeName(i)) {
		first = append(first, reptask.Command{Kind: reptask.CommandCancel, Number: 1})
	}
	for by, moves := range [][]moving{reptask.ByDLB: s.moves, reptask.ByQB: s.queued} {
		for _, m := range moves {
			if m.from == model.NodeName(i) {
				first = append(first, reptask.Command{
					Kind: reptask.CommandMove, Job: s.firstOf(m.owner), Target: id(m.to[0]), By: reptask.Algorithm(by),
				})
			}
		}
	}
	if i == 0 {
		for k := range s.turns {
			first = append(first, turnCommand(k))
		}
	}
	if strings.Contains(s.leaves, model.NodeName(i)) {
		first = append(first, reptask.Command{Kind: reptask.CommandLeave})
	}
	if strings.Contains(s.cordons, model.NodeName(i)) {
		first = append(first, reptask.Command{Kind: reptask.CommandCordon})
	}
	if strings.Contains(s.uncordons, model.NodeName(i)) {
		first = append(first, reptask.Command{Kind: reptask.CommandUncordon})
	}
	if !s.rejoins {
		return [][]reptask.Command{first}
	}
	return [][]reptask.Command{first, {s.cluster(i)}}
}

func (s *scenario) firstOf(owner string) reptask.Job {
	for _, j := range s.named() {
		if j.Owner == id(owner[0]) {
			return j
		}
	}
	panic("no job of " + owner)
}

// all lists the properties of a scenario.
func (o oracle[S, M]) all(s *scenario) []model.Property[S, M] {
	all := o.properties()
	names := s.witnesses
	if !s.hopeless {
		names += " Completed"
	}
	all = append(all, o.witnesses(names)...)
	all = append(all, o.contract()...)
	if s.turns != nil {
		all = append(all, ofRun[S, M](brokenFit))
	}
	if s.cordons != "" {
		all = append(all, ofRun[S, M](brokenCordon))
	}
	if s.allStart {
		all = append(all, o.allStart())
	}
	if !s.safety {
		all = append(all, o.live()...)
	}
	return all
}

func (s *scenario) info(family string) model.Info {
	var jobs []string
	for _, r := range s.jobs {
		jobs = append(jobs, fmt.Sprintf("%d@%d", r.size, r.submitted))
	}
	bounds := "clusters " + strings.Join(s.clusters, " ") + "; jobs " + strings.Join(jobs, " ")
	if len(s.turns) > 0 {
		bounds += fmt.Sprintf("; %d turns of balancing", len(s.turns))
	}
	if len(s.moves)+len(s.queued) > 0 {
		bounds += fmt.Sprintf("; %d move orders", len(s.moves)+len(s.queued))
	}
	if s.cancels != "" {
		bounds += fmt.Sprintf("; %d cancelled", len(s.cancels))
	}
	if s.leaves != "" {
		bounds += fmt.Sprintf("; %d leaving", len(s.leaves))
	}
	if s.cordons != "" {
		bounds += fmt.Sprintf("; %d cordoned, %d of them uncordoned", len(s.cordons), len(s.uncordons))
	}
	return model.Info{
		Name: family + "/" + s.name, Doc: s.doc, Nodes: len(s.clusters), Budget: s.budget, Expected: s.expect,
		Deep: s.deep, Bounds: bounds, Words: Words(),
	}
}

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
