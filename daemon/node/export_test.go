package node

import "github.com/canvass-grid/canvass/daemon/api"

// What the tests of this package look at.
var (
	AppendCore = appendCore
	ReadCore   = readCore
	Reasons    = reasons
	Misfit     = (*Node).misfit
)

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
