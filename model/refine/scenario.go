package refine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// The latencies of the models, in microseconds.
const (
	diameter = 100
	nearby   = 10
	distant  = 1000
	beyond   = diameter + 1
)

// scenario is a grid and its events.
type scenario struct {
	name string
	doc  string

	// The first candidates of each head, by node index. Nodes beyond the list, or with "-", are
	// clients only.
	candidates string // "BC AC -"
	nodes      int    // if there are more than those of the list
	membership int    // M
	size       int    // N
	criterion  refine.Criterion
	distant    string // pairs that are too far from each other: "BC"
	edge       string // pairs whose latency is the diameter itself: near
	beyond     string // pairs whose latency is the smallest that is too far
	drifting   string // pairs of which every measurement may come out either way
	zero       string // pairs whose latency is too short to measure: near
	limit      int    // how many candidates a head remembers; 0: enough
	later      string // commands that come at any time afterwards: "A+D B-C C! D."

	started  bool // the first commands also come at any time
	budget   model.Budget
	crashers string // nodes that may crash; all if empty
	stays    bool   // the process of a node that has left runs on
	safety   bool   // check no liveness
	whole    bool   // neither bound matters and no node crashes: each head finds all that are near
	deep     bool
	// deepUnder lists the networks (drop, repeat) under which the scenario is deep although it is
	// not otherwise.
	deepUnder string
	// solicitsOnce excludes solicitations from unbounded duplication. A copy makes a client reserve
	// a place again; with copies of all other messages too, this scenario has too many states.
	solicitsOnce bool
	// favourite is the head that the criterion prefers. 0: unknown in advance.
	favourite byte
	expect    []model.Expectation

	// Witnesses: events that must happen in some run.
	sees witness
}

// id returns the first incarnation of the node of that name.
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

// first returns the node that comes first in the global order.
func first(names string) byte {
	return slices.MinFunc([]byte(names), func(a, b byte) int { return cmp.Compare(id(a).Hash(), id(b).Hash()) })
}

func (s *scenario) nodeCount() int { return max(s.nodes, len(strings.Fields(s.candidates))) }

// config is the configuration of the corrected core. All its times differ, so that a timer with the
// time of another breaks TimersKept.
func (s *scenario) config() refine.Config {
	cfg := Setting{Membership: s.membership, Size: s.size, Criterion: s.criterion}.config()
	cfg.CollectTicks, cfg.RetryTicks = 3001, 3011
	if s.limit > 0 {
		cfg.CandidateLimit = s.limit
	}
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return cfg
}

// first returns the command that gives a head its candidates.
func (s *scenario) first(node int) []refine.Command {
	list := strings.Fields(s.candidates)
	if node >= len(list) || list[node] == "-" {
		return nil
	}
	return []refine.Command{{Kind: refine.CommandAdd, Nodes: ids(list[node])}}
}

// commandKinds are the kinds of command as later writes them.
var commandKinds = map[byte]refine.CommandKind{
	'+': refine.CommandAdd,
	'-': refine.CommandDrop,
	'!': refine.CommandMeasure,
	'.': refine.CommandLeave,
}

// second returns the later commands of a node.
func (s *scenario) second(node int) []refine.Command {
	var commands []refine.Command
	for _, word := range strings.Fields(s.later) {
		if word[:1] == model.NodeName(node) {
			commands = append(commands, refine.Command{Kind: commandKinds[word[1]], Nodes: ids(word[2:])})
		}
	}
	return commands
}

// latency lists the possible results of a measurement.
func (s *scenario) latency(from, to protocol.NodeID) []uint32 {
	switch {
	case s.pair(s.drifting, from, to):
		return []uint32{nearby, distant}
	case s.pair(s.distant, from, to):
		return []uint32{distant}
	case s.pair(s.zero, from, to):
		return []uint32{0}
	case s.pair(s.beyond, from, to):
		return []uint32{beyond}
	case s.pair(s.edge, from, to):
		return []uint32{diameter}
	}
	return []uint32{nearby}
}

// repeats reports whether a message takes part in unbounded duplication.
func (s *scenario) repeats(m refine.Message) bool {
	_, solicitation := m.(refine.Solicitation)
	return !solicitation || !s.solicitsOnce
}

func (s *scenario) pair(pairs string, a, b protocol.NodeID) bool {
	names := model.NodeName(int(a.Address)) + model.NodeName(int(b.Address))
	return slices.ContainsFunc(strings.Fields(pairs), func(p string) bool {
		return p == names || p == names[1:]+names[:1]
	})
}

// near reports whether two nodes are within the diameter.
func (s *scenario) near(a, b protocol.NodeID) bool {
	return !s.pair(s.distant, a, b) && !s.pair(s.beyond, a, b)
}

