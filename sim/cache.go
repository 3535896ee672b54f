package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// cachedDelivery is a message that changed nothing when it was delivered, and the output of that
// step.
type cachedDelivery[M any] struct {
	envelope *protocol.Envelope[M]
	out      *protocol.Output[M]
}

// cachedTimeout is a timer that changed nothing when it fired, and the output of that step.
type cachedTimeout[M any] struct {
	timer protocol.Timer
	out   *protocol.Output[M]
}

// cache remembers the output of an input that changed nothing: the latest message of a sender, or a
// timer.
func (n *node[M]) cache(
	envelope *protocol.Envelope[M],
	in protocol.InputKind,
	t protocol.Timer,
	out *protocol.Output[M],
) {
	switch {
	case envelope != nil:
		n.deliveries = putCached(
			n.deliveries,
			cachedDelivery[M]{envelope, out},
			func(r cachedDelivery[M]) bool { return r.envelope.From == envelope.From },
		)
	case in == protocol.Timeout:
		n.timeouts = putCached(n.timeouts, cachedTimeout[M]{t, out}, func(a cachedTimeout[M]) bool { return a.timer == t })
	}
}

// maxCached bounds the messages that a node caches, and the timers.
const maxCached = 64

// putCached replaces the entry for the same sender or timer, or appends one if there is room.
func putCached[T any](notes []T, fresh T, replaced func(T) bool) []T {
	if i := slices.IndexFunc(notes, replaced); i >= 0 {
		notes[i] = fresh
	} else if len(notes) < maxCached {
		notes = append(notes, fresh)
	}
	return notes
}

// clearCache drops all entries, because the node's state has changed.
func (n *node[M]) clearCache() {
	for i := range n.heartbeats {
		n.heartbeats[i].envelope = nil // receivedAt still counts
	}
	clear(n.deliveries)
	clear(n.timeouts)
	n.deliveries, n.timeouts = n.deliveries[:0], n.timeouts[:0]
}
