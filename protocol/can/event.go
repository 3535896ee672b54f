package can

// Details of an EventRetry that another try may not help. Any other detail is the change that was
// delayed.
const (
	DetailOccupied = "the coordinate is taken" // a retry helps if the coordinate is drawn, or the owner leaves
	DetailLast     = "the last node cannot leave"
)

// The names of this core's events. The comments describe Peer, Number and Detail.
const (
	EventCreate  = "create"  // the node is the first member of a new network
	EventJoined  = "joined"  // the node is a member; Peer split its zone
	EventLeft    = "left"    // the node has left, and all participants have acknowledged
	EventRetry   = "retry"   // a join, leave or takeover is delayed; Detail: why
	EventRequest = "request" // a round begins; Peer: subject, Number: round, Detail: change
	EventPromise = "promise" // the node answered YES; Peer: proposer, Number: round, Detail: change
	EventRefuse  = "refuse"  // the node answered NO; Peer: proposer, Number: round, Detail: why
	EventDecide  = "decide"  // the node's own round is decided; Number: round, Detail: change
	EventExecute = "execute" // the node executed another's round; Peer: proposer, Number: round, Detail: change
	EventRelease = "release" // the node's promise is void; Peer: proposer, Number: round
	EventFailed  = "failed"  // the node found Peer to have failed
	EventFenced  = "fenced"  // the node learned that others consider it dead, and stopped
	EventIgnore  = "ignore"  // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventCreate, EventJoined, EventLeft, EventRetry, EventRequest, EventPromise, EventRefuse, EventDecide,
		EventExecute, EventRelease, EventFailed, EventFenced, EventIgnore,
	}
}
