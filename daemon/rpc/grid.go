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

// EventsAnswer is some of them, or why there are none.
type EventsAnswer struct {
	Failure
	Events []api.Event `json:"events,omitempty"`
}

// DrainRequest is what a user wants of a daemon.
type DrainRequest struct {
	Limit time.Duration `json:"limit_ns"`
	Off   bool          `json:"off,omitempty"`
}

// DrainAnswer is what the node reports of itself afterwards, or why it does not do that.
type DrainAnswer struct {
	Failure
	Report api.NodeReport `json:"report"`
}

// FarewellReport is the message of a node that has left.
type FarewellReport struct {
	Sole bool `json:"sole,omitempty"`
}

// Departure is the end of a life that has left the grid in order: it is not lost, and holds nothing
// that others wait for.
type Departure struct {
	Life protocol.NodeID `json:"life"`
	At   time.Time       `json:"at"`

	// Sole says that it keeps jobs that no other daemon keeps: those that it took while it was
	// alone.
	Sole bool `json:"sole,omitempty"`

	// Told says that this daemon was down at the farewell, and has it from another one: it counts
	// once the life is certainly over.
	Told bool `json:"told,omitempty"`
}

// Departures are the nodes that have left, as one daemon reports them to another one.
type Departures []Departure

// DeparturesLimit is how many a daemon reports, the latest ones: they fit a frame.
const DeparturesLimit = 1000

func (all *Departures) check() error {
	if len(*all) > DeparturesLimit {
		return fmt.Errorf("%d nodes that have left", len(*all))
	}
	return nil
}
