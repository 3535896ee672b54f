package refine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/reading"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// publishedDiameter is the diameter of clusters and the latency of all pairs, in microseconds.
const publishedDiameter = 10

// publishedScenario is a grid of the published core and its events. Nodes are named by letters.
type publishedScenario struct {
	name, doc   string
	nodes       int
	near        []string // commands: "A:BC" names B and C as near to A; those of one node come in their order
	memberships int      // M
	size        int      // N
	criterion   published.Criterion
	instant     bool   // measurements take no time, so that the model stays small
	circle      bool   // nodes begin to solicit when they start, and only NoCircle is checked
	whole       string // if set, Whole is checked: "A:BC" means that A must find the cluster A, B and C
	readings    published.Readings
	fifo        bool // the messages of a link arrive in the order in which they were sent
	budget      model.Budget
	crashers    string // names of nodes that may crash
	inMeasure   bool   // they crash in MEASURE only
	live        bool   // check Converges too
	denies      bool   // some run shows a denial
	prefers     byte   // if set, the head that the criterion prefers
	expect      []model.Expectation
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
	cfg := published.DefaultConfig(s.memberships, s.size, publishedDiameter)
	cfg.Readings, cfg.Criterion = s.readings, s.criterion
	name := "published/refine/" + s.name + reading.Suffix(s.readings, s.fifo)
	sys := &model.System[published.State, published.Message, published.Command]{
		Info: model.Info{
			Name: name, Doc: s.doc, Nodes: s.nodes, Budget: s.budget, Expected: s.expect,
			Bounds: fmt.Sprintf("%s, M=%d, N=%d", english.Count(len(s.near), "first approximation"), s.memberships, s.size),
			Words:  publishedWords(),
		},
		Core:     s.core(&cfg),
		Network:  reading.Network(s.fifo),
		Identity: func(n published.State) protocol.NodeID { return n.Self },
		Crashable: func(g *globalState[published.State, published.Message], node int) bool {
			n := g.Slots[node].State
			return strings.Contains(s.crashers, n.Self.String()) && (!s.inMeasure || n.Client.Phase == published.ClientMeasure)
		},
		Due:          s.due,
		Monitor:      monitor[published.State]{PublishedViewOf, s.pairing()},
		View:         func(n published.State) any { return PublishedViewOf(n) },
		QuiescentEnd: func(*globalState[published.State, published.Message]) bool { return true }, // NobodyStuck is stronger
		Properties:   s.properties(),
		Latency:      s.latency,
	}
	for i := range s.nodes {
		sys.Nodes = append(sys.Nodes, model.Node[published.State, published.Command]{
			Name: model.NodeName(i), State: published.New(protocol.Address(i)), Commands: s.lives(model.NodeName(i)),
		})
	}
	return sys
}

func (s *publishedScenario) commands(node string) []published.Command {
	var commands []published.Command
	for _, word := range s.near {
		if near, ok := strings.CutPrefix(word, node+":"); ok {
			commands = append(commands, published.Command{Near: lettered(near)})
		}
	}
	return commands
}

// lives returns the commands of a node while the model runs.
func (s *publishedScenario) lives(node string) [][]published.Command {
	if s.circle { // they are given at the start
		return nil
	}
	return [][]published.Command{s.commands(node)}
}

// latency is the same for all pairs, in both directions: all nodes are near.
func (*publishedScenario) latency(_, _ protocol.NodeID) []uint32 { return []uint32{publishedDiameter} }

// due is duePublished. Where only NoCircle is checked, WAIT ends in premature timeouts alone, so
// that the model stays small.
func (s *publishedScenario) due(
	g *globalState[published.State, published.Message], node int, t protocol.Timer,
) model.Due {
	due := duePublished(g, node, t)
	if s.circle && t.Kind == published.WaitTimer && due == model.Useful {
		return model.Never
	}
	return due
}

