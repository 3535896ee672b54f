package peer

import (
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The names of the events of this core itself. Those of its layers have the layer in front of them:
// "tasks:start".
const (
	EventOwned  = "owned"  // Peer owns a job that was submitted here; Number: its ticket
	EventLost   = "lost"   // a job of client Peer ends here; Number: its ticket, Detail: why
	EventIgnore = "ignore" // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists all of them.
func eventNames() []string {
	names := []string{EventOwned, EventLost, EventIgnore}
	of := [layers][]string{
		(&can.Core{}).EventNames(), (&refine.Core{}).EventNames(), (&reptask.Core{}).EventNames(),
	}
	for l, all := range of {
		for _, name := range all {
			names = append(names, Layer(l).String()+":"+name)
		}
	}
	return names
}

// DetailFull of an EventLost: the node should own the job and cannot, having too many.
const DetailFull = "the owner cannot take it"
