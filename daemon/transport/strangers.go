package transport

import (
	"sync"
	"time"
)

// strangerPause is the time between two lines about strangers that are refused for one reason.
const strangerPause = 10 * time.Second

// strangers is what was logged of refusals of nodes that are not known.
type strangers struct {
	mu   sync.Mutex
	last map[Reason]*told // there are few reasons
}

// told is the last line for a reason.
type told struct {
	at      time.Duration
	skipped int // refusals since
}

// tells reports whether a refusal is to be logged, and how many were not since the last one that
// was.
func (s *strangers) tells(reason Reason, now time.Duration) (logged bool, skipped int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.last[reason]
	if last != nil && now < last.at+strangerPause {
		last.skipped++
		return false, 0
	}
	if last != nil {
		skipped = last.skipped
	}
	if s.last == nil {
		s.last = map[Reason]*told{}
	}
	s.last[reason] = &told{at: now}
	return true, skipped
}
