package can

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
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
	{"TimersKept", "a node sets the timers that it waits for, each for its time", (*transition).timersBroken},
	{"ListsKept", "lists are sorted, nothing is there twice, and no field outlives its phase", (*transition).listsBroken},
	{"EventsTrue", "a step announces what it changes; an ignored input changes nothing", (*transition).eventsBroken},
	{"MessagesFit", "a step sends what its input and its changes demand, and no more", (*transition).messagesBroken},
	{"AnswersCount", "each answer, timeout and failure counts in the round that it is for", (*transition).answersBroken},
	{"NoOldNews", "a node takes over what is new, and replaces nothing by something older", (*transition).newsBroken},
}

// watched is the corrected core with the contract: it adds an event to each step that breaks a
// rule.
type watched struct{ *can.Core }

// Step is that of the core.
func (w watched) Step(s can.State, in can.Input) (can.State, can.Output) {
	after, out := w.Core.Step(s, in)
	taken := &transition{cfg: &w.Config, in: &in, before: &s, after: &after, out: &out}
	var broken []protocol.Event
	for i, r := range rules {
		if why := r.broken(taken); why != "" {
			broken = append(broken, protocol.Event{Name: eventBroken, Number: uint32(i), Detail: why})
		}
	}
	out.Events = append(out.Events, broken...)
	return after, out
}

// contractKept lists the rules as properties of all states.
func (o oracle[S, M]) contractKept() []model.Property[S, M] {
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
