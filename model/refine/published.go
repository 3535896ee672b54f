package refine

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/internal/reading"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/refine"
)

// The latencies of the published core, in microseconds.
const (
	publishedDiameter = 10
	publishedFar      = 20
)

// publishedScenario is a grid of the published core and what happens in it. Nodes are named by
// letters.
type publishedScenario struct {
	name, doc   string
	nodes       int
	near        []string // commands: "A:BC" names B and C as near to A; those of one node come in their order
	far         string   // pairs that are too far apart, with blanks between them: "AB CD"
	memberships int      // M, without the node's own cluster
	ownCounts   bool     // M counts the node's own cluster, as appendix A has it
	size        int      // N
	whole       string   // if set, Whole is checked: "A:BC" means that A must find the cluster A, B and C
	readings    published.Readings
	fifo        bool // the messages of a link arrive in the order in which they were sent
	budget      model.Budget
	crashers    string // names of those that may crash
	inMeasure   bool   // they crash in MEASURE only
	live        bool   // check Converges too
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

// Interpretations returns the endings of the names that [Interpreted] takes.
func Interpretations() []string { return reading.Every(published.EveryReading()) }

// Interpreted returns a scenario of [Published] under an interpretation, which is the ending of
// its name: "own", "@once+fifo". It returns nil if there is no such scenario. Nothing is expected
// of the model.
func Interpreted(name, ending string) (model.Checkable, error) {
	r, fifo, err := reading.Parse(ending, published.EveryReading())
	if err != nil {
		return nil, err
	}
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
	cfg.Readings = s.readings
	name := "published/refine/" + s.name + reading.Suffix(s.readings, s.fifo)
	o := oracle[published.State, published.Message]{membership: s.memberships + 1, size: s.size}
	if s.ownCounts {
		o.membership = s.memberships
	}
	sys := &model.System[published.State, published.Message, published.Command]{
		Info: model.Info{
			Name: name, Doc: s.doc, Nodes: s.nodes, Budget: s.budget, Expected: s.expect,
			Bounds: english.Count(len(s.near), "first approximation"), Words: publishedWords(),
		},
		Core:     bound(&cfg),
		Network:  reading.Network(s.fifo),
		Identity: func(n published.State) protocol.NodeID { return n.Self },
		Crashable: func(g *globalState[published.State, published.Message], node int) bool {
			n := g.Slots[node].State
			return strings.Contains(s.crashers, n.Self.String()) && (!s.inMeasure || n.Client.Phase == published.ClientMeasure)
		},
		Due:          duePublished,
		Monitor:      monitor[published.State]{PublishedViewOf, publishedDiameter},
		View:         func(n published.State) any { return PublishedViewOf(n) },
		QuiescentEnd: func(*globalState[published.State, published.Message]) bool { return true }, // NobodyStuck is stronger
		Properties:   append(o.properties(), o.witnesses(seesCluster)...),
		Latency:      s.latency,
	}
	if s.live {
		converges := o.converges()
		converges.Shape = checker.AlmostSurely // endless deferrals do not count as starving the others
		sys.Properties = append(sys.Properties, converges)
	}
	if s.whole != "" {
		sys.Properties = append(sys.Properties, s.found())
	}
	for i := range s.nodes {
		sys.Nodes = append(sys.Nodes, model.Node[published.State, published.Command]{
			Name: model.NodeName(
				i,
			), State: published.New(protocol.Address(i)), Commands: [][]published.Command{s.commands(model.NodeName(i))},
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

// found is the property Whole for the heads that have had all their commands. A head that has had
// none is quiescent too.
func (s *publishedScenario) found() model.Property[published.State, published.Message] {
	return model.Property[published.State, published.Message]{
		Property: checker.Property{
			Name:  "Whole",
			Doc:   "when quiescent, the cluster of each head has all its candidates that are near",
			Shape: checker.Quiescent,
		},
		Holds: func(g *globalState[published.State, published.Message]) bool {
			for _, word := range strings.Fields(s.whole) {
				head, others, _ := strings.Cut(word, ":")
				slot := g.Slots[head[0]-'A']
				v, live := slot.View.(*View)
				if live && slot.Issued == len(s.commands(head)) && mask(v.Own.Members) != mask(lettered(head+others)) {
					return false
				}
			}
			return true
		},
	}
}

// latency is the same in both directions and never changes.
func (s *publishedScenario) latency(from, to protocol.NodeID) []uint32 {
	for _, pair := range strings.Fields(s.far) {
		if pair == from.String()+to.String() || pair == to.String()+from.String() {
			return []uint32{publishedFar}
		}
	}
	return []uint32{publishedDiameter}
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

func bound(cfg *published.Config) publishedCore {
	return publishedCore{model.Plain(func(n published.State, in published.Input) (published.State, published.Output) {
		return published.Step(cfg, n, in)
	})}
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
