package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// agent is the core with an application that finds owners for orphans. It names the next address
// after that of the failed owner, or the representative itself if there is no other. In the grid
// the CAN does this.
type agent struct {
	*reptask.Core
	nodes      int
	candidates func(reptask.Job) []protocol.NodeID
	turns      []turn
}

// Step is that of the core, with the answer of the application in the same step.
func (a *agent) Step(s reptask.State, in reptask.Input) (reptask.State, reptask.Output) {
	if in.Kind == protocol.Command && isTurn(in.Command) {
		return a.balance(s, in.Command)
	}
	s, out := a.step(s, in)
	for {
		i := slices.IndexFunc(s.Roles, func(r reptask.Role) bool { return r.Bond == reptask.Seeking })
		if i < 0 {
			return s, out
		}
		r := s.Roles[i]
		next, then := a.step(s, reptask.Input{Kind: protocol.Command, Command: reptask.Command{
			Kind: reptask.CommandAdopt, Job: r.Job, Target: a.heir(s.Self, &r), Candidates: a.candidates(r.Job),
		}})
		s, out = next, joined(out, then)
	}
}

// heir is the next node to ask.
func (a *agent) heir(self protocol.NodeID, r *reptask.Role) protocol.NodeID {
	for i := 1; i < a.nodes; i++ {
		at := (int(r.Owner.Address) + i) % a.nodes
		if at != int(self.Address) && at != int(r.Job.Owner.Address) {
			return id(model.NodeName(at)[0])
		}
	}
	return self
}

// joined joins the outputs of two consecutive steps.
func joined(first, then reptask.Output) reptask.Output {
	first.Send = append(first.Send, then.Send...)
	first.Events = append(first.Events, then.Events...)
	for _, t := range then.Cancel {
		first.Set = slices.DeleteFunc(first.Set, func(s protocol.SetTimer) bool { return s.Timer == t })
		if !slices.Contains(first.Cancel, t) {
			first.Cancel = append(first.Cancel, t)
		}
	}
	for _, t := range then.Set {
		first.Set = slices.DeleteFunc(first.Set, func(s protocol.SetTimer) bool { return s.Timer == t.Timer })
		first.Set = append(first.Set, t)
	}
	return first
}
