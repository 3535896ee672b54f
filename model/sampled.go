package model

import (
	"reflect"
	"sync"
)

// sampled chooses the encodings that a check damages: of each kind the first, and then each that is
// twice as long as those before it. So they are few, and long ones are among them.
type sampled struct {
	lock    sync.Mutex
	longest map[kind]int // length in bytes
}

// kind is the type of a value. Messages and commands of one type differ in their tags, which are
// among the first bytes of their encodings.
type kind struct {
	of   reflect.Type
	tags [2]byte
}

// mostKinds bounds the kinds of which encodings are damaged.
const mostKinds = 64

func (s *sampled) wants(k kind, size int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	longest, known := s.longest[k]
	if known && size < 2*longest || !known && len(s.longest) == mostKinds {
		return false
	}
	if s.longest == nil {
		s.longest = map[kind]int{}
	}
	s.longest[k] = size
	return true
}
