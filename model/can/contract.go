package can

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol/can"
)

// rules is what every step of a node must keep.
var rules = []contract.Rule[transition]{
	{Name: "TimersKept", Broken: (*transition).timersBroken,
		Doc: "a node sets the timers that it waits for, each for its time"},
	{Name: "ListsKept", Broken: (*transition).listsBroken,
		Doc: "lists are sorted, nothing is there twice, and no field outlives its phase"},
	{Name: "EventsTrue", Broken: (*transition).eventsBroken,
		Doc: "a step announces what it changes; an ignored input changes nothing"},
	{Name: "MessagesFit", Broken: (*transition).messagesBroken,
		Doc: "a step sends what its input and its changes demand, and no more"},
	{Name: "AnswersCount", Broken: (*transition).answersBroken,
		Doc: "each answer, timeout and failure counts in the round that it is for"},
	{Name: "NoOldNews", Broken: (*transition).newsBroken,
		Doc: "a node takes over what is new, and replaces nothing by something older"},
}

// watched is the corrected core with the contract: it adds an event to each step that breaks a
// rule.
type watched struct{ *can.Core }

// Step is that of the core.
func (w watched) Step(s can.State, in can.Input) (can.State, can.Output) {
	after, out := w.Core.Step(s, in)
	taken := &transition{cfg: &w.Config, in: &in, before: &s, after: &after, out: &out}
	out.Events = append(out.Events, contract.Check(rules, taken)...)
	return after, out
}

// contractKept lists the rules as properties of all states.
func (o oracle[S, M]) contractKept() []model.Property[S, M] {
	return contract.Properties(rules, func(g *globalState[S, M]) uint32 { return uint32(past(g).broken) / brokenStep })
}
