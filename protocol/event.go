package protocol

import "strconv"

// Event tells the application what a step did. Name is one of the names that the core's package
// documentation lists; the other fields are as that list says.
type Event struct {
	Name   string
	Peer   NodeID // whom it is about
	Number uint32 // round, instance, job: as the core says
	Detail string // a constant of the core: command, reason
}

// String writes an event as traces do: its name, and what else it says, a space before each.
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
