package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// eventBroken is the event of a step that breaks a rule of the contract. Number is the index of the
// rule, and Detail says how. No core has an event of this name.
const eventBroken = "broken"

// rule is what every step of a node must keep, whatever happens around the node. It is a property
// of all states: no step that led to a state has broken it. Each distinct step is checked once.
type rule struct {
	name, doc string
	broken    func(*transition) string // how the step breaks it, or ""
}

var rules = []rule{
	{"TimersKept", "a node sets the timers it waits for, each for its time, and no other", (*transition).timersBroken},
	{"ListsKept", "lists are sorted, no limit is exceeded, and no field outlives its phase", (*transition).listsBroken},
	{"EventsTrue", "a step announces what it changes; an ignored input changes nothing", (*transition).eventsBroken},
	{"MessagesFit", "a step sends what its input and its changes demand", (*transition).messagesBroken},
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
	var broken []protocol.Event
	for i, r := range rules {
		if why := r.broken(taken); why != "" {
			broken = append(broken, protocol.Event{Name: eventBroken, Number: uint32(i), Detail: why})
		}
	}
	out.Events = append(out.Events, broken...)
	return after, out
}

// contract lists the rules as properties of all states.
func (o oracle[S, M]) contract() []model.Property[S, M] {
	var all []model.Property[S, M]
	for i, r := range rules {
		bit := uint32(brokenStep) << i
		all = append(all, model.Property[S, M]{
			Property: checker.Property{Name: r.name, Doc: r.doc, Shape: checker.Always},
			Holds:    func(g *globalState[S, M]) bool { return past(g).broken&bit == 0 },
		})
	}
	return all
}

// begins reports whether a life begins with the step.
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
