package paxos

import "fmt"

// String names the kind.
func (k Kind) String() string {
	return [...]string{"Put", "Get", "PutOk", "GetOk", "Prepare", "Prepared", "Accept", "Accepted", "Decided"}[k]
}

// String writes a ballot: 1.S0.
func (b Ballot) String() string {
	if b == (Ballot{}) {
		return "none"
	}
	return fmt.Sprintf("%d.S%d", b.Round, b.Leader)
}

// String writes a vote: C3 in 1.S0.
func (v Vote) String() string {
	if v == (Vote{}) {
		return "none"
	}
	return fmt.Sprintf("C%d in %v", v.Value, v.Ballot)
}

// String writes what counts of a message.
func (m Message) String() string {
	switch m.Kind {
	case GetOk:
		return fmt.Sprintf("%v C%d", m.Kind, m.Value)
	case Prepare, Accepted:
		return fmt.Sprintf("%v %v", m.Kind, m.Ballot)
	case Prepared:
		return fmt.Sprintf("%v %v, last vote %v", m.Kind, m.Ballot, m.Last)
	case Accept, Decided:
		return fmt.Sprintf("%v C%d in %v", m.Kind, m.Value, m.Ballot)
	}
	return m.Kind.String()
}
