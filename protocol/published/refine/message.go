package refine

import "github.com/canvass-grid/canvass/protocol"

// Kind is a kind of message.
type Kind uint8

// The messages of section 5.1. Fields that a kind does not name are zero.
const (
	Solicit Kind = iota + 1 // head to client: Sought
	Accept                  // client to head
	Reject                  // client to head: "rejection messages to heads"
	Defer                   // client to head
	Update                  // head to client: Sought, Denied, Members: acceptances so far
	Report                  // client to head: Latencies
	Confirm                 // head to client: Members of the job-ready cluster; Round for the observer
	Deny                    // head to client: it is outside the cluster
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"-", "Solicit", "Accept", "Reject", "Defer", "Update", "Report", "Confirm", "Deny"}[k]
}

// Message is a message between nodes. None names the round of its head.
type Message struct {
	Kind           Kind
	Sought, Denied int
	Members        []protocol.NodeID
	Latencies      []Latency
	Round          uint32 // for the observer; no node acts on it
}

// Command is the list of all nodes that the tree metric space predicts to be near.
type Command struct {
	Near []protocol.NodeID // sorted, without the node itself
}
