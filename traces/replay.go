package traces

// Replay runs a trace again on the real cores and compares every step with the record. It calls
// observe, unless it is nil, with each step as it was recomputed, the initial state first, and then
// compares.
//
// An error that wraps [ErrStale] says that the trace is stale: an action is not enabled, a variable
// is not as recorded, or the run does not prove the claim of the header. Any other error comes from
// the machine.
func Replay(machine Machine, t *Trace, observe func(step int, s Step)) error {
	if err := t.validate(); err != nil {
		return err
	}
	witness := &witness{machine: machine, trace: t}
	machine.Reset()
	now := Step{Action: Action{Kind: Init}, State: machine.State()}
	for i := range t.Steps {
		if i > 0 {
			enabled := machine.Enabled()
			at := find(enabled, t.Steps[i].Action)
			if at < 0 {
				return notEnabled(i, t.Steps[i].Action, enabled)
			}
			now = take(machine, enabled, at)
		}
		if observe != nil {
			observe(i, now)
		}
		if name, was, is, differs := difference(t.Steps[i].State, now.State); differs {
			return &DifferenceError{Step: i, Action: now.Action, Variable: name, Was: was, Is: is}
		}
		if err := witness.during(i); err != nil {
			return err
		}
	}
	return witness.end()
}

func notEnabled(step int, action Action, enabled []Action) *NotEnabledError {
	return &NotEnabledError{Step: step, Action: action, Nearest: nearest(enabled, action), Enabled: len(enabled)}
}
