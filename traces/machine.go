package traces

import (
	"fmt"
	"slices"
)

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

// Record runs the machine from its initial state and records the run. Each choice is the index of
// an action among the enabled ones. Loop is -1, or the index of the step to whose state the run
// returns at its end. The step of index 0 is the initial state, so choice i leads to step i+1.
func Record(machine Machine, choices []int, loop int, header Header) (*Trace, error) {
	machine.Reset()
	t := &Trace{Header: header, Loop: loop, Steps: []Step{
		{Action: Action{Kind: Init}, State: slices.Clone(machine.State())},
	}}
	for i, choice := range choices {
		enabled := machine.Enabled()
		if choice < 0 || choice >= len(enabled) {
			return nil, fmt.Errorf("recording step %d: there is no action %d among the %d enabled ones; "+
				"do the checker and the machine disagree about their order?", i+1, choice, len(enabled))
		}
		t.Steps = append(t.Steps, take(machine, enabled, choice))
	}
	if err := t.validate(); err != nil {
		return nil, err
	}
	return t, nil
}

// take takes an enabled action and records its results. It copies the slices, which a machine may
// use again.
func take(machine Machine, enabled []Action, i int) Step {
	action := enabled[i]
	action.Data = append([]byte(nil), action.Data...) // nil if empty, as Read returns it
	action.Optional = false                           // a file does not have it
	effects := append([]string(nil), machine.Take(i)...)
	return Step{Action: action, Effects: effects, State: slices.Clone(machine.State())}
}
