package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// A node may run a layer more than once in a step. Then the timers of the later run replace those
// of the earlier one.

// Timers returns the timers that are pending at a node in this state: those of its layers.
func Timers(cfg *Config, s State) []protocol.Timer {
	var all []protocol.Timer
	of := [layers][]protocol.Timer{s.Can.Timers(), s.Refine.Timers(&cfg.Refine), s.Tasks.Timers()}
	if s.Tree != nil {
		of[TreeLayer] = s.Tree.Timers()
	}
	for of, timers := range of {
		for _, t := range timers {
			all = append(all, protocol.Timer{Kind: kindOf(Layer(of), t.Kind), Peer: t.Peer})
		}
	}
	return all
}

// cancel forgets a timer, whether it was pending before the step or set in it.
func (n *node) cancel(t protocol.Timer) {
	n.Out.Set = slices.DeleteFunc(n.Out.Set, func(s protocol.SetTimer) bool { return s.Timer == t })
	n.Out.Cancel = append(n.Out.Cancel, t)
}

// set starts a timer.
func (n *node) set(t protocol.SetTimer) {
	n.Out.Set = slices.DeleteFunc(n.Out.Set, func(s protocol.SetTimer) bool { return s.Timer == t.Timer })
	n.Out.Set = append(n.Out.Set, t)
}

// RunTimer is the timer that stands for the process of the task that runs: see reptask.RunTimer.
func RunTimer() protocol.Timer {
	return protocol.Timer{Kind: kindOf(TaskLayer, reptask.RunTimer)}
}
