package sim

import (
	"fmt"
	"iter"

	"github.com/canvass-grid/canvass/traces"
)

// Machine makes the run of a plan action by action, for replays. At each moment one action is possible: the
// one that comes next.
type Machine struct {
	world World
	plan  *Plan

	next   func() (traces.Action, bool)
	stop   func()
	action *traces.Action // that comes next; nil: the run is over
	last   record
	result *Result
	err    error
}

var _ traces.Machine = (*Machine)(nil)

// record is what an action led to.
type record struct {
	effects []string
	state   []traces.Variable
}

// NewMachine returns the machine of a plan.
func NewMachine(w World, p *Plan) (*Machine, error) {
	m := &Machine{world: w, plan: p}
	m.Reset()
	return m, m.err
}

// Reset implements [traces.Machine].
func (m *Machine) Reset() {
	if m.stop != nil {
		m.stop()
	}
	m.result, m.err, m.last = nil, nil, record{}
	m.next, m.stop = iter.Pull(m.run)
	m.advance()
}

// run is the run as a sequence of the actions that are about to happen.
func (m *Machine) run(yield func(traces.Action) bool) {
	r := &halting{machine: m, yield: yield}
	m.result, m.err = m.world.Run(m.plan, RunOptions{Record: r, Stop: func() bool { return r.halted }})
}

// halting records a run that waits before each action.
type halting struct {
	machine *Machine
	yield   func(traces.Action) bool
	halted  bool
}

// Begin implements [Recorder].
func (h *halting) Begin(state func() []traces.Variable) { h.machine.last = record{state: state()} }

// Before implements [Recorder].
func (h *halting) Before(a traces.Action) {
	if !h.halted && !h.yield(a) {
		h.halted = true
	}
}

// After implements [Recorder].
func (h *halting) After(effects []string, state func() []traces.Variable) {
	if !h.halted {
		h.machine.last = record{effects, state()}
	}
}

func (m *Machine) advance() {
	m.action = nil
	if a, ok := m.next(); ok {
		m.action = &a
	}
}

// Enabled implements [traces.Machine].
func (m *Machine) Enabled() []traces.Action {
	if m.action == nil {
		return nil
	}
	return []traces.Action{*m.action}
}

// Take implements [traces.Machine].
func (m *Machine) Take(int) []string {
	m.advance()
	return m.last.effects
}

// State implements [traces.Machine].
func (m *Machine) State() []traces.Variable { return m.last.state }

// Result is what came of the run, once it is over.
func (m *Machine) Result() *Result { return m.result }

// Check implements [traces.Machine]. A property is violated where the run ends because of it.
func (m *Machine) Check(property string) (bool, error) {
	if m.world.Shape(property) == "" {
		return false, fmt.Errorf("world %s has no property %q", m.world.Name(), property)
	}
	return m.result == nil || m.result.Property != property, m.err
}
