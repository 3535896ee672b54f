package dtm

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

type slot = model.Slot[dtm.State]

// rules are the rules for every step of a node.
var rules = []contract.Rule[transition]{
	{Name: "TimersKept", Broken: (*transition).timersBroken,
		Doc: "a node sets the timers that it waits for, each for its time"},
	{Name: "ListsKept", Broken: (*transition).listsBroken, Doc: "lists are sorted, and nothing is there twice"},
	{Name: "IgnoresTrue", Broken: (*transition).ignoresBroken, Doc: "an ignored input changes nothing"},
	{Name: "VersionsKept", Broken: (*transition).versionsBroken,
		Doc: "each change of a position has a version, and is sent to the children"},
	{Name: "Answers", Broken: (*transition).answersBroken, Doc: "each request is answered"},
	{Name: "ConsentsKept", Broken: (*transition).consentsBroken,
		Doc: "consents are given, counted and ended by what may do so"},
}

// transition is one step of a node, with data from its states.
type transition struct {
	cfg           *dtm.Config
	in            *dtm.Input
	before, after *dtm.State
	out           *dtm.Output
}

// taken is a step of a node.
type taken = contract.Step[dtm.State, dtm.Message, dtm.Command]

// watched is the core with the contract.
func watched(cfg dtm.Config) core {
	return contract.Watch(&dtm.Core{Config: cfg}, rules, func(s taken) transition {
		return transition{cfg: &cfg, in: s.In, before: s.Before, after: s.After, out: s.Out}
	})
}

// contractKept lists the rules as properties of all states.
func contractKept() []property {
	return contract.Properties(rules, func(g *globalState) uint32 { return g.MonitorView.(uint32) })
}

// monitor remembers which rules were broken, rule i as bit i.
type monitor struct{}

func (monitor) Initial() []byte { return protocol.AppendUint(nil, 0) }

func (monitor) View(mon []byte) any { return uint32(protocol.NewReader(mon).Uint(1<<32 - 1)) }

func (monitor) Wants(event string) bool { return event == contract.Event }

func (m monitor) Observe(mon []byte, _ int, _ dtm.State, events []protocol.Event) []byte {
	broken := m.View(mon).(uint32)
	for _, e := range events {
		if e.Name == contract.Event {
			broken |= 1 << e.Number
		}
	}
	return protocol.AppendUint(nil, uint64(broken))
}
