package peer

import (
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The names of this core's own events. The events of its layers carry the layer's name:
// "tasks:start".
const (
	EventOwned  = "owned"  // Peer owns a job that was submitted here; Number: its ticket
	EventLost   = "lost"   // a job of client Peer ends here; Number: its ticket, Detail: why
	EventIgnore = "ignore" // the input changed nothing; Peer: sender, Detail: why

	// A complete search for a representative begins here, or goes on; Peer, Number: the job's entry
	// and ticket.
	EventSearch    = "search"
	EventUnmatched = "unmatched" // a search for a job that was submitted here ends; Number: its ticket, Detail: a Why
)

// eventNames lists all of them.
func eventNames(cfg *Config) []string {
	names := []string{EventOwned, EventLost, EventIgnore, EventSearch, EventUnmatched}
	of := [layers][]string{
		(&can.Core{}).EventNames(), (&refine.Core{}).EventNames(), (&reptask.Core{}).EventNames(),
		(&dtm.Core{}).EventNames(),
	}
	for l, all := range of[:cfg.layers()] {
		for _, name := range all {
			names = append(names, Layer(l).String()+":"+name)
		}
	}
	return names
}

// DetailFull of an EventLost: the node should own the job and cannot, having too many.
const DetailFull = "the owner cannot take it"

// DetailOutside of an EventLost: the node is not a member of the grid, or no longer one.
const DetailOutside = "not in the grid"
