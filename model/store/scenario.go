package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/traces"
)

// scenario is a map, its changes, and the operations of clients in the meantime.
type scenario struct {
	layout   layout
	name     string
	doc      string
	joiners  []joiner
	leavers  string // names of nodes that leave
	rejoin   string // names of nodes that join again if they come back after a crash
	seed     []call // operations that end before the run begins
	calls    []call // of clients, those of one node in their order
	late     []call // operations that leavers call after their command to leave
	budget   model.Budget
	crashers string              // names of nodes that may crash; all if empty
	spaced   bool                // a node crashes only when no zone is without an owner
	former   string              // names of joiners that join, and leave again, before the run begins
	limits   func(*store.Config) // lowers limits so that the run reaches them
	witness  witness
	strict   bool // check the strict registers in spite of crashes
	vague    bool // a leaving node may take the outcome of an operation with it: Certain is not checked
	safety   bool // check no liveness
	deep     bool
	expect   []model.Expectation
}

// call is an operation and the node of the client that calls it.
type call struct {
	node string
	op   store.Operation
}

// joiner is a node from outside: its coordinate, and the name of its contact.
type joiner struct {
	coord   space.Point
	contact string
}

// witness names events that must happen in some run.
type witness uint8

const (
	moved      witness = 1 << iota // an operation is executed by a node that was given the item
	refused                        // an operation is refused and executed elsewhere
	mismatched                     // a compare-and-set fails
	reverted                       // a get after a crash reads 0 although something was put
	uncertain                      // an operation ends with an unknown outcome
	rejected                       // an operation ends without having been executed
	found                          // a lookup finds two owners, one after the other
)

func (s *scenario) nodeCount() int { return len(s.layout.nodes) + len(s.joiners) }

// id returns the first incarnation of the node of that name.
func id(name string) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name[0] - 'A'), Incarnation: 1}
}

func (s *scenario) config() store.Config {
	sp, err := space.New(0, s.layout.sizes...)
	if err != nil {
		panic(err)
	}
	cfg := store.DefaultConfig(can.DefaultConfig(sp))
	cfg.RedirectLimit = 2
	if s.limits != nil {
		s.limits(&cfg)
	}
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return cfg
}

func (s *scenario) coordinate(i int) space.Point {
	if founders := len(s.layout.nodes); i >= founders {
		return s.joiners[i-founders].coord
	}
	return s.layout.nodes[i]
}

// commands returns the commands of the i-th node: to join, its operations, to leave, its late
// operations; in its second incarnation, to join again.
func (s *scenario) commands(i int) [][]store.Command {
	var commands []store.Command
	if i >= len(s.layout.nodes) && !strings.Contains(s.former, model.NodeName(i)) {
		commands = append(commands, s.join(i))
	}
	for _, c := range s.calls {
		if c.node == model.NodeName(i) {
			commands = append(commands, store.CommandOperation(c.op))
		}
	}
	if strings.Contains(s.leavers, model.NodeName(i)) {
		commands = append(commands, store.CommandMap(can.Command{Kind: can.CommandLeave}))
	}
	for _, c := range s.late {
		if c.node == model.NodeName(i) {
			commands = append(commands, store.CommandOperation(c.op))
		}
	}
	var again []store.Command
	if strings.Contains(s.rejoin, model.NodeName(i)) {
		contact := "A"
		if i == 0 {
			contact = "B"
		}
		again = append(again, store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: id(contact)}))
	}
	return append([][]store.Command{commands}, slices.Repeat([][]store.Command{again}, max(1, int(s.budget.Restart)))...)
}

// join is the command with which a node from outside joins.
func (s *scenario) join(i int) store.Command {
	return store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: id(s.joiners[i-len(s.layout.nodes)].contact)})
}

