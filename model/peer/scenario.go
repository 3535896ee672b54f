package peer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/model"
	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/traces"
)

// scenario is a grid of a few nodes, all near each other, and its events.
type scenario struct {
	name     string
	doc      string
	nodes    int
	singles  string // names of nodes that are in no cluster
	joiners  string // names of nodes that join later, through A; they are in no cluster
	jobs     []job
	leavers  string // names of nodes that leave
	budget   model.Budget
	crashers string   // names of nodes that may crash; all if empty
	tight    bool     // capacity may not suffice: jobs end, but need not be accepted
	apart    bool     // owners have neighbours represent their jobs
	asks     []ask    // commands that follow those of the fields above
	returns  string   // names of nodes that join again if they restart
	again    []ask    // their commands after that
	hops     uint32   // HopLimit; 0: the default
	latency  []uint32 // possible results of a measurement; nil: always the same
	live     bool     // check liveness too
	quiet    bool     // a job may be lost without an event: it was sent to a node that has left
	virtual  bool     // the space has a virtual dimension of two places
	pairs    bool     // clusters have at most two members
	hands    bool     // the node that leaves hands a job over
	room     int      // JobLimit; 0: the default
	nears    []string // the candidates of each node; nil: all that are not single
	deep     bool
	sees     []string // witnesses

	expect []model.Expectation
	match  *matching // nil: every node can run every job
	tree   *tree     // in which nodes predict which nodes are near; nil: no tree
}

// matching compares coordinates with requirements. A search looks for a node that can run a job.
type matching struct {
	at   []space.Point // the coordinates of the nodes; nil: in a row
	seek int           // SeekLimit; 0: the default, -1: none
}

// tree is the tree of package protocol/dtm.
type tree struct {
	outside string // names of nodes that are not in the tree when the run begins
	far     string // names of nodes that are far from all others
	nearer  bool   // in a second incarnation they are near
}

// job is submitted at a node.
type job struct {
	entry string
	size  uint32
	spare bool  // the whole cluster gets a dependent, and not just as many nodes as must run one
	at    int32 // where its requirement lies
	up    int32 // and in the second dimension
}

// ask is a command that a node gets.
type ask struct {
	node    string
	command peer.Command
}

// stride is the width of a founder's zone in a row, and side that of a space of two dimensions.
const (
	stride = 4
	side   = 8
)

func id(name byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

func (s *scenario) config() peer.Config {
	sizes := []int32{int32(stride * s.nodes)}
	if s.match != nil && s.match.at != nil {
		sizes = []int32{side, side}
	}
	virtual := 0
	if s.virtual {
		virtual, sizes = 1, append(sizes, 2)
	}
	sp, err := space.New(virtual, sizes...)
	if err != nil {
		panic(err)
	}
	bound := s.nodes
	if s.pairs {
		bound = 2
	}
	cfg := peer.DefaultConfig(sp, s.nodes, bound, 100)
	cfg.Apart, cfg.Predicts = s.apart, s.tree != nil
	switch m := s.match; {
	case m == nil:
		cfg.Tasks.Classes[0] = match.Ignored
	case m.seek != 0:
		cfg.SeekLimit = max(m.seek, 0)
	}
	if s.hops > 0 {
		cfg.HopLimit = s.hops
	}
	if s.room > 0 {
		cfg.Tasks.JobLimit = s.room
	}
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return cfg
}

// system builds the closed system.
func (s *scenario) system() *model.System[peer.State, peer.Message, peer.Command] {
	cfg := s.config()
	o := oracle{
		space: cfg.Can.Space, tight: s.tight, hops: cfg.HopLimit, tickets: s.tickets(),
		loses: slices.Contains(s.sees, "Lost"), config: cfg, jobs: s.jobs, at: s.coordinate,
	}
	sys := &model.System[peer.State, peer.Message, peer.Command]{
		Info: model.Info{
			Name: "peer/" + s.name, Doc: s.doc, Nodes: s.nodes, Budget: s.budget, Expected: s.expect, Deep: s.deep,
			Bounds: s.bounds(), Words: Words(),
		},
		Core:     watched(cfg),
		Identity: func(n peer.State) protocol.NodeID { return n.ID() },
		Stopped:  func(n peer.State) bool { return n.Gone() },
		Crashable: func(g *globalState, node int) bool {
			return s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node))
		},
		Due: due,
		Latency: func(from, to protocol.NodeID) []uint32 {
			return append([]uint32{s.micros(from, to)}, s.latency...)
		},
		Monitor:      monitor{searches: s.match != nil},
		View:         func(n peer.State) any { return &n },
		Draw:         o.draw,
		QuiescentEnd: func(*globalState) bool { return true }, // JobsEnd and LeftClean are stronger
		Properties:   o.all(s),
	}
	for i := range s.nodes {
		sys.Nodes = append(sys.Nodes, model.Node[peer.State, peer.Command]{
			Name: model.NodeName(i), State: peer.New(protocol.Address(i), s.coordinate(i)), Commands: s.lives(i),
		})
	}
	for i := range s.nodes {
		if s.joins(i) {
			continue
		}
		command := join
		if i == 0 {
			command = peer.Command{Kind: peer.CommandCreate}
		}
		sys.Prelude = append(sys.Prelude, model.PreludeCommand[peer.Command]{Node: i, Command: command})
	}
	if s.tree != nil {
		sys.Prelude = append(sys.Prelude, s.trees()...)
		return sys
	}
	for i := range s.nodes {
		if near := s.near(i); len(near) > 0 {
			sys.Prelude = append(
				sys.Prelude,
				model.PreludeCommand[peer.Command]{Node: i, Command: peer.Command{Kind: peer.CommandNear, Near: near}},
			)
		}
	}
	return sys
}

