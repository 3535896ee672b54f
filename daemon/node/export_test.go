package node

import (
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// What the tests of this package look at.
var (
	AppendCore = appendCore
	ReadCore   = readCore
	Reasons    = reasons
	Misfit     = (*Node).misfit
)

// ClientOf asks a node for the client of a job of an owner, which is a life of it.
func ClientOf(self, owner protocol.NodeID, number uint32) error {
	n := &Node{self: self, clients: map[uint32]peer.Client{number: {}}}
	_, err := n.answerClient(self, ownedJob{owner, number})
	return err
}

// Events are the kept events.
type Events = events

// Add keeps an event.
func (s *events) Add(text string) { s.add(api.Event{Text: text}) }

// After returns the texts of the events after a cursor, or a channel.
func (s *events) After(cursor uint64) (texts []string, fresh <-chan struct{}, err error) {
	all, fresh, err := s.after(cursor)
	for _, e := range all {
		texts = append(texts, e.Text)
	}
	return texts, fresh, err
}
