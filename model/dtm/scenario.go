package dtm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/reading"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	published "github.com/canvass-grid/canvass/protocol/published/dtm"
)

// scenario is a tree of hosts and its events.
type scenario struct {
	name string
	doc  string

	// tree is the layout of all hosts. The latencies are those of this tree. The first members of its
	// hosts are in the tree when the run begins.
	tree    string
	members int
	joins   string // hosts that join at any time, and the members given to them: "C:AB D:A"; "A:" begins a tree
	leaves  string // hosts that leave at any time: "BC"
	longer  string // pairs whose latency is longer than in the tree, so that it is that of no tree: "AD"
	manner  dtm.Manner
	near    int // number of aggregated hosts; 0: no aggregation

	budget    model.Budget
	crashers  string // hosts that may crash; all if empty
	lossy     bool   // the scenario is also checked under faults of the network
	early     int    // number of premature timeouts, in another variant of the scenario
	anytime   bool   // a host may crash before its children have its position; an early timeout may give its place up
	safety    bool   // check no liveness
	published bool   // the core is the published one
	fifo      bool   // of the published core: the messages of a link arrive in the order of sending
	deep      bool
	expect    []model.Expectation
	sees      witness
}

type (
	core        = protocol.Core[dtm.State, dtm.Message, dtm.Command]
	globalState = model.GlobalState[dtm.State, dtm.Message]
	property    = model.Property[dtm.State, dtm.Message]
)

// config is that of the core. All its times differ, so that a timer with the time of another breaks
// TimersKept.
func (s *scenario) config() dtm.Config {
	cfg := dtm.DefaultConfig(1)
	cfg.Manner, cfg.AggregateLimit = s.manner, s.near
	cfg.AnswerTicks, cfg.RetryTicks, cfg.Tries, cfg.Refusals = 201, 211, 2, 4
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return cfg
}

// compile builds the system of the scenario. Its properties depend on its faults.
func compile(s scenario) (model.Checkable, error) {
	return model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
		under := s
		under.budget = b
		return under.system().Compile()
	})
}

func (s *scenario) system() *model.System[dtm.State, dtm.Message, dtm.Command] {
	cfg := s.config()
	core := watched(cfg)
	family := "dtm/"
	if s.published {
		core, family = &published.Core{}, "published/dtm/"
	}
	o := oracle{scenario: s, tree: parse(s.tree)}
	sys := &model.System[dtm.State, dtm.Message, dtm.Command]{
		Info: model.Info{
			Name: family + s.name + reading.Suffix(reading.Only{}, s.fifo), Doc: s.doc, Nodes: len(o.tree), Budget: s.budget,
			Expected: s.expect, Deep: s.deep,
			Bounds: s.bounds(), Words: Words(),
		},
		Core:         core,
		Network:      reading.Network(s.fifo),
		Identity:     func(n dtm.State) protocol.NodeID { return n.ID },
		Stopped:      func(n dtm.State) bool { return n.Phase == dtm.Departed },
		Crashable:    s.crashable,
		Due:          s.due,
		Latency:      o.latency,
		Monitor:      monitor{},
		QuiescentEnd: func(*globalState) bool { return true }, // NobodyLocked is stronger
		Properties:   append(append(o.properties(), contractKept()...), o.witnesses()...),
	}
	if s.published {
		sys.Properties = slices.DeleteFunc(sys.Properties, func(p property) bool {
			return !slices.Contains(publishedProperties(), p.Name)
		})
	}
	for i := range o.tree {
		sys.Nodes = append(sys.Nodes, s.node(core, o.tree, i))
	}
	return sys
}

// crashable reports whether a node may crash now: its children must have acknowledged its position,
// unless that assumption is dropped.
func (s *scenario) crashable(g *globalState, node int) bool {
	named := s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node))
	return named && (s.anytime || current(&g.Slots[node].State))
}

func (s *scenario) bounds() string {
	text := english.Count(s.members, "member")
	if s.joins != "" {
		text += ", " + english.Count(len(strings.Fields(s.joins)), "join")
	}
	if s.leaves != "" {
		text += ", " + english.Count(len(s.leaves), "leave")
	}
	return fmt.Sprintf("%s, manner %s", text, s.manner)
}

// node returns a process. It is a member when the run begins, or has begun its incarnation outside.
func (s *scenario) node(core core, tree layout, i int) model.Node[dtm.State, dtm.Command] {
	n := model.Node[dtm.State, dtm.Command]{Name: model.NodeName(i), State: dtm.New(protocol.Address(i))}
	var begun dtm.Output
	n.State, begun = core.Step(n.State, dtm.Input{Kind: protocol.Start})
	n.Persisted = begun.Persist
	var commands []dtm.Command
	if i < s.members {
		n.State = tree.member(i, s.members)
		n.State, _ = core.Step(n.State, dtm.Input{Kind: protocol.Measured}) // it makes the links
		if !s.published {
			n.Timers = n.State.Timers()
		}
	}
	for _, word := range strings.Fields(s.joins) {
		name, given, _ := strings.Cut(word, ":")
		if name == n.Name {
			commands = append(commands, dtm.Command{Kind: dtm.CommandJoin, Nodes: ids(given)})
		}
	}
	if strings.Contains(s.leaves, n.Name) {
		commands = append(commands, dtm.Command{Kind: dtm.CommandLeave})
	}
	n.Commands = [][]dtm.Command{commands}
	return n
}
