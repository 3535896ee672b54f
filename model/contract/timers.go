package contract

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Timers has a step's changes of timers, and the demands of its states.
type Timers struct {
	Before []protocol.Timer // pending before the step
	Wanted []protocol.Timer // that the node must wait for after it
	Fired  *protocol.Timer  // the one whose timeout is the input, if any
	Cancel []protocol.Timer
	Set    []protocol.SetTimer

	Lasts func(protocol.Timer) (least, most uint32) // the times, in ticks
	Anew  func(protocol.Timer) bool                 // whether a pending timer must start again
	Text  func(protocol.Timer) string
}

// TimersBroken follows the timers through a step: the earlier timers, without fired and cancelled
// ones, and with newly set ones, must be the timers that the node waits for. A pending timer is set
// again if and only if it must start again.
func TimersBroken(t *Timers) string {
	pending := slices.DeleteFunc(slices.Clone(t.Before), func(p protocol.Timer) bool {
		return t.Fired != nil && p == *t.Fired || slices.Contains(t.Cancel, p)
	})
	var set []protocol.Timer
	for _, s := range t.Set {
		least, most := t.Lasts(s.Timer)
		switch again := slices.Contains(pending, s.Timer); {
		case s.MinTicks != least || s.MaxTicks != most:
			return fmt.Sprintf("%s is set for %d to %d ticks", t.Text(s.Timer), s.MinTicks, s.MaxTicks)
		case slices.Contains(set, s.Timer), again && !t.Anew(s.Timer):
			return t.Text(s.Timer) + " starts again"
		case !again:
			pending = append(pending, s.Timer)
		}
		set = append(set, s.Timer)
	}
	for _, w := range t.Wanted {
		if !slices.Contains(pending, w) {
			return t.Text(w) + " is missing"
		}
		if t.Anew(w) && !slices.Contains(set, w) {
			return t.Text(w) + " does not start again"
		}
	}
	if len(pending) != len(t.Wanted) {
		return "a timer is pending for nothing"
	}
	return ""
}

// EventsBroken compares the events of a step with the required ones, in any order.
func EventsBroken(announced, due []protocol.Event) string {
	announced = slices.Clone(announced)
	for _, e := range due {
		at := slices.Index(announced, e)
		if at < 0 {
			return "it does not announce: " + e.String()
		}
		announced = slices.Delete(announced, at, at+1)
	}
	if len(announced) > 0 {
		return "nothing happened that it announces: " + announced[0].String()
	}
	return ""
}
