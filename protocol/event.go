package protocol

import "strconv"

// Event reports to the application what a step did. Each core lists its names, and the meanings of
// the other fields for each.
type Event struct {
	Name   string
	Peer   NodeID // the other node that it is about
	Number uint32 // a round, an operation, a job: the core defines it
	Detail string // a constant of the core: a change, a reason
}

// String writes an event as traces do: its name and the fields that are set, separated by spaces.
func (e Event) String() string {
	text := e.Name
	if !e.Peer.IsNobody() {
		text += " " + e.Peer.String()
	}
	if e.Number > 0 {
		text += " " + strconv.FormatUint(uint64(e.Number), 10)
	}
	if e.Detail != "" {
		text += " " + e.Detail
	}
	return text
}
