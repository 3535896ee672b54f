package can

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/reading"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// scenario is a layout and its events.
type scenario struct {
	layout     layout
	name       string
	doc        string
	joiners    []joiner
	leavers    string // names of founders that leave
	rejoin     string // names of founders that join again if they come back after a crash
	budget     model.Budget
	crashers   string // names of nodes that may crash; all if empty
	successive bool   // the next crash comes after recovery from the one before
	conflict   bool   // rounds are in conflict
	drawn      bool   // it is drawn at random: no witnesses
	chancy     bool   // chance decides (a coordinate, the first of two): requests are granted with probability 1
	safety     bool   // check no liveness: it takes too long, or does not hold
	stays      bool   // the process of a node that has left runs on
	senseless  bool   // applications also give invalid commands
	hops       uint32 // the limit of a join request; 0: that of the default
	deep       bool
	resized    bool
	expect     []model.Expectation

	// For the published core only.
	readings   published.Readings
	noInstance bool // without the instance numbers of section 6.1
	undetected bool // without the conflict detection of section 6.2
	fifo       bool // the messages of a link arrive in the order in which they were sent
}

// joiner is a node from outside: its coordinate, and the name of its contact.
type joiner struct {
	coord   space.Point
	contact string
}

func (s *scenario) nodeCount() int { return len(s.layout.nodes) + len(s.joiners) }

// id returns the first incarnation of the node of that name.
func id(name string) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name[0] - 'A'), Incarnation: 1}
}

func (s *scenario) space() space.Space {
	sp, err := space.New(s.layout.virtual, s.layout.sizes...)
	if err != nil {
		panic(err)
	}
	return sp
}

func (s *scenario) mayCrash(id protocol.NodeID) bool {
	return s.crashers == "" || strings.Contains(s.crashers, id.String())
}

// config is the configuration of the corrected core. All its times differ, so that a timer with the
// time of another breaks TimersKept.
func (s *scenario) config() can.Config {
	cfg := can.DefaultConfig(s.space())
	cfg.ProposeTicks, cfg.ResendTicks, cfg.UpdateTicks = 211, 103, 101
	cfg.RetryMinTicks, cfg.RetryMaxTicks = 107, 1009
	if s.hops > 0 {
		cfg.HopLimit = s.hops
	}
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return cfg
}

// corrected builds the closed system of the corrected core. Its initial map is made by the core
// itself.
func (s *scenario) corrected() *model.System[can.State, can.Message, can.Command] {
	cfg := s.config()
	o := oracle[can.State, can.Message]{cfg.Space, s.coordinates()}
	sys := &model.System[can.State, can.Message, can.Command]{
		Info:     s.info("can"),
		Core:     watched(cfg),
		Identity: func(n can.State) protocol.NodeID { return n.Self.ID },
		Stopped:  func(n can.State) bool { return n.Phase == can.Departed && !s.stays },
		Crashable: func(g *globalState[can.State, can.Message], node int) bool {
			n := g.Slots[node].State
			return n.Phase != can.Outside && s.mayCrash(n.Self.ID) && (!s.successive || overcome(cfg.Space, g))
		},
		Due:          dueCan,
		Confluent:    confluent,
		Monitor:      monitor[can.State]{ViewOf},
		View:         viewOfLive,
		Draw:         o.draw,
		QuiescentEnd: o.nobodyBusy,
		Properties: append(o.all(s), append(o.contractKept(), model.Property[can.State, can.Message]{
			Property: checker.Property{
				Name:  "ViewsFit",
				Doc:   "a proposer has the present record of every node that promised to it",
				Shape: checker.Always,
			},
			Holds: o.viewsFit,
		})...),
	}
	for i := range s.nodeCount() {
		sys.Nodes = append(sys.Nodes, model.Node[can.State, can.Command]{
			Name: model.NodeName(i), State: can.New(protocol.Address(i), s.coordinate(i)), Commands: s.commands(i),
		})
	}
	for i := range s.layout.nodes {
		command := can.Command{Kind: can.CommandJoin, Contact: id("A")}
		if i == 0 {
			command = can.Command{Kind: can.CommandCreate}
		}
		sys.Prelude = append(sys.Prelude, model.PreludeCommand[can.Command]{Node: i, Command: command})
	}
	return sys
}