// expected returns the cluster that a head must find if nothing prevents it: itself, and those of
// its candidates that are near. Issued is the number of its commands so far.
func (s *scenario) expected(head protocol.NodeID, issued int) []protocol.NodeID {
	first, second := s.first(int(head.Address)), s.second(int(head.Address))
	if !s.started {
		issued += len(first)
	}
	commands := slices.Concat(first, second)[:issued]
	if len(commands) == 0 {
		return nil
	}
	found := []protocol.NodeID{head}
	for _, c := range commands {
		for _, id := range c.Nodes {
			found = slices.DeleteFunc(found, func(known protocol.NodeID) bool { return known == id })
			if c.Kind == refine.CommandAdd && s.near(head, id) {
				found = append(found, id)
			}
		}
	}
	return found
}

// corrected builds the closed system of the corrected core.
func (s *scenario) corrected() *model.System[refine.State, refine.Message, refine.Command] {
	cfg := s.config()
	core := watched(cfg)
	o := oracle[refine.State, refine.Message]{s.membership, s.size}
	sys := &model.System[refine.State, refine.Message, refine.Command]{
		Info: model.Info{
			Name: "refine/" + s.name, Doc: s.doc, Nodes: s.nodeCount(), Budget: s.budget, Expected: s.expect, Deep: s.deep,
			Bounds: s.bounds(), Words: Words(),
		},
		Core:     core,
		Identity: func(n refine.State) protocol.NodeID { return n.ID },
		Stopped:  func(n refine.State) bool { return n.Departed && !s.stays },
		Crashable: func(_ *globalState[refine.State, refine.Message], node int) bool {
			return s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node))
		},
		Due:          due,
		Repeats:      s.repeats,
		Latency:      s.latency,
		Monitor:      monitor[refine.State]{ViewOf, pairing{diameter: diameter}},
		View:         viewOfLive,
		QuiescentEnd: converged[refine.State, refine.Message],
		Properties:   append(o.properties(), o.witnesses(s.sees)...),
	}
	sys.Properties = append(sys.Properties, o.contractKept()...)
	if !s.safety {
		sys.Properties = append(sys.Properties, o.converges())
	}
	if s.findsAll() {
		sys.Properties = append(sys.Properties, o.whole(s.expected))
	}
	if s.deniesForGood() {
		sys.Properties = append(sys.Properties, o.taken())
	}
	if s.measuresRight() {
		sys.Properties = append(sys.Properties, o.filled(s.near))
	}
	if s.favourite != 0 && !s.failures() && s.budget.Spurious == 0 {
		sys.Properties = append(sys.Properties, o.prefers(id(s.favourite)))
	}
	for i := range s.nodeCount() {
		sys.Nodes = append(sys.Nodes, s.node(core, i))
	}
	return sys
}

func (s *scenario) bounds() string {
	text := fmt.Sprintf("M=%d, N=%d", s.membership, s.size)
	if s.solicitsOnce && s.budget.Repeat {
		text += ", solicitations once"
	}
	return text
}

// node returns a process. Unless it starts in the run, its first incarnation has begun and its head
// has its candidates. When COLLECT ends, which is at any time, it begins its first round.
func (s *scenario) node(
	core protocol.Core[refine.State, refine.Message, refine.Command], i int,
) model.Node[refine.State, refine.Command] {
	n := model.Node[refine.State, refine.Command]{Name: model.NodeName(i), State: refine.New(protocol.Address(i))}
	if s.started {
		n.Commands = s.lives(i, append(s.first(i), s.second(i)...))
		return n
	}
	var begun refine.Output
	n.State, begun = core.Step(n.State, refine.Input{Kind: protocol.Start})
	n.Persisted = begun.Persist
	for _, o := range s.first(i) {
		var out refine.Output
		n.State, out = core.Step(n.State, refine.Input{Kind: protocol.Command, Command: o})
		for _, set := range out.Set {
			n.Timers = append(n.Timers, set.Timer)
		}
	}
	n.Commands = s.lives(i, s.second(i))
	return n
}

// lives returns the commands of a node in its first incarnation and in each later one.
func (s *scenario) lives(node int, first []refine.Command) [][]refine.Command {
	lives := [][]refine.Command{first}
	for range max(1, s.budget.Restart) {
		lives = append(lives, s.first(node))
	}
	return lives
}

// compile builds the system of the scenario. Its properties depend on its faults: some hold only
// without crashes.
func compile(s scenario) (model.Checkable, error) {
	return model.ForBudget(s.budget, func(b model.Budget) (model.Checkable, error) {
		under := s
		under.budget = b
		return under.corrected().Compile()
	})
}

// failures reports whether a node may crash or be falsely suspected.
func (s *scenario) failures() bool { return s.budget.Crash > 0 || s.budget.Suspect > 0 }

// findsAll reports whether each head must find all candidates that are near: neither bound matters,
// no node crashes, and no measurement is given up early.
func (s *scenario) findsAll() bool { return s.whole && !s.failures() && s.budget.Spurious == 0 }

// deniesForGood reports whether a client that is in M clusters stays in them.
func (s *scenario) deniesForGood() bool { return s.later == "" && s.drifting == "" && !s.failures() }

// measuresRight reports whether every measurement of a running node shows the latency that the
// scenario says.
func (s *scenario) measuresRight() bool {
	return s.drifting == "" && s.budget.Spurious == 0 && s.budget.Suspect == 0
}
