package transport

import (
	"sync"
	"time"
)

// The time between two lines for one reason: about strangers, and about one member on one channel.
const (
	strangerPause = 10 * time.Second
	memberPause   = time.Minute
)

// repeats limits log lines about events that other nodes can cause again and again: one for each
// reason, of which there are few, now and then.
type repeats struct {
	mu   sync.Mutex
	last map[string]*told
}

// told is the last line for a reason.
type told struct {
	at      time.Duration
	skipped int // times since
}

// tells reports whether to log an event, and how many events were suppressed since the last log
// line.
func (s *repeats) tells(reason string, now, every time.Duration) (logged bool, skipped int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.last[reason]
	if last != nil && now < last.at+every {
		last.skipped++
		return false, 0
	}
	if last != nil {
		skipped = last.skipped
	}
	if s.last == nil {
		s.last = map[string]*told{}
	}
	s.last[reason] = &told{at: now}
	return true, skipped
}
