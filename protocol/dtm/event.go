package dtm

// The names of this core's events. The comments define Peer, Number and Detail.
const (
	EventJoined  = "joined"  // the node is in the tree; Peer: its anchor, if it has one
	EventFailed  = "failed"  // the node suspects Peer
	EventGivenUp = "givenup" // the node found no place; it is outside the tree; Detail: why
	EventRefused = "refused" // an attachment was refused; Peer: the anchor, Number: the version of the view
	EventAttach  = "attach"  // Peer is a child of the node now
	EventAsks    = "asks"    // the node asks its neighbours to let it leave; Number: the round
	EventAborts  = "aborts"  // it no longer asks; Number: the round
	EventCommit  = "commit"  // all have consented; Number: the round
	EventMoved   = "moved"   // the anchor is gone; Peer: the heir, Detail: "left" or "failed"
	EventOrphan  = "orphan"  // the anchor is gone before its position arrived: the node cannot go on; Peer: the anchor
	EventLeft    = "left"    // the node has left
	EventIgnore  = "ignore"  // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventJoined, EventFailed, EventGivenUp, EventRefused, EventAttach, EventAsks, EventAborts, EventCommit,
		EventMoved, EventOrphan, EventLeft, EventIgnore,
	}
}
