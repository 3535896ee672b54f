package traces

import "fmt"

// witness confirms, during a replay, that the run proves the claim of its header.
type witness struct {
	machine Machine
	trace   *Trace
}

// during looks at one state of the run.
func (w *witness) during(step int) error {
	h := &w.trace.Header
	if !triggered(h.Shape) || step < h.Trigger {
		return nil
	}
	met, err := w.machine.Check(h.Property)
	if err != nil {
		return err
	}
	if met {
		return w.unconfirmed(step, "the goal is met after all")
	}
	return nil
}

// end looks at the run as a whole, in its last state.
func (w *witness) end() error {
	h, last := &w.trace.Header, len(w.trace.Steps)-1
	if loop := w.trace.Loop; loop >= 0 {
		name, was, is, differs := difference(w.trace.Steps[loop].State, w.trace.Steps[last].State)
		if differs {
			was, is = excerpts(was, is)
			return w.unconfirmed(last, fmt.Sprintf("the loop does not close: at its start (step %d) the "+
				"variable %s is %q, at its end %q", loop, name, was, is))
		}
	}
	switch h.Shape {
	case Always, Quiescent, Sometimes:
		return w.endsWith(h.Shape == Sometimes)
	case DeadlockFree:
		return w.endsDead(true)
	case LeadsTo:
		if w.trace.Loop < 0 {
			return w.endsDead(false)
		}
	}
	return nil
}

// endsWith demands that the property has this value in the last state.
func (w *witness) endsWith(want bool) error {
	holds, err := w.machine.Check(w.trace.Header.Property)
	if err != nil {
		return err
	}
	if holds != want {
		reason := "it holds in the last state"
		if want {
			reason = "it does not hold in the last state"
		}
		return w.unconfirmed(len(w.trace.Steps)-1, reason)
	}
	return nil
}

// endsDead demands that no action is enabled any more; for a run that need not be a deadlock, none
// that must happen eventually. A machine that evaluates the property can distinguish a deadlock
// from an accepted end. Otherwise the absence of actions suffices.
func (w *witness) endsDead(deadlock bool) error {
	last := len(w.trace.Steps) - 1
	for _, a := range w.machine.Enabled() {
		if deadlock || !a.optional() {
			return w.unconfirmed(last, fmt.Sprintf("the run does not end there: %q is enabled", a))
		}
	}
	if !deadlock {
		return nil
	}
	if accepted, err := w.machine.Check(w.trace.Header.Property); err == nil && accepted {
		return w.unconfirmed(last, "the last state is an accepted end")
	}
	return nil
}

func (w *witness) unconfirmed(step int, reason string) error {
	h := &w.trace.Header
	return &UnconfirmedError{Property: h.Property, Shape: h.Shape, Step: step, Reason: reason}
}
