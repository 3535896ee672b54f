package sim

import (
	"errors"
	"fmt"
	"iter"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/traces"
)

// Machine replays the run of a plan, action by action. At each moment exactly one action is
// enabled: the next one of the run.
type Machine struct {
	scenario *Scenario
	plan     *Plan
	calls    *blame.Log

	next   func() (traces.Action, bool)
	stop   func()
	action *traces.Action // the next one; nil: the run is over
	taken  int            // actions so far
	last   observed
	draws  bool // pictures are recorded
	result *Result
	err    error
}

var (
	_ traces.Machine = (*Machine)(nil)
	_ traces.Drawer  = (*Machine)(nil)
)

// observed is the outcome of the last action.
type observed struct {
	effects []string
	state   []traces.Variable
	picture traces.Picture
	now     View
}

// NewMachine returns the machine of a plan.
func NewMachine(s *Scenario, p *Plan) (*Machine, error) {
	m := &Machine{scenario: s, plan: p, calls: &blame.Log{}}
	m.Reset()
	return m, m.err
}

// Reset implements [traces.Machine].
func (m *Machine) Reset() {
	if m.stop != nil {
		m.stop()
	}
	m.result, m.err, m.last, m.taken = nil, nil, observed{}, 0
	m.next, m.stop = iter.Pull(m.run)
	m.advance()
}

// run is the run as a sequence of actions, each yielded before it happens.
func (m *Machine) run(yield func(traces.Action) bool) {
	r := &pausing{machine: m, yield: yield}
	m.result, m.err = Try(m.scenario, m.plan, RunOptions{Record: r, Stop: func() bool { return r.halted }, calls: m.calls})
	if m.err == nil && m.result.Property == PanicProperty { // no property was decided
		m.err = m.failed(m.result.Where)
	}
}

func (m *Machine) failed(where string) error {
	return fmt.Errorf("run a plan of scenario %s: %s", m.scenario.Name, where)
}

// pausing is a recorder that pauses the run before each action.
type pausing struct {
	machine *Machine
	yield   func(traces.Action) bool
	halted  bool
}

// Begin implements [Recorder].
func (h *pausing) Begin(now View) { h.save(nil, now) }

// Before implements [Recorder].
func (h *pausing) Before(a traces.Action) {
	if !h.halted && !h.yield(a) {
		h.halted = true
	}
}

// After implements [Recorder].
func (h *pausing) After(effects []string, now View) {
	if !h.halted {
		h.save(effects, now)
	}
}

func (h *pausing) save(effects []string, now View) {
	h.machine.last = observed{effects: effects, state: now.State(), now: now}
	if h.machine.draws {
		h.machine.last.picture = now.Draw()
	}
}

func (m *Machine) advance() {
	m.action = nil
	apart(m.calls, "", func() {
		if a, ok := m.next(); ok {
			m.action = &a
		}
	}, func(f *failure) { m.err = m.failed(f.Error()) }) // the run made its goroutine exit, and that this one
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
	m.taken++
	m.advance()
	return m.last.effects
}

// State implements [traces.Machine].
func (m *Machine) State() []traces.Variable { return m.last.state }

// Draw implements [traces.Drawer]. Most machines are never asked for pictures, so the first call
// repeats the run up to here.
func (m *Machine) Draw() traces.Picture {
	if !m.draws {
		m.draws = true
		taken := m.taken
		for m.Reset(); m.taken < taken; {
			m.Take(0)
		}
	}
	return m.last.picture
}

// Result is the result of the run, or nil before its end.
func (m *Machine) Result() *Result { return m.result }

// ErrUndecided is returned before the end of a run, when its properties are not decided yet.
var ErrUndecided = errors.New("the run is not over")

// Check implements [traces.Machine]. A property is violated if the run ends with that violation.
// Before the end the error may be [ErrUndecided].
func (m *Machine) Check(property string) (bool, error) {
	_, known := m.scenario.PropertyOf(property)
	switch {
	case !known:
		return false, fmt.Errorf("scenario %s has no property %q", m.scenario.Name, property)
	case m.err != nil:
		return false, m.err
	case m.result == nil: // the next action has not happened yet
		return m.last.now.Holds(property)
	}
	return m.result.Property != property, nil
}
