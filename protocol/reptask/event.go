package reptask

// The names of this core's events. Peer is the owner of the job and Number the epoch of the attempt, unless the
// comment says otherwise.
const (
	EventSubmit    = "submit"    // the node owns a new job; Number: of the job
	EventGrant     = "grant"     // an attempt begins; the node is the owner
	EventAccept    = "accept"    // the owner has the result of a job
	EventCancelled = "cancelled" // the owner has done with a job that was cancelled; Number: of the job
	EventFailed    = "failed"    // nobody could take the job; Number: of the job
	EventRepresent = "represent" // the node represents an attempt
	EventRefuse    = "refuse"    // the node cannot represent the attempt; Detail: why
	EventDecide    = "decide"    // k dependents are ready and are told to start
	EventMove      = "move"      // an idle job is given away
	EventResign    = "resign"    // an attempt is given up; Detail: why
	EventQueue     = "queue"     // a dependent task is in the queue
	EventReady     = "ready"     // a dependent task has the node and is ready
	EventWithdraw  = "withdraw"  // the node wants a vote back, for an older job
	EventRequeue   = "requeue"   // the vote is back, and the task in the queue
	EventStart     = "start"     // the task runs from now on: RunTimer stands for its process
	EventFinish    = "finish"    // it ran to its end
	EventCancel    = "cancel"    // it is dropped before it ran
	EventStop      = "stop"      // it is dropped while it ran
	EventForget    = "forget"    // it is dropped after its end
	EventExpired   = "expired"   // Peer is held for failed
	EventIgnore    = "ignore"    // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventSubmit, EventGrant, EventAccept, EventCancelled, EventFailed, EventRepresent, EventRefuse, EventDecide,
		EventMove, EventResign, EventQueue, EventReady, EventWithdraw, EventRequeue, EventStart, EventFinish,
		EventCancel, EventStop, EventForget, EventExpired, EventIgnore,
	}
}
