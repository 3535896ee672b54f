package protocol

import "slices"

// Retime outputs the difference between the timers that were pending before a step and those that
// are wanted after it. It cancels timers that are not wanted any more. It sets new ones, and those
// for which afresh reports that they restart. When a life begins no timer is pending. The function
// duration returns the range of a timer.
func (o *Output[M]) Retime(
	kind InputKind,
	pending, wanted []Timer,
	afresh func(Timer) bool,
	duration func(Timer) SetTimer,
) {
	if kind == Start || kind == Restart {
		pending = nil
	}
	for _, t := range pending {
		if !slices.Contains(wanted, t) {
			o.Cancel = append(o.Cancel, t)
		}
	}
	for _, t := range wanted {
		if afresh(t) || !slices.Contains(pending, t) {
			o.Set = append(o.Set, duration(t))
		}
	}
}
