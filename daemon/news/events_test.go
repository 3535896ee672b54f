package news

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
)

// note keeps an event.
func (s *events) note(text string) { s.Add(api.Event{Text: text}) }

// after returns the texts of the events after a cursor, or a channel.
func (s *events) after(cursor uint64) (texts []string, fresh <-chan struct{}, err error) {
	all, fresh, err := s.From(cursor)
	for _, e := range all {
		texts = append(texts, e.Text)
	}
	return texts, fresh, err
}

func TestEventsAreKeptByCursor(t *testing.T) {
	var s events
	_, fresh, err := s.after(0)
	require.NoError(t, err)
	s.note("one")
	select {
	case <-fresh:
	default:
		t.Error("nobody was woken")
	}
	_, _, err = s.after(2)
	require.ErrorIs(t, err, api.ErrCursor)
	require.ErrorContains(t, err, "2; the latest is 1: ", "a cursor of an earlier incarnation")
	s.note("two")
	texts, _, err := s.after(1)
	require.NoError(t, err)
	assert.Equal(t, []string{"two"}, texts)
	for i := range 100_000 {
		s.note(fmt.Sprint(i))
	}
	_, _, err = s.after(1)
	require.ErrorIs(t, err, api.ErrCursor)
	texts, _, err = s.after(100_001)
	require.NoError(t, err)
	assert.Equal(t, []string{"99999"}, texts)
}
