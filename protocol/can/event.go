package can

// Why an EventRetry will not end well by itself. Any other detail is the command that was put off.
const (
	DetailOccupied = "the coordinate is taken" // another try helps if the coordinate is drawn, or the owner leaves
	DetailLast     = "the last node cannot leave"
)

// The names of this core's events. The comment says what Peer, Number and Detail hold.
const (
	EventCreate  = "create"  // the node is the first member of a new network
	EventJoined  = "joined"  // the node is a member; Peer split its zone
	EventLeft    = "left"    // the node has left and everybody concerned knows
	EventRetry   = "retry"   // a join, leave or takeover was put off; Detail: why
	EventRequest = "request" // a round begins; Peer: subject, Number: round, Detail: command
	EventPromise = "promise" // the node said YES; Peer: proposer, Number: round, Detail: command
	EventRefuse  = "refuse"  // the node said NO; Peer: proposer, Number: round, Detail: why
	EventDecide  = "decide"  // the node's own round is decided; Number: round, Detail: command
	EventExecute = "execute" // the node executed another's round; Peer: proposer, Number: round, Detail: command
	EventRelease = "release" // the node's promise is void; Peer: proposer, Number: round
	EventFailed  = "failed"  // the node found Peer to have failed
	EventFenced  = "fenced"  // the node learnt that others hold it for dead, and stopped
	EventIgnore  = "ignore"  // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventCreate, EventJoined, EventLeft, EventRetry, EventRequest, EventPromise, EventRefuse, EventDecide,
		EventExecute, EventRelease, EventFailed, EventFenced, EventIgnore,
	}
}
