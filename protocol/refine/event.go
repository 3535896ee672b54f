package refine

// The names of this core's events. The comments define Peer, Number and Detail.
const (
	EventRound     = "round"     // the node begins a round as a head; Number: the round
	EventSteady    = "steady"    // it has found its cluster; Number: the round
	EventAccept    = "accept"    // it accepts a suitor; Peer: the head, Number: its round
	EventDeny      = "deny"      // it denies a suitor; Peer: the head, Number: its round
	EventDefer     = "defer"     // it defers a suitor; Peer: the head, Number: its round
	EventMeasured  = "measured"  // a measurement of Peer came in; Number: microseconds
	EventCommitted = "committed" // it is in a head's cluster; Peer: the head, Number: its round
	EventReleased  = "released"  // it is no longer in it; Peer: the head, Number: its round
	EventRemoved   = "removed"   // Peer is no longer in the node's own cluster; Detail: why
	EventFailed    = "failed"    // the node suspects Peer
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