// duePublished determines when timers fire. A client collects until no solicitation to it is in
// flight. A running head is not suspected. A deferral ends when nothing is in flight.
func duePublished(g *globalState[published.State, published.Message], node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case published.FaultTimer:
		if g.Running(t.Peer) {
			return model.Suspect
		}
		return model.Now
	case published.WaitTimer:
		asked := false
		g.InFlight(func(e published.Envelope) {
			asked = asked || int(e.To.Address) == node && e.Message.Kind == published.Solicit
		})
		if asked {
			return model.Spurious
		}
	case published.DeferTimer:
		if !g.NetworkEmpty() {
			return model.Spurious
		}
	}
	return model.Useful
}

// publishedCore is the published step as a core.
type publishedCore struct {
	protocol.Core[published.State, published.Message, published.Command]
}

// TimerText is that of the published package.
func (publishedCore) TimerText(t protocol.Timer) string { return published.TimerText(t) }

// core is the published step with the parts of a driver that the scenario fixes.
func (s *publishedScenario) core(cfg *published.Config) publishedCore {
	return publishedCore{model.Plain(func(n published.State, in published.Input) (published.State, published.Output) {
		n, out := published.Step(cfg, n, in)
		if s.circle && in.Kind == protocol.Start {
			for _, c := range s.commands(n.Self.String()) {
				n, out = and(cfg, n, out, published.Input{Kind: protocol.Command, Command: c})
				n, out = and(cfg, n, out, published.Input{
					Kind: protocol.Timeout, Timer: protocol.Timer{Kind: published.CollectTimer},
				})
			}
		}
		for s.instant && len(out.Measure) > 0 {
			peer := out.Measure[0]
			out.Measure = out.Measure[1:]
			n, out = and(cfg, n, out, published.Input{
				Kind: protocol.Measured, From: peer, Measure: s.latency(n.Self, peer)[0],
			})
		}
		return n, out
	})}
}

// and takes one more step at once, and joins the outputs.
func and(
	cfg *published.Config, n published.State, out published.Output, in published.Input,
) (published.State, published.Output) {
	n, then := published.Step(cfg, n, in)
	out.Send = append(out.Send, then.Send...)
	out.Events = append(out.Events, then.Events...)
	out.Measure = append(out.Measure, then.Measure...)
	for _, t := range then.Cancel {
		out.Set = slices.DeleteFunc(out.Set, func(s protocol.SetTimer) bool { return s.Timer == t })
	}
	out.Cancel = append(out.Cancel, then.Cancel...)
	out.Set = append(out.Set, then.Set...)
	return n, out
}

// PublishedViewOf shows a node of the published core. A client's relation to itself as a head is no
// slot.
func PublishedViewOf(n published.State) *View {
	v := &View{
		ID: n.Self, Client: ClientState(n.Client.Phase), Head: HeadState(n.Head.Phase), Round: n.Head.Round,
		Own: Cluster{Head: n.Self, Round: n.Head.Found, Members: n.Head.Cluster},
	}
	for _, r := range n.Client.Suitors {
		if _, twice := v.slot(r.Head); twice || r.Head == n.Self {
			continue
		}
		s := Slot{Head: r.Head, Round: r.Round, Stage: Suitor}
		switch {
		case r.Committed:
			s.Stage, s.Cluster = Committed, Cluster{Head: r.Head, Round: r.Round, Members: r.Members}
		case r.Accepted:
			s.Stage = Accepted
		}
		v.Slots = append(v.Slots, s)
	}
	v.Advertised = v.Own
	if head, _ := n.Advertised(); head != n.Self {
		s, _ := v.slot(head)
		v.Advertised = s.Cluster
	}
	for _, r := range n.Head.Replies {
		switch {
		case r.Answer == published.Denied:
			v.Denied = append(v.Denied, r.Client)
		case r.Answer == published.Deferred:
			v.Deferred = append(v.Deferred, r.Client)
		case n.Head.Phase == published.HeadSteady && !slices.Contains(n.Head.Cluster, r.Client):
			v.Filtered = append(v.Filtered, r.Client)
		}
	}
	return v
}
