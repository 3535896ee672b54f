package refine

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// Kind is a kind of message.
type Kind uint8

// The messages of section 5.1. What a kind does not name is zero.
const (
	Solicit Kind = iota + 1 // head to client: Sought
	Accept                  // client to head
	Reject                  // client to head: "rejection messages to heads"
	Defer                   // client to head
	Update                  // head to client: Sought, Denied, Members: who has accepted so far
	Report                  // client to head: Latencies
	Confirm                 // head to client: Members of the job-ready cluster; Round for the observer
	Deny                    // head to client: it is outside the cluster
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"-", "Solicit", "Accept", "Reject", "Defer", "Update", "Report", "Confirm", "Deny"}[k]
}

// Message is what nodes send each other. None says which round of its head it belongs to.
type Message struct {
	Kind           Kind
	Sought, Denied int
	Members        []protocol.NodeID
	Latencies      []Latency
	Round          uint32 // for the observer; no node acts on it
}

// String describes a message in one line.
func (m Message) String() string {
	switch m.Kind {
	case Solicit:
		return fmt.Sprintf("Solicit sought %d", m.Sought)
	case Update:
		return fmt.Sprintf("Update sought %d denied %d accepted %v", m.Sought, m.Denied, m.Members)
	case Report:
		return fmt.Sprintf("Report %v", m.Latencies)
	case Confirm:
		return fmt.Sprintf("Confirm %v (round %d)", m.Members, m.Round)
	}
	return m.Kind.String()
}

// Command is what the tree metric space tells a node: which nodes it takes to be near, the whole
// list.
type Command struct {
	Near []protocol.NodeID // sorted, without the node itself
}

// String describes an order in one line.
func (o Command) String() string { return fmt.Sprintf("near %v", o.Near) }

// String describes a state in one line.
func (s State) String() string {
	c, h := &s.Client, &s.Head
	text := fmt.Sprintf("%v client %v", s.Self, c.Phase)
	for _, r := range c.Suitors {
		stage := "suitor"
		if r.Committed {
			stage = "committed"
		} else if r.Accepted {
			stage = "accepted"
		}
		if r.Asked {
			stage += " asked"
		}
		text += fmt.Sprintf(" [%v %s sought %d denied %d %v round %d]", r.Head, stage, r.Sought, r.Denied, r.Members, r.Round)
	}
	if len(c.Awaited)+len(c.Measured) > 0 {
		text += fmt.Sprintf(" awaits %v measured %v", c.Awaited, c.Measured)
	}
	text += fmt.Sprintf(" head %v near %v round %d", h.Phase, h.Near, h.Round)
	if h.Arrived {
		text += " arrived"
	}
	for _, r := range h.Replies {
		text += fmt.Sprintf(" [%v %v reported %t]", r.Client, r.Answer, r.Reported)
	}
	if len(h.Pairs)+len(h.Awaited) > 0 {
		text += fmt.Sprintf(" pairs %v awaits %v", h.Pairs, h.Awaited)
	}
	if len(h.Cluster) > 0 {
		text += fmt.Sprintf(" cluster %v of round %d", h.Cluster, h.Found)
	}
	return text
}

// TimerText names a timer.
func TimerText(t protocol.Timer) string {
	switch t.Kind {
	case CollectTimer:
		return "collect"
	case WaitTimer:
		return "wait"
	case DeferTimer:
		return "deferred " + t.Peer.String()
	case FaultTimer:
		return "fault " + t.Peer.String()
	}
	return "?"
}
