package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// rules are the rules that every step of a node must keep.
var rules = []contract.Rule[transition]{
	{Name: "SentToTheLiving", Broken: (*transition).sentToTheDead,
		Doc: "no job is sent to a node that its sender counts as dead"},
}

// transition is one step of a node.
type transition struct {
	after *peer.State
	out   *peer.Output
}

// watched is the core with the contract: it adds an event to each step that breaks a rule.
type watched struct{ *peer.Core }

// Step is that of the core.
func (w watched) Step(s peer.State, in peer.Input) (peer.State, peer.Output) {
	after, out := w.Core.Step(s, in)
	if broken := contract.Check(rules, &transition{&after, &out}); len(broken) > 0 {
		out.Events = append(slices.Clip(out.Events), broken...)
	}
	return after, out
}

func (t *transition) sentToTheDead() string {
	for _, e := range t.out.Send {
		if _, is := e.Message.(peer.Job); is && t.after.Can.IsDead(e.To) {
			return "a job is sent to a node that is dead"
		}
	}
	return ""
}

var _ protocol.Core[peer.State, peer.Message, peer.Command] = watched{}
