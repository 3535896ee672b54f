package transport

import "maps"

// Counters are numbers since the transport began, for metrics. Keys of maps are a few fixed words.
type Counters struct {
	FramesSent, FramesReceived uint64 // acknowledgements and cards among them
	BytesSent, BytesReceived   uint64 // of frames, before encryption
	Delivered                  uint64
	Resent                     uint64
	Duplicates                 uint64            // received again after they had been delivered
	TooOld                     uint64            // received, but older than MaxAge
	Expired                    uint64            // never sent: older than MaxAge before there was a connection
	Outlived                   uint64            // not acknowledged when a later incarnation of the peer began
	Overflowed                 uint64            // not acknowledged when the queue to their peer was full
	Misaddressed               uint64            // refused: to or from an incarnation that is not the peer's, or to itself
	Oversize                   uint64            // refused: payload larger than MaxPayload
	Unauthenticated            uint64            // connections that ended before the peer was known
	Connected                  int               // core connections that are open now
	Refused                    map[string]uint64 // handshakes, by the word of their Reason
	Reset                      map[string]uint64 // connections that ended, by cause
}

// count changes the counters.
func (t *Transport) count(change func(*Counters)) {
	t.counting.Lock()
	defer t.counting.Unlock()
	change(&t.counters)
}

// Counters returns what was counted so far.
func (t *Transport) Counters() Counters {
	t.counting.Lock()
	defer t.counting.Unlock()
	c := t.counters
	c.Refused, c.Reset = maps.Clone(c.Refused), maps.Clone(c.Reset)
	return c
}