// published builds the closed system of the published core on the same map. The core gets the map
// ready-made, since it might break something while it makes the map.
func (s *scenario) published() *model.System[published.State, published.Message, published.Command] {
	cfg := published.DefaultConfig(s.space())
	cfg.Readings, cfg.InstanceNumbers, cfg.NoDetection = s.readings, !s.noInstance, s.undetected
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	j := oracle[published.State, published.Message]{cfg.Space, s.coordinates()}
	sys := &model.System[published.State, published.Message, published.Command]{
		Info:     s.info("published/can"),
		Core:     &published.Core{Config: cfg},
		Network:  reading.Network(s.fifo),
		Identity: func(n published.State) protocol.NodeID { return n.ID() },
		Stopped:  func(n published.State) bool { return n.Phase == published.Departed },
		Crashable: func(g *globalState[published.State, published.Message], node int) bool {
			n := g.Slots[node].State
			return n.Phase != published.Outside && s.mayCrash(n.ID())
		},
		Due:          duePublished,
		Monitor:      monitor[published.State]{PublishedViewOf},
		View:         func(n published.State) any { return PublishedViewOf(n) },
		Draw:         j.draw,
		QuiescentEnd: func(*globalState[published.State, published.Message]) bool { return true }, // NobodyBusy is stronger
		Properties:   j.all(s),
	}
	if s.undetected {
		sys.Properties = append(sys.Properties, j.neighboursMeet())
	}
	var addresses []protocol.Address
	for i := range s.layout.nodes {
		addresses = append(addresses, protocol.Address(i))
	}
	for _, n := range published.Founders(&cfg, s.layout.nodes, addresses) {
		sys.Nodes = append(sys.Nodes, model.Node[published.State, published.Command]{State: n, Timers: n.Timers()})
	}
	for i := len(sys.Nodes); i < s.nodeCount(); i++ {
		n := published.New(protocol.Address(i), s.coordinate(i))
		sys.Nodes = append(sys.Nodes, model.Node[published.State, published.Command]{State: n})
	}
	for i := range sys.Nodes {
		sys.Nodes[i].Name = model.NodeName(i)
		for _, life := range s.commands(i) {
			var commands []published.Command
			for _, o := range life {
				commands = append(commands, published.Command{Kind: published.CommandKind(o.Kind), Contact: o.Contact})
			}
			sys.Nodes[i].Commands = append(sys.Nodes[i].Commands, commands)
		}
	}
	return sys
}

// coordinate returns the coordinate of the i-th node.
func (s *scenario) coordinate(i int) space.Point {
	if founders := len(s.layout.nodes); i >= founders {
		return s.joiners[i-founders].coord
	}
	return s.layout.nodes[i]
}

func (s *scenario) coordinates() (all []space.Point) {
	for i := range s.nodeCount() {
		all = append(all, s.coordinate(i))
	}
	return all
}

// overcome reports whether more than two members are left and the system has recovered: all
// takeovers are complete, or no node is concerned with a failed node any more. A node is concerned
// if it lists the failed node as live, lists its zone as a hole, or is in a round of it, about it
// or waiting for it.
func overcome(sp space.Space, g *globalState[can.State, can.Message]) bool {
	var running []*View
	concerned := false
	for _, v := range views(g) {
		gone := func(id protocol.NodeID) bool { return !g.Running(id) }
		concerned = concerned || len(v.Holes) > 0 || slices.ContainsFunc(v.Known, func(q Seen) bool { return gone(q.ID) }) ||
			slices.ContainsFunc(v.Concerns, gone)
		running = append(running, v)
	}
	return len(members(g)) > 2 && (!concerned || TakenOver(sp, running))
}

// commands returns the commands of the i-th node in its first incarnation and in each later one.
func (s *scenario) commands(i int) [][]can.Command {
	var first, second []can.Command
	founders := len(s.layout.nodes)
	if s.senseless && i >= founders {
		first = append(first, can.Command{Kind: can.CommandLeave})
	}
	if i >= founders {
		first = append(first, can.Command{Kind: can.CommandJoin, Contact: id(s.joiners[i-founders].contact)})
	}
	if s.senseless && (i == 0 || i >= founders) {
		first = append(first, can.Command{Kind: can.CommandJoin, Contact: id("B")}, can.Command{Kind: can.CommandCreate})
	}
	if strings.Contains(s.leavers, model.NodeName(i)) {
		first = append(first, can.Command{Kind: can.CommandLeave})
	}
	if strings.Contains(s.rejoin, model.NodeName(i)) {
		contact := "A"
		if i == 0 {
			contact = "B"
		}
		second = append(second, can.Command{Kind: can.CommandJoin, Contact: id(contact)})
	}
	lives := [][]can.Command{first}
	for range max(1, s.budget.Restart) {
		lives = append(lives, second)
	}
	return lives
}

