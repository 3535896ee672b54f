package sim

import "github.com/canvass-grid/canvass/internal/calendar"

const (
	prefetchEvery     = 16
	prefetchFrom      = 2000
	heartbeatsPerLine = 4 // in a cache line of the processor
)

// prefetch reads a little of the data that the next events need. These reads do not wait for each
// other, unlike those of the events themselves. In a large simulation memory latency dominates.
func (s *Simulation[S, M, C]) prefetch(events []calendar.Timed[event]) {
	events = events[:min(len(events), prefetchEvery)]
	sum := s.prefetched
	for _, timed := range events {
		e := timed.Value
		sum += uint64(s.nodes[e.node].sent)
		if e.kind() == atDelivery {
			sum += uint64(s.inFlight.things[e.number()].from.Address)
		}
	}
	for _, timed := range events {
		e := timed.Value
		switch n := &s.nodes[e.node]; e.kind() {
		case atDelivery:
			sum += n.prefetchHeartbeats()
		case atTimer:
			sum += n.prefetchTimer(int(e.number()))
		}
	}
	for _, timed := range events {
		e := timed.Value
		if n := &s.nodes[e.node]; e.kind() == atTimer && len(n.timeouts) > 0 {
			sum += uint64(len(n.timeouts[0].out.Send))
		}
	}
	s.prefetched = sum
}

func (n *node[M]) prefetchHeartbeats() (sum uint64) {
	for i := 0; i < len(n.heartbeats); i += heartbeatsPerLine {
		sum += uint64(n.heartbeats[i].receivedAt)
	}
	return sum
}

func (n *node[M]) prefetchTimer(at int) (sum uint64) {
	if at < len(n.timers) {
		sum = uint64(n.timers[at].due + n.heartbeats[at].receivedAt)
	}
	if len(n.timeouts) > 0 {
		sum += uint64(n.timeouts[0].timer.Kind)
	}
	return sum
}