// coordinate is where a node lies.
func (s *scenario) coordinate(node int) space.Point {
	if s.match != nil && s.match.at != nil {
		return s.match.at[node]
	}
	return coordinate(node)
}

// coordinate is where a node in a row lies.
func coordinate(node int) space.Point { return space.Point{int32(stride*node + stride/2)} }

// draw shows the map on which the grid stands.
func (o oracle) draw(g *globalState, p *traces.Picture) {
	views := canmodel.LiveViews(g, func(s *model.Slot[peer.State]) *canmodel.View { return canmodel.ViewOf(s.State.Can) })
	canmodel.Sketch(o.space, views, p)
}

// join is the command to join through A.
var join = peer.Command{Kind: peer.CommandJoin, Contact: id('A')}

func (s *scenario) joins(node int) bool { return strings.Contains(s.joiners, model.NodeName(node)) }

// near lists the first candidates of the head of a node.
func (s *scenario) near(node int) []protocol.NodeID {
	if s.nears != nil {
		var all []protocol.NodeID
		for i := range len(s.nears[node]) {
			all = append(all, id(s.nears[node][i]))
		}
		return all
	}
	single := func(i int) bool { return s.joins(i) || strings.Contains(s.singles, model.NodeName(i)) }
	if single(node) {
		return nil
	}
	var all []protocol.NodeID
	for i := range s.nodes {
		if i != node && !single(i) {
			all = append(all, id(model.NodeName(i)[0]))
		}
	}
	return all
}

// lives lists the commands of a node in its first incarnation and in that after a restart.
func (s *scenario) lives(node int) [][]peer.Command {
	all := [][]peer.Command{s.commands(node)}
	if !strings.Contains(s.returns, model.NodeName(node)) {
		return all
	}
	back := join
	if node == 0 {
		back.Contact = id('B')
	}
	for range s.budget.Restart {
		all = append(all, append([]peer.Command{back}, asked(s.again, node)...))
	}
	return all
}

func (s *scenario) commands(node int) []peer.Command {
	var all []peer.Command
	if s.joins(node) {
		all = append(all, join)
	}
	for i, j := range s.jobs {
		if j.entry == model.NodeName(node) {
			all = append(all, submit(uint32(i+1), j))
		}
	}
	if strings.Contains(s.leavers, model.NodeName(node)) {
		all = append(all, peer.Command{Kind: peer.CommandLeave})
	}
	return append(all, asked(s.asks, node)...)
}

// submit returns the command for a job. Its submit time is its ticket.
func submit(ticket uint32, j job) peer.Command {
	return peer.Command{
		Kind: peer.CommandSubmit, Ticket: ticket, Submitted: uint64(ticket),
		Spec: j.spec(),
	}
}

// spec describes a job to its representative.
func (j *job) spec() reptask.Spec {
	spec := reptask.Spec{Size: j.size, Over: reptask.OverNone, Requirement: space.Point{j.at, j.up}}
	if j.spare {
		spec.Over = reptask.OverTotal
	}
	return spec
}

// asked lists the commands of a node among some.
func asked(asks []ask, node int) (all []peer.Command) {
	for _, a := range asks {
		if a.node == model.NodeName(node) {
			all = append(all, a.command)
		}
	}
	return all
}

// tickets lists for each node the tickets that its commands submit, in their order. It is nil if
// faults may take a job or its answer away.
func (s *scenario) tickets() [][]uint32 {
	if s.quiet || s.budget.Drop+s.budget.Crash > 0 {
		return nil
	}
	all := make([][]uint32, s.nodes)
	for i := range all {
		for _, c := range s.commands(i) {
			all[i] = append(all[i], c.Ticket) // 0 if it submits nothing
			if c.Kind != peer.CommandSubmit {
				all[i][len(all[i])-1] = 0
			}
		}
	}
	return all
}

func (s *scenario) bounds() string {
	count := func(n int, one, more string) string {
		if n == 1 {
			return "1 " + one
		}
		return strconv.Itoa(n) + " " + more
	}
	bounds := []string{
		count(s.nodes, "node", "nodes"),
		count(len(s.jobs), "job", "jobs"),
		count(len(s.leavers), "leave", "leaves"),
	}
	if s.joiners != "" {
		bounds = append(bounds, count(len(s.joiners), "join", "joins"))
	}
	return strings.Join(bounds, ", ")
}

// all lists the properties of a scenario.
func (o oracle) all(s *scenario) []model.Property[peer.State, peer.Message] {
	kept := contract.Properties(rules, func(g *globalState) uint32 { return past(g).rules })
	all := slices.Concat(o.always(), kept, o.quiescent())
	if s.hops > 0 {
		all = append(all, o.hopBound(), ownedNames(), onward())
	}
	if s.match != nil {
		all = append(all, o.searches(s)...)
	} else if s.leavers+s.joiners+s.returns == "" {
		all = append(all, ownerInside())
	}
	if s.budget.Crash == 0 && !slices.Contains(s.sees, "Lost") {
		all = append(all, keptUp())
	}
	if s.budget.Crash > 1 && s.budget.Spurious == 0 {
		all = append(all, oneHeir())
	}
	if s.hands {
		all = append(all, handedOver())
	}
	if s.virtual {
		all = append(all, drawn())
	}
	if s.tree != nil {
		all = append(all, o.predictions(s)...)
	}
	if s.room > 0 { // an owner may have to refuse a job then
		all = slices.DeleteFunc(all, func(p model.Property[peer.State, peer.Message]) bool { return p.Name == "PassedOn" })
	}
	for _, w := range s.sees {
		all = append(all, witness(w))
	}
	if s.live {
		all = append(all, jobsSettle())
	}
	return all
}
