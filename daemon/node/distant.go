package node

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// eventsSize is how many events a daemon sends to another one at once, so that they fit a frame.
const eventsSize = 200

type eventsRequest struct {
	After uint64 `json:"after"`
}

type eventsAnswer struct {
	doAnswer
	Events []api.Event `json:"events,omitempty"`
}

// EventsOf asks a daemon of the grid for its events after a cursor.
func (u users) EventsOf(ctx context.Context, name string, after uint64) ([]api.Event, error) {
	to, err := on(ctx, u.Node, func() (protocol.NodeID, error) {
		id, err := u.named(name)
		if err == nil && u.dead(id) {
			err = api.Errorf(jobs.ErrUnknown, "node %v %s, and its events are gone", id, u.overText(id))
		}
		return id, err
	})
	all := []api.Event{}
	for err == nil {
		raw, failed := u.query(ctx, to, "events", eventsRequest{after}, reportPatience)
		if failed != nil {
			return nil, fmt.Errorf("the events of node %v: %w", to, failed)
		}
		answer, failed := decode[eventsAnswer](raw)
		if failed == nil && answer.Error != "" {
			failed = answer.err()
		}
		if failed != nil {
			return nil, fmt.Errorf("the events of node %v: %w", to, failed)
		}
		all = append(all, answer.Events...)
		if len(answer.Events) < eventsSize || len(all) >= eventLimit {
			break
		}
		after = answer.Events[len(answer.Events)-1].Cursor
	}
	return all, err
}

// answerEvents returns the next events of this daemon after a cursor.
func (n *Node) answerEvents(_ protocol.NodeID, q eventsRequest) (any, error) {
	some, _, err := n.events.after(q.After)
	if err != nil {
		return eventsAnswer{doAnswer: answerOf(err)}, nil
	}
	return eventsAnswer{Events: some[:min(len(some), eventsSize)]}, nil
}
