package traces

import (
	"fmt"
	"slices"
)

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
