package peer

import (
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

// taken is a step of a node.
type taken = contract.Step[peer.State, peer.Message, peer.Command]

// watched is the core with the contract.
func watched(cfg peer.Config) protocol.Core[peer.State, peer.Message, peer.Command] {
	return contract.Watch(&peer.Core{Config: cfg}, rules, func(s taken) transition {
		return transition{s.After, s.Out}
	})
}

func (t *transition) sentToTheDead() string {
	for _, e := range t.out.Send {
		if _, is := e.Message.(peer.Job); is && t.after.Can.IsDead(e.To) {
			return "a job is sent to a node that is dead"
		}
	}
	return ""
}
