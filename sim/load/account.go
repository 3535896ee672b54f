package load

// Sent counts messages and their bytes.
type Sent struct{ Messages, Bytes uint64 }

// Note counts a message. Callers that count only messages pass a size of 0.
func (s *Sent) Note(size int) {
	s.Messages++
	s.Bytes += uint64(size)
}

// Account counts messages by kind. A kind is an index into the names.
type Account struct {
	names []string
	sent  []Sent
}

// NewAccount returns an account of messages whose kinds have these names.
func NewAccount(names ...string) *Account {
	return &Account{names, make([]Sent, len(names))}
}

// Note counts a message of a kind.
func (a *Account) Note(kind, size int) { a.sent[kind].Note(size) }

// Of returns the counts of a kind.
func (a *Account) Of(kind int) Sent { return a.sent[kind] }

// Repeated is the name of messages of steps that the simulator has remembered: see
// [Account.ByName].
const Repeated = "repeated"

// ByName returns the numbers of messages by kind, without zeros. All messages that were not noted
// count as repeated: the simulator repeats steps that change nothing without calling the core.
func (a *Account) ByName(all uint64) map[string]uint64 {
	counts := map[string]uint64{}
	for kind, s := range a.sent {
		if s.Messages > 0 {
			counts[a.names[kind]] = s.Messages
		}
		all -= s.Messages
	}
	if all > 0 {
		counts[Repeated] = all
	}
	return counts
}