func (s *scenario) info(family string) model.Info {
	return model.Info{
		Name: family + "/" + s.layout.name + "/" + s.name + reading.Suffix(s.readings, s.fifo), Doc: s.doc,
		Nodes: s.nodeCount(), Resized: s.resized,
		Budget: s.budget, Expected: s.expect, Deep: s.deep, Words: words(family),
		Bounds: english.Count(
			len(s.layout.nodes),
			"zone",
		) + ", " + english.Count(
			len(s.joiners),
			"join",
		) + ", " + english.Count(
			len(s.leavers),
			"leave",
		),
	}
}

// witnesses are the events that must happen in some run; without them the model shows nothing.
func (o oracle[S, M]) witnesses(s *scenario) []model.Property[S, M] {
	founders := len(s.layout.nodes)
	var all []model.Property[S, M]
	sometimes := func(wanted bool, name, doc string, holds func(i int, v *View) bool) {
		if !wanted {
			return
		}
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: checker.Sometimes},
			Holds: func(g *globalState[S, M]) bool {
				for i, v := range views(g) {
					if holds(i, v) {
						return true
					}
				}
				return false
			},
		})
	}
	sometimes(
		len(s.joiners) > 0,
		"Joins",
		"a node from outside becomes a member",
		func(i int, v *View) bool { return i >= founders && v.Member },
	)
	sometimes(
		s.rejoin != "" && s.budget.Restart > 0,
		"Rejoins",
		"a node that crashed becomes a member again",
		func(i int, v *View) bool { return v.Member && v.Self.ID.Incarnation > 1 },
	)
	happened := func(wanted bool, name, doc string, holds func(h *history) bool) {
		if !wanted {
			return
		}
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: name, Doc: doc, Shape: checker.Sometimes},
			Holds:    func(g *globalState[S, M]) bool { return holds(past(g)) },
		})
	}
	happened(len(s.leavers) > 0, "Leaves", "a member leaves", func(h *history) bool { return h.left.first != 0 })
	happened(s.conflict, "Cancels", "a round is cancelled", func(h *history) bool {
		return slices.ContainsFunc(h.decided, func(d decision) bool { return d.change == uint8(can.NoOp) })
	})
	happened(
		s.budget.Crash > 0,
		"TakesOver",
		"another node takes over the zone of a failed node",
		func(h *history) bool { return h.rescued },
	)
	return all
}

// all lists the properties of a scenario.
func (o oracle[S, M]) all(s *scenario) []model.Property[S, M] {
	all := o.properties()
	if !s.drawn {
		all = append(all, o.witnesses(s)...)
	}
	if !s.safety {
		all = append(all, o.answered())
		if s.grants() {
			all = append(all, o.granted(s))
		}
	}
	return all
}

// grants reports whether all requests can be granted. A node whose contact crashes may ask in vain:
// its application must name another contact.
func (s *scenario) grants() bool {
	joins := len(s.joiners) > 0 || s.rejoin != ""
	return len(s.joiners)+len(s.leavers) > 0 && (s.budget.Crash == 0 || !joins || s.crashers != "" && s.contactsStay())
}

// contactsStay reports whether no contact of a joiner may crash.
func (s *scenario) contactsStay() bool {
	for _, j := range s.joiners {
		if strings.Contains(s.crashers, j.contact) {
			return false
		}
	}
	return s.rejoin == ""
}

// answered holds when requests stop and faults end, since drawn delays keep retries apart.
func (o oracle[S, M]) answered() model.Property[S, M] {
	return o.ends(
		"Answered",
		"every round ends: it is committed, or its requester is notified to retry",
		func(v *View) bool { return v.Busy },
	)
}

// granted holds for every request. Where a drawn coordinate may be taken, it holds with probability
// 1.
func (o oracle[S, M]) granted(s *scenario) model.Property[S, M] {
	p := o.ends(
		"Granted",
		"with retries, every join and leave is committed",
		func(v *View) bool { return v.Joining || v.WantsLeave },
	)
	if s.chancy {
		p.Shape = checker.AlmostSurely
	}
	return p
}

// ends is the property that, whenever something is pending at some node, nothing is pending at any
// node later.
func (o oracle[S, M]) ends(name, doc string, pending func(*View) bool) model.Property[S, M] {
	some := func(g *globalState[S, M]) bool {
		for _, v := range views(g) {
			if pending(v) {
				return true
			}
		}
		return false
	}
	return model.Property[S, M]{
		Property: checker.Property{Name: name, Doc: doc, Shape: checker.LeadsTo},
		Triggers: some, Holds: func(g *globalState[S, M]) bool { return !some(g) },
	}
}
