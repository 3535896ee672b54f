package muster

import "github.com/canvass-grid/canvass/protocol"

// MessageKind is the type of a message.
type MessageKind uint8

// The messages. The comments list the other fields that are set.
const (
	Here   MessageKind = iota + 1 // host to representative: the task may start here. Ports
	Go                            // representative to host: start the process. Rank, Places
	Going                         // host to representative: has received Go
	Exit                          // host to representative: nothing of the task runs here any more. Status
	Noted                         // representative to host: has received Exit
	Halt                          // representative to host: end the process, or do not start it. Reason
	Finish                        // representative to host: the outcome is safe
	Closed                        // host to representative: has received Finish
)

// Message is a message between two nodes of an attempt. Exactly the fields named by Kind are set.
type Message struct {
	Kind   MessageKind
	Ports  []uint16
	Rank   uint32
	Places []Place // of all hosts, in the order of their ranks
	Status Status
	Reason Reason
}

// Place is where a rank runs.
type Place struct {
	Host  protocol.NodeID
	Ports []uint16
}

// Status is how the task of a rank has ended at its host.
type Status struct {
	Cause  Cause
	Code   uint32 // of a process that exited
	Signal uint8  // that ended the process; 0: none
	Halted bool   // the host had received Halt before
}

// Failed reports whether the task failed: the host can never start it, its process did not end with
// 0, or its outputs could not be kept. A lost task has not failed: its outcome is unknown.
func (s Status) Failed() bool {
	return s.Cause == Unfit || s.Cause == Unkept || s.Code != 0 || s.Signal != 0
}

// Cause is the way in which a task ended.
type Cause uint8

// The causes. The zero Cause means that the task has not ended.
const (
	Exited Cause = iota + 1 // its process ran and ended
	Unfit                   // the host can never start it: there is no such command, say
	Unrun                   // Halt came before Go: no process was started
	Lost                    // the host has lost it: it lacked space, or the shim was killed
	Unkept                  // its process ended with 0, and its outputs could not be kept
)

// Reason says why the hosts are halted.
type Reason uint8

// The reasons. The zero Reason means no reason. CommandHalt takes those from Cancelled to Leaving.
const (
	Refused   Reason = iota + 1 // the custodian refused the permit
	NoStart                     // a host could not start the task
	Failure                     // a task failed, and the job wants the others to end then
	Cancelled                   // the client cancelled the job
	TimedOut                    // the attempt ran for too long
	Leaving                     // a node of the attempt leaves
	TaskLost                    // a host has lost its task. CommandHalt does not take it
)

// CommandKind is the kind of a command.
type CommandKind uint8

// The commands of a driver. The comments list the other fields that are set.
const (
	CommandHost      CommandKind = iota + 1 // the task layer has started a task here. Rep, Ports
	CommandUnfit                            // the process can never be started here
	CommandExited                           // the process has ended, and all of its tree. Code, Signal
	CommandRepresent                        // the task layer has decided. Hosts, HaltOnFailure
	CommandPermit                           // the custodian's answer to EventPermit. Granted
	CommandHalt                             // end the processes of all hosts. Reason
	CommandDeposited                        // the outcome is safe at the custodian
	CommandEnd                              // the task layer has ended the attempt here
	CommandLost                             // the task is lost: nothing of it runs here any more, nor will
	CommandKeep                             // as CommandExited, of a task that has outputs to keep. Code, Signal
	CommandKept                             // the answer to EventKeep. Kept
)

// Command is a command of the driver. Exactly the fields named by Kind are set.
type Command struct {
	Kind          CommandKind
	Rep           protocol.NodeID
	Ports         []uint16          // at most PortLimit
	Hosts         []protocol.NodeID // sorted, each once
	HaltOnFailure bool              // the first failed task ends the others
	Granted       bool
	Kept          bool // all outputs of the task are safe
	Code          uint32
	Signal        uint8
	Reason        Reason // from Cancelled to Leaving
}
