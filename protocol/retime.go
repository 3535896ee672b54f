package protocol

import "slices"

// Retime outputs the difference between the timers that were pending before a step and the timers
// that are wanted after it. It cancels timers that are not wanted any more. It sets new ones, and
// those for which afresh reports that they restart. When an incarnation starts no timer is pending.
// The function duration returns the range of a timer.
func (o *Output[M]) Retime(
	kind InputKind,
	pending, wanted []Timer,
	afresh func(Timer) bool,
	duration func(Timer) SetTimer,
) {
	if kind == Start || kind == Restart {
		pending = nil
	}
	desired, former := finder{list: wanted}, finder{list: pending}
	for _, t := range pending {
		if !desired.has(t) {
			o.Cancel = append(o.Cancel, t)
		}
	}
	for _, t := range wanted {
		if afresh(t) || !former.has(t) {
			o.Set = append(o.Set, duration(t))
		}
	}
}

// finder finds timers in a list. Two lists of one core have nearly the same order, so that the next
// timer to be found mostly comes next.
type finder struct {
	list []Timer
	next int
}

func (f *finder) has(t Timer) bool {
	at := f.next
	if at >= len(f.list) || f.list[at] != t {
		if at = slices.Index(f.list, t); at < 0 {
			return false
		}
	}
	f.next = at + 1
	return true
}
