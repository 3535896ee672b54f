package placement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

type globalState = model.GlobalState[Site, placement.Message]

// scenario is a system: a node, its jobs, and the events that may befall them.
type scenario struct {
	name    string
	doc     string
	world   Agent // its jobs and options
	turns   uint32
	budget  model.Budget
	witness witness
	expect  []model.Expectation
	heir    bool // a second node decides about the jobs once the first has died
	deep    bool
}

func (s *scenario) agent() *Agent {
	a := s.world
	cfg := placement.DefaultConfig()
	cfg.TurnsLeast, cfg.BackOffMax = max(1, s.turns), 3*cfg.BackOffMin
	a.Core, a.Compact = &placement.Core{Config: cfg}, true
	return &a
}

func (s *scenario) system() *model.System[Site, placement.Message, placement.Command] {
	a := s.agent()
	var nodes []model.Node[Site, placement.Command]
	for i := range s.nodes() {
		n := model.Node[Site, placement.Command]{Name: model.NodeName(i), Persisted: []byte{1}}
		n.State = a.New(protocol.NodeID{Address: protocol.Address(i), Incarnation: 1})
		n.Timers = a.timers(&n.State)
		nodes = append(nodes, n)
	}
	return &model.System[Site, placement.Message, placement.Command]{
		Info: s.info(a), Core: a, Identity: Identity, Nodes: nodes,
		Due:          func(g *globalState, node int, t protocol.Timer) model.Due { return due(a, g, node, t) },
		Monitor:      monitor{len(a.Jobs)},
		QuiescentEnd: func(g *globalState) bool { return over(a, g) },
		Properties:   s.properties(a),
	}
}

func (s *scenario) nodes() int {
	if s.heir {
		return 2
	}
	return 1
}

// mayLead reports whether a node may decide about a job: no other node that runs does, or comes
// before it.
func mayLead(g *globalState, node int, t protocol.Timer) bool {
	return all(g, func(other int, at *Site) bool {
		return other > node && !at.World.Wishes[t.Peer.Address-1].Led || other == node
	})
}

// due says when a timer may fire. Patience ends before its time if the grid has the submission. To
// ask an owner that has it, or that was asked, changes nothing.
func due(a *Agent, g *globalState, node int, t protocol.Timer) model.Due {
	s := &g.Slots[node].State
	switch {
	case t.Kind == LeadTimer && !mayLead(g, node, t):
		return model.Never
	case t.Kind != placement.PatienceTimer && t.Kind != placement.AskTimer:
		return model.Now
	}
	j := s.Core.Job(uint32(t.Peer.Address))
	switch {
	case j == nil || slices.Contains(s.World.Asked, j.Ticket):
		return model.Never
	case s.World.submission(j.Ticket) == nil, a.Jobs[j.Number-1].Endless:
		return model.Now
	case t.Kind == placement.AskTimer:
		return model.Never
	}
	return model.Spurious
}

func (s *scenario) info(a *Agent) model.Info {
	impossible := 0
	for _, j := range a.Jobs {
		if !j.fits() {
			impossible++
		}
	}
	bounds := []string{
		english.Count(len(a.Jobs), "job"), english.Count(int(a.Config.TurnsLeast), "turn"),
	}
	for _, each := range []struct {
		count int
		word  string
	}{
		{impossible, "jobs that fit no node"}, {int(a.Yields), "changes of custodian"}, {int(a.Holds), "holds by users"},
		{int(a.Silent), "submissions that vanish"}, {int(a.Vain), "further searches in vain"},
		{int(a.Repeats), "reports that arrive twice"}, {int(a.Deaths), "owners that die"},
	} {
		if each.count > 0 {
			bounds = append(bounds, fmt.Sprintf("%s: %d", each.word, each.count))
		}
	}
	return model.Info{
		Name: "placement/" + s.name, Doc: s.doc, Nodes: s.nodes(), Bounds: strings.Join(bounds, ", "), Budget: s.budget,
		Expected: slices.Clone(s.expect), Deep: s.deep, Words: Words(),
	}
}
