package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// rules are the rules for every step of a node.
var rules = []contract.Rule[transition]{
	{Name: "TimersKept", Broken: (*transition).timersBroken,
		Doc: "a node sets the timers it waits for, each for its time, and no other"},
	{Name: "ListsKept", Broken: (*transition).listsBroken,
		Doc: "lists are sorted, no limit is exceeded, and no field outlives its phase"},
	{Name: "EventsTrue", Broken: (*transition).eventsBroken,
		Doc: "a step announces what it changes; an ignored input changes nothing"},
	{Name: "MessagesFit", Broken: (*transition).messagesBroken,
		Doc: "a step sends what its input and its changes demand"},
}

// transition is one step of a node of the corrected core. The contract draws its own conclusions
// from the states.
type transition struct {
	cfg           *reptask.Config
	in            *reptask.Input
	before, after *reptask.State
	out           *reptask.Output
}

// step is that of the core, with an event for each rule that it breaks.
func (a *agent) step(s reptask.State, in reptask.Input) (reptask.State, reptask.Output) {
	after, out := a.Core.Step(s, in)
	taken := &transition{cfg: &a.Config, in: &in, before: &s, after: &after, out: &out}
	out.Events = append(out.Events, contract.Check(rules, taken)...)
	return after, out
}

// contract lists the rules as properties of all states.
func (o oracle[S, M]) contract() []model.Property[S, M] {
	return contract.Properties(rules, func(g *globalState[S, M]) uint32 { return uint32(past(g).broken) / brokenStep })
}

// begins reports whether an incarnation begins with the step.
func (s *transition) begins() bool {
	return s.in.Kind == protocol.Start || s.in.Kind == protocol.Restart
}

// fires reports whether the input is the timeout of this kind.
func (s *transition) fires(kind protocol.TimerKind) bool {
	return s.in.Kind == protocol.Timeout && s.in.Timer.Kind == kind
}

// silent reports whether the node may be silent towards a peer during the step.
func (s *transition) silent(peer protocol.NodeID) bool {
	return slices.Contains(s.before.Silent, peer) && !(s.in.Kind == protocol.Deliver && s.in.From == peer) ||
		slices.Contains(s.after.Silent, peer) || s.fires(reptask.LeaseTimer) && s.in.Timer.Peer == peer
}

// unended reports whether a job is open at its owner.
func unended(o *reptask.Owned) bool {
	return o.State == reptask.JobOpen || o.State == reptask.JobRevoking
}

func ownedIn(s *reptask.State, job reptask.Job) *reptask.Owned {
	for i := range s.Owned {
		if o := &s.Owned[i]; o.Job.Owner == job.Owner && o.Job.Number == job.Number {
			return o
		}
	}
	return nil
}

func roleIn(s *reptask.State, job reptask.Job) *reptask.Role {
	for i := range s.Roles {
		if s.Roles[i].Job == job {
			return &s.Roles[i]
		}
	}
	return nil
}

// attemptIn returns the attempt that a node represents, if it does.
func attemptIn(s *reptask.State, a reptask.Attempt) *reptask.Role {
	if r := roleIn(s, a.Job); r != nil && r.Epoch == a.Epoch {
		return r
	}
	return nil
}

func taskIn(s *reptask.State, job reptask.Job) *reptask.Task {
	for i := range s.Tasks {
		if s.Tasks[i].Job == job {
			return &s.Tasks[i]
		}
	}
	return nil
}

func memberIn(r *reptask.Role, host protocol.NodeID) *reptask.Member {
	for i := range r.Members {
		if r.Members[i].Host == host {
			return &r.Members[i]
		}
	}
	return nil
}
