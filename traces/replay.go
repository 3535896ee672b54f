package traces

import "slices"

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

// FollowResult says how far a machine could follow the trace of another one.
type FollowResult struct {
	Taken int // actions taken
	Alike int // of these, how many have another text: see Follow
	// Differs is the first variable that differs from the record, among the variables that both
	// machines have and that are equal in the initial states. Nil if there is none.
	Differs *DifferenceError
	// Blocked is the first action that is not enabled. Nil if all were taken.
	Blocked *NotEnabledError
	// Compared is how many variables were compared.
	Compared int
}

// Follow takes the actions of a trace on the machine of another model, as long as they are enabled
// there: for example a published algorithm's counterexample on the corrected core. An action that
// is not enabled is replaced by the one of the same kind, node, peer and first word, if there is
// exactly one, since two cores may put different fields into the same message. Differences are no
// errors: Follow exists to find them. The machine stays in the last state, so that its properties
// can be checked there. Follow calls observe, unless it is nil, with each step.
func Follow(machine Machine, t *Trace, observe func(step int, s Step)) (FollowResult, error) {
	if err := t.validate(); err != nil {
		return FollowResult{}, err
	}
	machine.Reset()
	now := Step{Action: Action{Kind: Init}, State: slices.Clone(machine.State())}
	shared := map[string]bool{}
	for _, v := range now.State {
		shared[v.Name] = slices.Contains(t.Steps[0].State, v)
	}
	result := FollowResult{}
	for _, both := range shared {
		if both {
			result.Compared++
		}
	}
	for i := range t.Steps {
		if i > 0 {
			enabled := machine.Enabled()
			at, alike := findAlike(enabled, t.Steps[i].Action)
			if at < 0 {
				result.Blocked = notEnabled(i, t.Steps[i].Action, enabled)
				break
			}
			now = take(machine, enabled, at)
			result.Taken++
			if alike {
				result.Alike++
			}
		}
		if observe != nil {
			observe(i, now)
		}
		if result.Differs == nil {
			result.Differs = departure(i, now, t.Steps[i].State, shared)
		}
	}
	return result, nil
}

// departure compares the shared variables of a step.
func departure(step int, now Step, recorded []Variable, shared map[string]bool) *DifferenceError {
	for _, v := range recorded {
		if !shared[v.Name] {
			continue
		}
		for _, is := range now.State {
			if is.Name == v.Name && is.Value != v.Value {
				return &DifferenceError{Step: step, Action: now.Action, Variable: v.Name, Was: v.Value, Is: is.Value}
			}
		}
	}
	return nil
}
