package reptask

// The names of this core's events. Peer is the owner that granted the attempt and Number its epoch,
// unless the comment says otherwise. Jobs are named by the owner that they were submitted at and
// its number for them.
const (
	EventSubmit    = "submit"    // the node owns a new job; Number: of the job
	EventGrant     = "grant"     // an attempt begins; the node is the owner
	EventPart      = "part"      // the attempt is over, and its representative is to forget it
	EventAccept    = "accept"    // the owner has the result of a job
	EventCancelled = "cancelled" // the owner has done with a job that was cancelled; Peer, Number: the job
	EventFailed    = "failed"    // nobody could take the job; Peer, Number: the job
	EventAdopt     = "adopt"     // the node owns the job from now on, since its owner has failed
	EventOrphan    = "orphan"    // the owner of an attempt that is represented here has failed: answer with CommandAdopt
	EventRepresent = "represent" // the node represents an attempt
	EventRefuse    = "refuse"    // the node cannot represent the attempt; Detail: why
	EventDecide    = "decide"    // k dependents are ready and are told to start
	EventMove      = "move"      // an idle job is given away
	EventResign    = "resign"    // an attempt is given up; Detail: why
	EventSettled   = "settled"   // the node does not represent the attempt any more
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
	EventVacant    = "vacant"    // Peer holds nothing of this node any more
	EventIgnore    = "ignore"    // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventSubmit, EventGrant, EventPart, EventAccept, EventCancelled, EventFailed, EventAdopt, EventOrphan, EventRepresent, EventRefuse, EventDecide,
		EventMove, EventResign, EventSettled, EventQueue, EventReady, EventWithdraw, EventRequeue, EventStart, EventFinish,
		EventCancel, EventStop, EventForget, EventExpired, EventVacant, EventIgnore,
	}
}
