package pieces

// Idle reports that nothing is asked for.
func (x *Exchange) Idle() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, w := range x.windows {
		if len(w) > 0 {
			return false
		}
	}
	return len(x.pending) == 0
}

// IsQuestion reports whether a message asks for a piece.
func IsQuestion(payload []byte) bool { return payload[0] == question }

// Again reads a message and writes it.
func Again(payload []byte) ([]byte, error) {
	m, err := parse(payload)
	return m.append(nil), err
}
