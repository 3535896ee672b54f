package muster

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

type globalState = model.GlobalState[Site, muster.Message]

// scenario is an attempt, the behaviour of its processes, and the faults.
type scenario struct {
	name     string
	doc      string
	hosts    string // names
	rep      string
	fates    []Fate // by address; none: the process runs until it is ended
	policy   bool   // the first failure halts the others
	refuses  bool   // the custodian may refuse
	cancels  bool   // the client may cancel, at any time
	timesOut bool   // the attempt may run for too long, at any time
	revokes  string // names of nodes where the task layer may end the attempt at any time
	crashers string // names of nodes that may crash; all if empty
	budget   model.Budget
	noEnd    bool // the task layer does not notice a crash
	endless  bool // processes may run without end
	safety   bool // check no liveness
	deep     bool
	witness  witness
	expect   []model.Expectation
}

// id returns the only incarnation of the node of that name.
func id(name string) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name[0] - 'A'), Incarnation: 1}
}

func (s *scenario) nodeCount() int { return len(s.fates) }

func (s *scenario) agent() *Agent {
	a := &Agent{
		Core: &muster.Core{Config: muster.DefaultConfig()}, Rep: id(s.rep), HaltOnFailure: s.policy,
		Refusable: s.refuses, Fates: s.fates,
	}
	for _, name := range s.hosts {
		a.Hosts = append(a.Hosts, id(string(name)))
	}
	return a
}

// commands are those of the client at the representative, and of the task layer.
func (s *scenario) commands(node string) (commands []muster.Command) {
	if s.cancels && node == s.rep {
		commands = append(commands, muster.Command{Kind: muster.CommandHalt, Reason: muster.Cancelled})
	}
	if s.timesOut && node == s.rep {
		commands = append(commands, muster.Command{Kind: muster.CommandHalt, Reason: muster.TimedOut})
	}
	if strings.Contains(s.revokes, node) {
		commands = append(commands, muster.Command{Kind: muster.CommandEnd})
	}
	return commands
}

func (s *scenario) system() *model.System[Site, muster.Message, muster.Command] {
	a := s.agent()
	sys := &model.System[Site, muster.Message, muster.Command]{
		Info:         s.info(),
		Core:         a,
		Identity:     func(n Site) protocol.NodeID { return n.Core.Self },
		Crashable:    s.crashable,
		Due:          s.due,
		Monitor:      monitor{a},
		QuiescentEnd: func(g *globalState) bool { return s.noEnd || nobodyWaits(g) },
		Properties:   s.properties(),
	}
	for i := range s.nodeCount() {
		n := model.Node[Site, muster.Command]{Name: model.NodeName(i), State: New(id(model.NodeName(i)))}
		n.Timers = a.timers(&n.State)
		n.Commands = [][]muster.Command{s.commands(n.Name)}
		sys.Nodes = append(sys.Nodes, n)
	}
	return sys
}

func (s *scenario) crashable(_ *globalState, node int) bool {
	return s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node))
}

// due determines when a timer fires. The world acts at any time. To resend while a message to or
// from the node is in flight is premature, and so a fault.
func (s *scenario) due(g *globalState, node int, t protocol.Timer) model.Due {
	switch {
	case t.Kind == muster.ResendTimer && g.Touches(node):
		return model.Spurious
	case t.Kind == muster.ResendTimer:
		return model.Useful
	case t.Kind == EndTimer && (s.noEnd || !s.over(g, node)):
		return model.Never
	}
	return model.Now
}

// over reports whether the task layer ends the attempt at a node.
func (s *scenario) over(g *globalState, node int) bool {
	return s.agent().Over(node, func(i int) *Site {
		if !g.Live(i) {
			return nil
		}
		return &g.Slots[i].State
	})
}

func (s *scenario) info() model.Info {
	bounds := []string{english.Count(len(s.hosts), "host")}
	if !strings.Contains(s.hosts, s.rep) {
		bounds = append(bounds, "1 representative")
	}
	for i, f := range s.fates {
		var may []string
		for _, each := range []struct {
			fate Fate
			word string
		}{
			{Ends, "end"}, {Fails, "fail"}, {Unfits, "be unfit"}, {Loses, "be lost"}, {Keeps, "keep its outputs"},
			{Unkeeps, "lose its outputs"},
		} {
			if f&each.fate != 0 {
				may = append(may, each.word)
			}
		}
		if strings.Contains(s.hosts, model.NodeName(i)) && len(may) > 0 {
			bounds = append(bounds, fmt.Sprintf("%s may %s", model.NodeName(i), strings.Join(may, " or ")))
		}
	}
	return model.Info{
		Name: "muster/" + s.name, Doc: s.doc, Nodes: s.nodeCount(), Bounds: strings.Join(bounds, ", "), Budget: s.budget,
		Expected: slices.Clone(s.expect), Deep: s.deep, Words: Words(),
	}
}
