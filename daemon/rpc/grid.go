package rpc

import (
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/protocol"
)

// EventsRequest asks a daemon for its events after a cursor.
type EventsRequest struct {
	After uint64 `json:"after"`
}

// EventsAnswer is some of the events, or the reason for none.
type EventsAnswer struct {
	Failure
	Events []api.Event `json:"events,omitempty"`
}

// DrainRequest asks a daemon to drain, or to stop draining.
type DrainRequest struct {
	Limit time.Duration `json:"limit_ns"`
	Off   bool          `json:"off,omitempty"`
}

// DrainAnswer is the report of the node afterwards, or the reason why it refuses.
type DrainAnswer struct {
	Failure
	Report api.NodeReport `json:"report"`
}

// FarewellReport is the message of a node that has left.
type FarewellReport struct {
	Sole bool `json:"sole,omitempty"`
}

// Departure is the end of an incarnation that has left the grid in order: it is not lost, and
// others wait for nothing of it.
type Departure struct {
	Life protocol.NodeID `json:"life"`
	At   time.Time       `json:"at"`

	// Sole says that it has the only copies of some jobs, taken while it was alone.
	Sole bool `json:"sole,omitempty"`

	// Told says that this daemon was down at the farewell, and has it from another daemon: it counts
	// once the incarnation is certainly over.
	Told bool `json:"told,omitempty"`
}

// Departures are departed nodes, as daemons report them to each other.
type Departures []Departure

// DeparturesLimit is the largest number in a report, which keeps the latest: it fits a frame.
const DeparturesLimit = 1000

func (all *Departures) check() error {
	if len(*all) > DeparturesLimit {
		return fmt.Errorf("%d nodes that have left", len(*all))
	}
	return nil
}
