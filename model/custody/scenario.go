package custody

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

type globalState = model.GlobalState[Site, custody.Message]

// scenario is a job, its custodians and attempts, and the faults.
type scenario struct {
	name     string
	doc      string
	copies   int       // custodians
	attempts []Attempt // by number
	limit    uint32    // of attempts that may have a permit; 0: as many as there are
	world    Agent     // its options
	crashers string    // names of custodians that may crash; all if empty
	later    bool      // they crash only once the job was accepted
	inTurn   bool      // B crashes before the job was accepted, and A after that, when B is back
	heirs    bool      // the second custodian wants the job, too, as if it was promised elsewhere
	budget   model.Budget
	safety   bool // check no liveness
	deep     bool
	witness  witness
	expect   []model.Expectation
}

func (s *scenario) agent() *Agent {
	a := s.world
	a.Core = &custody.Core{Config: custody.DefaultConfig()}
	a.Attempts, a.Lives = s.attempts, uint16(s.budget.Restart+1)
	for i := range s.copies {
		a.Custodians = append(a.Custodians, protocol.Address(i))
	}
	return &a
}

// commands are those of the incarnations of a custodian that wants the job.
func (s *scenario) commands() (lives [][]custody.Command) {
	limit := s.limit
	if limit == 0 {
		limit = uint32(len(s.attempts))
	}
	for range s.budget.Restart + 1 {
		lives = append(lives, []custody.Command{{Kind: custody.CommandAccept, Limit: limit}})
	}
	return lives
}

func (s *scenario) system() *model.System[Site, custody.Message, custody.Command] {
	a := s.agent()
	sys := &model.System[Site, custody.Message, custody.Command]{
		Info:         s.info(),
		Core:         a,
		Identity:     Identity,
		Stopped:      func(site Site) bool { return a.beyond(site.Core.Disk.Promised) },
		Crashable:    s.crashable,
		Due:          func(g *globalState, node int, t protocol.Timer) model.Due { return due(a, g, node, t) },
		Monitor:      monitor{a},
		QuiescentEnd: in(a.nobodyWaits),
		Properties:   s.properties(a),
	}
	for i := range s.copies {
		n := model.Node[Site, custody.Command]{Name: model.NodeName(i)}
		n.State, n.Persisted = a.New(protocol.Address(i))
		n.Timers = a.timers(&n.State)
		if i == 0 || i == 1 && s.heirs {
			n.Commands = s.commands()
		}
		sys.Nodes = append(sys.Nodes, n)
	}
	grid := NewGrid(protocol.Address(s.copies))
	sys.Nodes = append(sys.Nodes, model.Node[Site, custody.Command]{
		Name: model.NodeName(s.copies), State: grid, Timers: a.timers(&grid),
	})
	return sys
}

func (s *scenario) crashable(g *globalState, node int) bool {
	named := s.crashers == "" || strings.Contains(s.crashers, model.NodeName(node))
	p := pastOf(g)
	switch {
	case node >= s.copies || !named:
		return false
	case s.inTurn && node == 0:
		return p.accepted && p.over[1] > 0 && g.Live(1)
	case s.inTurn:
		return !p.accepted && p.over[1] == 0
	}
	return !s.later || p.accepted
}

// due determines when a timer fires. An event reaches a driver whenever it makes a difference and
// the facts allow it. To resend while a message to or from the custodian is in flight is premature,
// and so a fault.
func due(a *Agent, g *globalState, node int, t protocol.Timer) model.Due {
	switch {
	case t.Kind == custody.ResendTimer && g.Touches(node):
		return model.Spurious
	case t.Kind == custody.ResendTimer:
		return model.Useful
	case t.Kind == DeadTimer && a.WrongDead && g.Live(int(t.Peer.Address)):
		return model.Suspect
	case !a.may(pastOf(g), &g.Slots[node].State, t):
		return model.Never
	case t.Kind == EndsTimer:
		return model.Now
	}
	return model.Useful
}

// may reports whether the facts allow an event to reach a driver. A question that was answered is
// not asked again: the answer would be the same.
func (a *Agent) may(p *past, s *Site, t protocol.Timer) bool {
	said, number := s.Core.Primary.Record, int(t.Peer.Address)
	submitted := func() bool { return p.submitted >= uint64(a.Attempts[number-1].Try) }
	endedAt := func() bool { return p.ends[number-1]>>t.Peer.Incarnation&1 == 1 }
	switch t.Kind {
	case EndsTimer:
		return submitted() && !endedAt()
	case AskTimer:
		return submitted() && said.Attempt.Epoch != uint32(number)
	case CloseTimer, HostTimer:
		return endedAt()
	case OutcomeTimer:
		return submitted() && a.over(p, number) && said.End == 0
	case GiveUpTimer:
		return p.submitted >= 1
	case DeadTimer:
		return uint64(t.Peer.Incarnation) <= p.over[number]
	case CancelTimer:
		return said.End == 0 && !a.early(p)
	case ForgetTimer:
		return p.end != 0
	case ToldTimer:
		return p.forgotten&^(1<<s.Core.Self.Address) != 0
	}
	return true
}

// early reports whether nothing ends the job: the client never cancels, or not yet.
func (a *Agent) early(p *past) bool {
	crashed := slices.ContainsFunc(p.over, func(lives uint64) bool { return lives > 0 })
	return len(a.Attempts) == 0 && !a.Cancels || a.Afterwards && !crashed
}

func (s *scenario) info() model.Info {
	bounds := []string{
		english.Count(s.copies, "custodian"), english.Count(len(s.attempts), "attempt"),
	}
	for _, each := range []struct {
		set  bool
		word string
	}{
		{s.world.GivesUp, "the first try may be given up"}, {s.world.Powercuts, "hosts may die"},
		{s.world.Cancels, "a cancellation"}, {s.world.Forgets, "the record may be forgotten"},
	} {
		if each.set {
			bounds = append(bounds, each.word)
		}
	}
	if a := s.world; a.Views > 0 {
		bounds = append(bounds, fmt.Sprintf("views up to %d", a.Views))
	}
	if s.crashers != "" {
		bounds = append(bounds, fmt.Sprintf("only %s may crash", strings.Join(strings.Split(s.crashers, ""), " and ")))
	}
	return model.Info{
		Name: "custody/" + s.name, Doc: s.doc, Nodes: s.copies + 1, Bounds: strings.Join(bounds, ", "), Budget: s.budget,
		Expected: slices.Clone(s.expect), Deep: s.deep, Words: Words(),
	}
}
