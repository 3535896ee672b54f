package lease

// The names of this core's events. The comments describe Peer, Number and Detail, and the duty of
// the driver.
const (
	EventLeased   = "leased"   // enter the grid through Peer; Number: the generation
	EventFounded  = "founded"  // create the grid; Number: the generation
	EventFenced   = "fenced"   // end the incarnation at once; Detail: why
	EventIdentity = "identity" // end the program: another process has or had this identity; Detail: why
	EventDead     = "dead"     // the death certificate of Peer: its incarnation is over
	EventAlive    = "alive"    // the question for Peer has ended without a certificate: ask again later
	EventGranted  = "granted"  // as a witness: Peer was granted Number, a round
	EventCondemn  = "condemn"  // as a witness: the incarnation Peer is over
	EventPromise  = "promise"  // as a witness: Peer may found Number, a generation
	EventBehind   = "behind"   // as a witness: Peer is refused, of Number, another generation
	EventRegrid   = "regrid"   // as a witness: Number and all generations before it are closed
	EventIgnore   = "ignore"   // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventLeased, EventFounded, EventFenced, EventIdentity, EventDead, EventAlive, EventGranted, EventCondemn,
		EventPromise, EventBehind, EventRegrid, EventIgnore,
	}
}