// prelude makes the map, join after join, lets the former nodes join and leave, and puts what is
// there at the beginning.
func (s *scenario) prelude() []model.PreludeCommand[store.Command] {
	var commands []model.PreludeCommand[store.Command]
	for i := range s.layout.nodes {
		command := can.Command{Kind: can.CommandJoin, Contact: id("A")}
		if i == 0 {
			command = can.Command{Kind: can.CommandCreate}
		}
		commands = append(commands, model.PreludeCommand[store.Command]{Node: i, Command: store.CommandMap(command)})
	}
	for i := range s.nodeCount() {
		if strings.Contains(s.former, model.NodeName(i)) {
			leave := store.CommandMap(can.Command{Kind: can.CommandLeave})
			commands = append(
				commands,
				model.PreludeCommand[store.Command]{Node: i, Command: s.join(i)},
				model.PreludeCommand[store.Command]{Node: i, Command: leave},
			)
		}
	}
	for _, c := range s.seed {
		commands = append(
			commands,
			model.PreludeCommand[store.Command]{Node: int(c.node[0] - 'A'), Command: store.CommandOperation(c.op)},
		)
	}
	return commands
}

func (s *scenario) system() *model.System[store.State, store.Message, store.Command] {
	cfg := s.config()
	sys := &model.System[store.State, store.Message, store.Command]{
		Info:         s.info(),
		Core:         &store.Core{Config: cfg},
		Prelude:      s.prelude(),
		Identity:     func(n store.State) protocol.NodeID { return n.ID() },
		Stopped:      func(n store.State) bool { return n.Finished() },
		Crashable:    s.crashable,
		Due:          due,
		Monitor:      newMonitor(s),
		View:         func(n store.State) any { return s.viewOf(&cfg, &n) },
		Draw:         s.draw,
		QuiescentEnd: idle,
		Properties:   s.properties(),
	}
	for i := range s.nodeCount() {
		sys.Nodes = append(sys.Nodes, model.Node[store.State, store.Command]{
			Name: model.NodeName(i), State: store.New(protocol.Address(i), s.coordinate(i)), Commands: s.commands(i),
		})
	}
	return sys
}

func (s *scenario) crashable(g *globalState, node int) bool {
	n := g.Slots[node].State
	if s.spaced && !covered(s.config().CAN.Space, g) {
		return false
	}
	return n.CAN.Phase != can.Outside && (s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node)))
}

// covered reports whether every point of the space has an owner that runs.
func covered(sp space.Space, g *globalState) bool {
	return canmodel.TakenOver(sp, canmodel.LiveViews(g, func(s *model.Slot[store.State]) *canmodel.View {
		return canmodel.ViewOf(s.State.CAN)
	}))
}

// draw shows the map of a state, and the errors in its history.
func (s *scenario) draw(g *globalState, p *traces.Picture) {
	views := canmodel.LiveViews(g, func(s *model.Slot[store.State]) *canmodel.View { return canmodel.ViewOf(s.State.CAN) })
	canmodel.Sketch(s.config().CAN.Space, views, p)
	p.Remarks = append(p.Remarks, g.MonitorView.(*past).wrong...)
}

func (s *scenario) info() model.Info {
	return model.Info{
		Name: "store/" + s.layout.name + "/" + s.name, Doc: s.doc, Nodes: s.nodeCount(), Budget: s.budget,
		Expected: s.expect, Deep: s.deep,
		Bounds: fmt.Sprintf(
			"%s, %s, %s, %s",
			english.Count(len(s.layout.nodes), "zone"),
			english.Count(len(s.joiners), "join"),
			english.Count(len(s.leavers), "leave"),
			english.Count(len(s.calls)+len(s.late), "operation"),
		),
		Words: Words(),
	}
}

// probes counts the keys that some client looks up. In a scenario with lookups these are all keys.
func (s *scenario) probes() int {
	if slices.ContainsFunc(s.calls, func(c call) bool { return c.op.Kind == store.Lookup }) {
		return len(s.keys())
	}
	return 0
}

// keys returns all keys that are in use.
func (s *scenario) keys() []space.Point {
	var keys []space.Point
	for _, c := range slices.Concat(s.seed, s.calls, s.late) {
		keys = insertKey(keys, c.op.Key)
	}
	return keys
}

func insertKey(keys []space.Point, key space.Point) []space.Point {
	if slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}
