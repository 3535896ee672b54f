package traces

// Action is one thing that can happen to a closed system, in the vocabulary that checker,
// simulator, traces and logs share. Two actions of one state that do different things differ in
// Text.
type Action struct {
	// Kind is chosen, command, timeout, deliver, measured, timeout-early, drop, duplicate, repeat,
	// suspect, crash or restart.
	Kind string
	Node string // where it happens: the receiver of a message, the owner of a timer
	Peer string // deliver, repeat, drop, duplicate: the sender; measured: the node measured
	Text string // the message, timer, command or choice, in one line
	Data []byte // its canonical encoding, if it has one
	Cost string // the fault budget it draws on; empty if it is free
	// Optional says that nothing forces the action, so a run may stop where it is enabled. Faults and
	// commands are optional in any case. A trace file does not say it: the machine knows.
	Optional bool
}

// Variable is a named part of a state, as one line of text.
type Variable struct {
	Name, Value string
}

// Machine is a closed system that is driven one action at a time, as far as a replay needs it. It
// is deterministic: the same indexes lead to the same states, in every run.
type Machine interface {
	// Reset returns to the initial state.
	Reset()
	// Enabled lists the actions that are possible now, in a fixed order.
	Enabled() []Action
	// Take takes the i-th enabled action and returns what the node sent and which events it reported,
	// one line each: "send A->B text" for a message, "event text" for an event.
	Take(i int) (effects []string)
	// State returns the current state, part by part, always in the same order.
	State() []Variable
	// Check evaluates a property of the system in the current state. For a property of whole runs
	// (liveness) it reports whether the goal holds. Unknown names are an error.
	Check(property string) (bool, error)
}
