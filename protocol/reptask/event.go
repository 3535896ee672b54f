package reptask

// The names of this core's events. Peer is the owner that granted the attempt and Number its epoch,
// unless the comment says otherwise. A job is named by the owner that it was submitted to and its
// number there.
const (
	EventSubmit    = "submit"    // the node owns a new job; Number: of the job
	EventGrant     = "grant"     // an attempt begins; the node is the owner
	EventPart      = "part"      // the attempt is over, and its representative must forget it
	EventAccept    = "accept"    // the owner has the result of a job
	EventCancelled = "cancelled" // a cancelled job has ended; Peer, Number: the job
	EventFailed    = "failed"    // no candidate could represent the job; Peer, Number: the job
	EventAdopt     = "adopt"     // the node owns the job from now on, since its owner has failed
	EventOrphan    = "orphan"    // the owner of an attempt represented here has failed: answer with CommandAdopt
	EventRepresent = "represent" // the node represents an attempt
	EventRefuse    = "refuse"    // the node cannot represent the job; Peer, Number: the job; Detail: why
	EventDecide    = "decide"    // k dependents are ready and receive Start
	EventMove      = "move"      // an idle job moves to another node; Detail: by which algorithm
	EventRevoke    = "revoke"    // the representative is notified that the client has cancelled the job
	EventResign    = "resign"    // an attempt is given up; Detail: why
	EventSettled   = "settled"   // the node no longer represents the attempt
	EventQueue     = "queue"     // a dependent task is in the queue
	EventReady     = "ready"     // a dependent task has the node and is ready
	EventWithdraw  = "withdraw"  // the node asks for its vote back, for an older job
	EventRequeue   = "requeue"   // the vote is back, and the task in the queue
	EventStart     = "start"     // the task runs from now on: RunTimer stands for its process
	EventFinish    = "finish"    // the task ran to its end
	EventCancel    = "cancel"    // the task is dropped before it ran
	EventStop      = "stop"      // the task is dropped while it ran
	EventForget    = "forget"    // the task is dropped after its end
	EventExpired   = "expired"   // Peer is suspected: it was silent for a lease
	EventVacant    = "vacant"    // Peer holds nothing of this node
	EventFull      = "full"      // a limit is met; Peer, Number: the job that does not fit or is forgotten; Detail: which
	EventIgnore    = "ignore"    // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventSubmit, EventGrant, EventPart, EventAccept, EventCancelled, EventFailed, EventAdopt, EventOrphan,
		EventRepresent, EventRefuse, EventDecide, EventMove, EventRevoke, EventResign, EventSettled, EventQueue, EventReady,
		EventWithdraw, EventRequeue, EventStart, EventFinish,
		EventCancel, EventStop, EventForget, EventExpired, EventVacant, EventFull, EventIgnore,
	}
}
