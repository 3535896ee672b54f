package custody

// The names of this core's events. The comments describe Peer, Number and Detail, and the duty of
// the driver. All but the last four come from the primary only, and their announcements are on the
// disks of all members of its view.
const (
	EventLeads     = "leads"     // this custodian is the primary; Number: its view. Give CommandDead for dead hosts
	EventAccepted  = "accepted"  // most custodians have it, and the others are dead: acknowledge the submission
	EventSubmit    = "submit"    // submit the job to the grid; Number: the try
	EventPermitted = "permitted" // the attempt may start; Peer, Number: owner and epoch of the attempt
	EventRefused   = "refused"   // the attempt may not start, or its outcome does not count; Peer, Number, Detail: why
	EventClosed    = "closed"    // nothing of the attempt can start at the host Peer; Number: the try
	EventCancel    = "cancel"    // the job is to end without another attempt: halt the open one; Detail: how it ends
	EventEnded     = "ended"     // the job has ended, and nothing of it runs; Detail: how
	EventYields    = "yields"    // this custodian is the primary no longer
	EventElsewhere = "elsewhere" // the command had no effect: ask the custodian Peer; Number: the kind of command
	EventLater     = "later"     // the command had no effect yet: give it again later; Number: the kind of command
	EventForgotten = "forgotten" // the instance has ended: drop what it persisted, and later the instance
	EventIgnore    = "ignore"    // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventLeads, EventAccepted, EventSubmit, EventPermitted, EventRefused, EventClosed, EventCancel, EventEnded,
		EventYields, EventElsewhere, EventLater, EventForgotten, EventIgnore,
	}
}
