package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// reading is a letter that changed nothing, and what came of it.
type reading[M any] struct {
	letter *protocol.Envelope[M]
	out    *protocol.Output[M]
}

// alarm is a timer that changed nothing when it fired, and what came of it.
type alarm[M any] struct {
	timer protocol.Timer
	out   *protocol.Output[M]
}

// remember notes what came of an input that changed nothing: of the latest letter of a sender, or
// of a timer.
func (n *node[M]) remember(
	letter *protocol.Envelope[M],
	in protocol.InputKind,
	t protocol.Timer,
	out *protocol.Output[M],
) {
	switch {
	case letter != nil:
		n.readings = noted(
			n.readings,
			reading[M]{letter, out},
			func(r reading[M]) bool { return r.letter.From == letter.From },
		)
	case in == protocol.Timeout:
		n.alarms = noted(n.alarms, alarm[M]{t, out}, func(a alarm[M]) bool { return a.timer == t })
	}
}

// remembers bounds what a node remembers: so many letters, and so many timers.
const remembers = 64

// noted puts a note in the place of the one that it replaces, or behind the others if there is
// room.
func noted[T any](notes []T, fresh T, replaced func(T) bool) []T {
	if i := slices.IndexFunc(notes, replaced); i >= 0 {
		notes[i] = fresh
	} else if len(notes) < remembers {
		notes = append(notes, fresh)
	}
	return notes
}

// forget is what a node does when its state changes.
func (n *node[M]) forget() {
	for i := range n.signs {
		n.signs[i].letter = nil // when it was heard still counts
	}
	clear(n.readings)
	clear(n.alarms)
	n.readings, n.alarms = n.readings[:0], n.alarms[:0]
}
