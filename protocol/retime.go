package protocol

import "slices"

// Retime asks for what turns the timers that were pending before a step into those that are wanted
// after it. What is wanted no more is cancelled; what is new is set, and so is what is to start
// afresh, because it fired or for a reason of the core's. A life that begins finds none pending.
// Duration says how long a timer takes.
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
