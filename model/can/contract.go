package can

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// rules are the rules for every step of a node.
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
	{Name: "Refines", Broken: refinesBroken,
		Doc: "each step is one of the abstract machine's (package model/abstract), or changes nothing there"},
}

// taken is a step of a node.
type taken = contract.Step[can.State, can.Message, can.Command]

// watched is the corrected core with the contract.
func watched(cfg can.Config) protocol.Core[can.State, can.Message, can.Command] {
	return contract.Watch(&can.Core{Config: cfg}, rules, func(s taken) transition {
		return transition{cfg: &cfg, in: s.In, before: s.Before, after: s.After, out: s.Out}
	})
}

// contractKept lists the rules as properties of all states.
func (o oracle[S, M]) contractKept() []model.Property[S, M] {
	return contract.Properties(rules, func(g *globalState[S, M]) uint32 { return uint32(past(g).broken) / brokenStep })
}
