package lease

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

type (
	globalState = model.GlobalState[Site, Wire]
	node        = model.Node[Site, lease.Command]
)

// scenario is a set of nodes, their initial states, and the faults.
type scenario struct {
	name string
	doc  string

	// nodes has a letter for each node, A first:
	//	w  a witness only: its holder takes no part
	//	x  does not run
	//	l  holds a lease when the run begins
	//	b  begins its first life
	//	f  has failed to found: only its own witness has granted it a generation; one at most
	//	c  begins its first life with the data directory of the node before it
	//	s  asks, and takes no part otherwise
	nodes     string
	witnesses int    // the first nodes are witnesses, also if they are no "w"
	asks      string // "D:C" is a question of D for C, at any time; twice for two questions
	mourns    string // "D:C": D asks for C again and again once C has crashed
	regrids   string // names of witnesses whose operator closes the generation, at any time
	rounds    uint32 // no incarnation begins a round after this one
	most      uint32 // no node asks for a later generation than this one
	crashers  string // names of nodes that may crash; all if empty
	budget    model.Budget
	steady    bool // no expiry timer fires while a majority of witnesses runs
	lives     bool // check that no incarnation is fenced
	suffices  bool // a majority of witnesses suffices for the rounds of nodes that are in the grid
	founds    bool // check that some node founds
	enters    bool // nodes enter the grid
	returns   int  // lives that follow a fence, at each address
	alone     bool // an incarnation is mourned also if no majority of witnesses runs
	drift     bool // a witness may end a grant before the holder's expiry
	deep      bool
	witness   witness
	expect    []model.Expectation
}

func (s *scenario) agent() *Agent {
	var witnesses []protocol.Address
	for w := range s.witnesses {
		witnesses = append(witnesses, protocol.Address(w))
	}
	cfg := lease.DefaultConfig(witnesses...)
	cfg.AskTicks, cfg.GraceTicks, cfg.Nonces = 26, 402, uint32(len(s.nodes)) // all times differ
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	a := &Agent{Core: &lease.Core{Config: cfg}, Enters: s.enters, Returns: s.returns > 0}
	for place, role := range s.nodes {
		address := place
		if role == 'c' {
			address = place - 1
		}
		a.Addresses = append(a.Addresses, protocol.Address(address))
		a.Silent = append(a.Silent, role == 'w' || role == 'x')
		a.Mourned = append(a.Mourned, protocol.NodeID{})
	}
	for _, ask := range strings.Fields(s.mourns) {
		asker, of, _ := strings.Cut(ask, ":")
		a.Mourned[id(asker).Address] = id(of)
	}
	return a
}

// id is the first incarnation at the address of the node of that name.
func id(name string) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name[0] - 'A'), Incarnation: 1}
}

func (s *scenario) system() (*model.System[Site, Wire, lease.Command], error) {
	a := s.agent()
	nodes, err := s.begin(a)
	if err != nil {
		return nil, fmt.Errorf("model lease/%s: %w", s.name, err)
	}
	return &model.System[Site, Wire, lease.Command]{
		Info:       s.info(),
		Core:       a,
		Nodes:      nodes,
		Identity:   Identity,
		Stopped:    func(n Site) bool { return s.nodes[n.Place] == 'x' },
		Crashable:  s.crashable,
		Due:        s.due,
		Monitor:    monitor{a, s.budget.Restart > 0, nodes},
		Properties: s.properties(a),
		QuiescentEnd: func(*globalState) bool {
			return true // a property demands the events that must have happened in the end
		},
	}, nil
}

// begin returns the nodes as the run finds them.
func (s *scenario) begin(a *Agent) (nodes []node, err error) {
	var places []int
	for place, role := range s.nodes {
		if role == 'w' || role == 'x' || role == 'l' {
			places = append(places, place)
		}
	}
	there, err := a.established(places, strings.IndexByte(s.nodes, 'f'))
	for place, role := range s.nodes {
		n := node{Name: model.NodeName(place), State: a.New(place)}
		if b, ok := there[place]; ok {
			n.State, n.Persisted = b.site, b.persisted
		}
		if role == 's' {
			n.State.Core.Self.Incarnation, n.State.Core.Phase = 1, lease.Looking
			n.State.Core.Answers = make([]lease.Answer, s.witnesses)
		}
		n.Timers = append(pendingIn(&n.State.Core), a.Timers(&n.State)...)
		n.Commands = [][]lease.Command{s.commands(n.Name)}
		nodes = append(nodes, n)
	}
	return nodes, err
}

// commands are those at a node, in their order.
func (s *scenario) commands(node string) (commands []lease.Command) {
	for _, ask := range strings.Fields(s.asks) {
		if asker, of, _ := strings.Cut(ask, ":"); asker == node {
			commands = append(commands, lease.Command{Kind: lease.CommandAsk, Node: id(of)})
		}
	}
	if strings.Contains(s.regrids, node) {
		commands = append(commands, lease.Command{Kind: lease.CommandRegrid})
	}
	return commands
}

func (s *scenario) crashable(_ *globalState, node int) bool {
	return s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node))
}

func (s *scenario) info() model.Info {
	words := map[rune]string{
		'w': "pure witness", 'l': "node with a lease", 'b': "beginner", 'f': "failed founder", 'c': "copied node",
		's': "asker",
	}
	bounds := []string{english.Count(s.witnesses, "witness")}
	for _, role := range "wlbfcs" {
		if n := strings.Count(s.nodes, string(role)); n > 0 {
			bounds = append(bounds, english.Count(n, words[role]))
		}
	}
	bounds = append(bounds, english.Count(int(s.rounds), "round")+" a life")
	return model.Info{
		Name: "lease/" + s.name, Doc: s.doc, Nodes: len(s.nodes), Bounds: strings.Join(bounds, ", "), Budget: s.budget,
		Expected: slices.Clone(s.expect), Deep: s.deep, Words: Words(),
	}
}
