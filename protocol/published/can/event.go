package can

// The names of this core's events, those of package can where the meaning is the same. The comment
// defines Peer, Number and Detail. A round is known by the instance number of its proposer.
const (
	EventCreate   = "create"   // the node is the first member of a new network
	EventJoined   = "joined"   // the node is a member; Peer split its zone
	EventLeft     = "left"     // the node has executed its MERGE
	EventRetry    = "retry"    // a join or leave was deferred; Peer: subject (at a joiner: the refuser), Detail: command
	EventRequest  = "request"  // a round begins; Peer: subject, Number: round, Detail: command
	EventPromise  = "promise"  // the node said YES; Peer: proposer, Number: round
	EventRefuse   = "refuse"   // the node said NO; Peer: proposer, Number: round, Detail: why
	EventDecide   = "decide"   // the node is in CommitPhase; Peer: subject, Number: round, Detail: command or NO-OP
	EventExecute  = "execute"  // the node executed another's command; Peer: proposer, Number: round, Detail: command
	EventFailed   = "failed"   // the node found Peer to have failed
	EventTakeover = "takeover" // the node took over for Peer, which failed; Number: its new instance
	EventIgnore   = "ignore"   // the input changed nothing; Peer: sender, Detail: why
)
