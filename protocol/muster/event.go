package muster

// The names of this core's events. The comments describe Peer, Number and Detail, and the duty of
// the driver.
const (
	EventHere    = "here"    // the host reports to its representative Peer
	EventGo      = "go"      // start the process; Number: the rank. State.Host has the places of all ranks
	EventHalt    = "halt"    // end the process that runs, then give CommandExited; Detail: the reason
	EventKeep    = "keep"    // keep the outputs of the task, then give CommandKept; Number: its rank
	EventUnrun   = "unrun"   // no process is started here; Detail: the reason
	EventFinish  = "finish"  // the outcome is safe: fire RunTimer of the task layer
	EventPermit  = "permit"  // all hosts are here: ask the custodian, then give CommandPermit; Number: of hosts
	EventGranted = "granted" // the permit is given, and all hosts receive Go
	EventHalting = "halting" // the hosts are halted from now on; Detail: why
	EventStatus  = "status"  // the task of Peer has ended; Number: its rank, Detail: the cause
	EventOutcome = "outcome" // all tasks have ended: deposit State.Outcome, then give CommandDeposited
	EventClosed  = "closed"  // all hosts were notified that the outcome is safe
	EventKill    = "kill"    // end the process that runs: the attempt is over. No command follows
	EventEnd     = "end"     // the instance has ended: it may be dropped
	EventIgnore  = "ignore"  // the input changed nothing; Peer: sender, Detail: why
)

// eventNames lists them.
func eventNames() []string {
	return []string{
		EventHere, EventGo, EventHalt, EventKeep, EventUnrun, EventFinish, EventPermit, EventGranted, EventHalting,
		EventStatus, EventOutcome, EventClosed, EventKill, EventEnd, EventIgnore,
	}
}
