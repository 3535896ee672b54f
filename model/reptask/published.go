package reptask

import (
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/reading"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/reptask"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// publishedScenario is a grid of the published core. Nodes are named by letters.
type publishedScenario struct {
	name, doc string
	clusters  []string // the nodes to which each node dispatches, in the order of its preference
	jobs      []publishedJob
	balances  []balancing
	fold      int // over-provisioning; 0: off
	readings  published.Readings
	fifo      bool // the messages of a link arrive in the order in which they were sent
	budget    model.Budget
	crashers  string // names of nodes that may crash; all if empty
	witnesses string
	expect    []model.Expectation
}

// publishedJob is a job: its owner, its representative, its submission time, its hash and its k.
type publishedJob struct {
	owner, to  string
	time, hash uint64
	nodes      int
}

// balancing is a run of Algorithm 1 or 2 at a node.
type balancing struct {
	at      string
	command published.Command
}

// Published lists the systems of the published core: those in which a property breaks, with the
// reason, and for comparison some in which all properties hold.
func Published() []model.Checkable {
	var all []model.Checkable
	for _, s := range publishedScenarios() {
		m, err := s.system().Compile()
		if err != nil {
			panic(err)
		}
		all = append(all, m)
	}
	return all
}

// Interpreted returns a scenario of [Published] in one reading of the text, on links that keep the
// order of messages or do not. It returns nil if there is no such scenario. Nothing is expected of
// the model.
func Interpreted(name string, r published.Readings, fifo bool) (model.Checkable, error) {
	for _, s := range publishedScenarios() {
		if s.name == name {
			s.readings, s.fifo, s.expect = r, fifo, nil
			return s.system().Compile()
		}
	}
	return nil, nil
}

func (s *publishedScenario) system() *model.System[published.State, published.Message, published.Command] {
	cfg := published.DefaultConfig()
	cfg.Readings, cfg.Fold = s.readings, max(1, s.fold)
	name := "published/reptask/" + s.name + reading.Suffix(s.readings, s.fifo)
	o := oracle[published.State, published.Message]{sizes: s.sizes(), jobs: len(s.jobs), roomy: true}
	witnesses := s.witnesses
	if witnesses == "" && len(s.expect) == 0 {
		witnesses = "Completed"
	}
	sys := &model.System[published.State, published.Message, published.Command]{
		Info: model.Info{
			Name: name, Doc: s.doc, Nodes: len(s.clusters), Budget: s.budget, Expected: s.expect,
			Bounds: english.Count(len(s.jobs), "job") + ", " + english.Count(len(s.balances), "move"), Words: publishedWords(),
		},
		Core:     bound(&cfg),
		Network:  reading.Network(s.fifo),
		Identity: func(n published.State) protocol.NodeID { return n.Self },
		Crashable: func(g *globalState[published.State, published.Message], node int) bool {
			return s.crashers == "" || strings.Contains(s.crashers, g.Slots[node].State.Self.String())
		},
		Monitor:      s.monitor(),
		View:         func(n published.State) any { return PublishedViewOf(n) },
		QuiescentEnd: func(*globalState[published.State, published.Message]) bool { return true }, // AllDone is stronger
		Properties:   append(o.properties(), o.witnesses(witnesses)...),
	}
	if s.balancesQueues() {
		sys.Properties = append(sys.Properties, notWorse())
	}
	for i := range s.clusters {
		sys.Nodes = append(sys.Nodes, model.Node[published.State, published.Command]{
			Name: model.NodeName(i), State: published.New(protocol.Address(i), ids(s.clusters[i])...),
			Commands: [][]published.Command{s.commands(model.NodeName(i))},
		})
	}
	return sys
}

func (s *publishedScenario) commands(node string) []published.Command {
	var commands []published.Command
	for _, j := range s.jobs {
		if j.owner == node {
			commands = append(commands, published.Command{Kind: published.Submit, To: id(j.to[0]), Job: published.Job{
				Number: uint32(len(commands) + 1), Submitted: j.time, Hash: j.hash, Nodes: j.nodes,
			}})
		}
	}
	for _, b := range s.balances {
		if b.at == node {
			commands = append(commands, b.command)
		}
	}
	return commands
}

// sizes returns the k of each job. An owner numbers its own jobs.
func (s *publishedScenario) sizes() func(reptask.Job) int {
	sizes, count := map[reptask.Job]int{}, map[string]uint32{}
	for _, j := range s.jobs {
		count[j.owner]++
		sizes[reptask.Job{Submitted: j.time, Owner: id(j.owner[0]), Number: count[j.owner]}] = j.nodes
	}
	return func(j reptask.Job) int { return sizes[j] }
}

// publishedCore is the published step as a core.
type publishedCore struct {
	protocol.Core[published.State, published.Message, published.Command]
}

// TimerText is that of the published package.
func (publishedCore) TimerText(t protocol.Timer) string { return published.TimerText(t) }

func bound(cfg *published.Config) publishedCore {
	return publishedCore{model.Plain(func(n published.State, in published.Input) (published.State, published.Output) {
		return published.Step(cfg, n, in)
	})}
}

// PublishedViewOf shows a node of the published core. A moved job is another attempt. Votes are
// shown while they are collected: the paper does not oblige a host to remember what it has run.
func PublishedViewOf(n published.State) *View {
	v := &View{ID: n.Self}
	for _, t := range n.Queue {
		state := Queued
		switch t.Status {
		case published.Ready:
			state = Ready
		case published.Running:
			state = Running
		}
		v.Tasks = append(v.Tasks, Task{Attempt: attemptOf(t.Job), Representative: t.Representative, State: state})
	}
	for _, r := range n.Roles {
		role := Role{Attempt: attemptOf(r.Job), Size: r.Job.Nodes}
		if r.Began {
			role.Phase = Started
		}
		for _, host := range r.Ready {
			if !r.Began {
				role.Votes = append(role.Votes, Vote{Host: host})
			}
		}
		v.Roles = append(v.Roles, role)
	}
	for _, o := range n.Owned {
		owned := Owned{Attempt: attemptOf(o.Job)}
		if o.Done {
			owned.State = Accepted
		}
		v.Owned = append(v.Owned, owned)
	}
	return v
}

func attemptOf(j published.Job) reptask.Attempt {
	return reptask.Attempt{
		Job:   reptask.Job{Submitted: j.Submitted, Owner: j.Owner, Number: j.Number},
		By:    j.Owner,
		Epoch: j.Attempt(),
	}
}
