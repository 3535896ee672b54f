package traces

import "slices"

// Course is how far a machine went along with the trace of another one.
type Course struct {
	Taken int // actions taken
	Alike int // of these, how many have another text: see Follow
	// Differs is the first variable that is not as recorded, among those that both machines have and
	// that are equal in the initial states. Nil if there is none.
	Differs *DifferenceError
	// Blocked is the first action that is not enabled. Nil if all were taken.
	Blocked *NotEnabledError
	// Compared is how many variables were compared.
	Compared int
}

// Follow takes the actions of a trace on the machine of another model, as long as they are enabled
// there: a published algorithm's counterexample on the corrected core, say. Where an action is not
// enabled, the only one of its kind, node, peer and first word takes its place, if there is just
// one: two cores put more or less into the same message. Differences are no errors but what it is
// about. The machine is left where the course ended, so that its properties can be checked there.
// Follow calls observe, unless it is nil, with each step.
func Follow(machine Machine, t *Trace, observe func(step int, s Step)) (Course, error) {
	if err := t.validate(); err != nil {
		return Course{}, err
	}
	machine.Reset()
	now := Step{Action: Action{Kind: Init}, State: slices.Clone(machine.State())}
	shared := map[string]bool{}
	for _, v := range now.State {
		shared[v.Name] = slices.Contains(t.Steps[0].State, v)
	}
	course := Course{}
	for _, both := range shared {
		if both {
			course.Compared++
		}
	}
	for i := range t.Steps {
		if i > 0 {
			enabled := machine.Enabled()
			at, alike := findAlike(enabled, t.Steps[i].Action)
			if at < 0 {
				course.Blocked = notEnabled(i, t.Steps[i].Action, enabled)
				break
			}
			now = take(machine, enabled, at)
			course.Taken++
			if alike {
				course.Alike++
			}
		}
		if observe != nil {
			observe(i, now)
		}
		if course.Differs == nil {
			course.Differs = departure(i, now, t.Steps[i].State, shared)
		}
	}
	return course, nil
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
