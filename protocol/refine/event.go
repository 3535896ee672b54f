package refine

// The names of this core's events. The comment says what Peer, Number and Detail hold.
const (
	EventRound     = "round"     // the node begins a round as a head; Number: the round
	EventSteady    = "steady"    // it has found its cluster; Number: the round
	EventAccept    = "accept"    // it accepts a suitor; Peer: the head, Number: its round
	EventDeny      = "deny"      // it turns a suitor down; Peer: the head, Number: its round
	EventDefer     = "defer"     // it puts a suitor off; Peer: the head, Number: its round
	EventMeasured  = "measured"  // a measurement came in; Peer: of whom, Number: microseconds
	EventCommitted = "committed" // it is in a head's cluster; Peer: the head, Number: its round
	EventReleased  = "released"  // it is not any more; Peer: the head, Number: its round
	EventRemoved   = "removed"   // a member is gone from the node's own cluster; Peer: whom, Detail: why
	EventFailed    = "failed"    // the node found Peer to have failed
	EventLeft      = "left"      // the node has left
	EventIgnore    = "ignore"    // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventRound, EventSteady, EventAccept, EventDeny, EventDefer, EventMeasured, EventCommitted, EventReleased,
		EventRemoved, EventFailed, EventLeft, EventIgnore,
	}
}
