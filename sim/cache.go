package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// reading is a letter that changed nothing, and what came of it.
type cachedDelivery[M any] struct {
	envelope *protocol.Envelope[M]
	out      *protocol.Output[M]
}

// alarm is a timer that changed nothing when it fired, and what came of it.
type cachedTimeout[M any] struct {
	timer protocol.Timer
	out   *protocol.Output[M]
}

// remember notes what came of an input that changed nothing: of the latest letter of a sender, or
// of a timer.
func (n *node[M]) cache(
	letter *protocol.Envelope[M],
	in protocol.InputKind,
	t protocol.Timer,
	out *protocol.Output[M],
) {
	switch {
	case letter != nil:
		n.deliveries = putCached(
			n.deliveries,
			cachedDelivery[M]{letter, out},
			func(r cachedDelivery[M]) bool { return r.envelope.From == letter.From },
		)
	case in == protocol.Timeout:
		n.timeouts = putCached(n.timeouts, cachedTimeout[M]{t, out}, func(a cachedTimeout[M]) bool { return a.timer == t })
	}
}

// remembers bounds what a node remembers: so many letters, and so many timers.
const maxCached = 64

// noted puts a note in the place of the one that it replaces, or behind the others if there is
// room.
func putCached[T any](notes []T, fresh T, replaced func(T) bool) []T {
	if i := slices.IndexFunc(notes, replaced); i >= 0 {
		notes[i] = fresh
	} else if len(notes) < maxCached {
		notes = append(notes, fresh)
	}
	return notes
}

// forget is what a node does when its state changes.
func (n *node[M]) clearCache() {
	for i := range n.heartbeats {
		n.heartbeats[i].envelope = nil // when it was heard still counts
	}
	clear(n.deliveries)
	clear(n.timeouts)
	n.deliveries, n.timeouts = n.deliveries[:0], n.timeouts[:0]
}
