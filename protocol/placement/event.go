package placement

import "github.com/canvass-grid/canvass/protocol"

// The names of this core's events. The comments describe Peer, Number and Detail, and the duty of
// the driver.
const (
	EventSubmit = "submit"             // submit the job of State.Of to the grid; Number: the ticket
	EventOwned  = "owned"              // a submission has the owner Peer; Number: its ticket
	EventRevoke = "revoke"             // ask the owner Peer to cancel a submission until it answers; Number: its ticket
	EventAsk    = "ask"                // ask the owner Peer whether it has a submission; Number: its ticket
	EventWait   = "wait"               // the job waits for its turn; Number: the job
	EventRest   = "rest"               // the job pauses; Number: the job, Detail: why
	EventIgnore = protocol.EventIgnore // the input changed nothing; Number: job or ticket, Detail: why
)

// Why a job rests.
const (
	Vain    = "no node can hold it"
	Retries = "before its next try"
)

// eventNames lists them.
func eventNames() []string {
	return []string{EventSubmit, EventOwned, EventRevoke, EventAsk, EventWait, EventRest, EventIgnore}
}
