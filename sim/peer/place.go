package peer

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// ways is a latency that knows how long a message takes which waits nowhere.
type ways interface {
	Way(from, to protocol.Address) int64
}

// way is how far two nodes are from each other, where that is known.
func (r *run) way(a, b int) (micros int64, known bool) {
	l, known := r.latency.(ways)
	if !known {
		return 0, false
	}
	return l.Way(protocol.Address(a), protocol.Address(b)), true
}

var _, _ ways = sim.Plane{}, sim.Placed{}
