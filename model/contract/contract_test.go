package contract_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
)

func timer(kind protocol.TimerKind) protocol.Timer { return protocol.Timer{Kind: kind} }

func set(kind protocol.TimerKind, ticks uint32) protocol.SetTimer {
	return protocol.SetTimer{Timer: timer(kind), MinTicks: ticks, MaxTicks: ticks}
}

// TestTimersBroken starts from a step that is right: timer 1 fires, 2 is cancelled, 3 starts again,
// 4 is set, and 5 stays. Each case spoils one thing.
func TestTimersBroken(t *testing.T) {
	for _, c := range []struct {
		spoil func(*contract.Timers)
		why   string
	}{
		{func(*contract.Timers) {}, ""},
		{func(s *contract.Timers) { s.Fired = nil }, "a timer is pending for nothing"},
		{func(s *contract.Timers) { s.Cancel = nil }, "a timer is pending for nothing"},
		{func(s *contract.Timers) { s.Set = s.Set[:1] }, "4 is missing"},
		{func(s *contract.Timers) { s.Set = s.Set[1:] }, "3 does not start again"},
		{func(s *contract.Timers) { s.Set[1].MinTicks-- }, "4 is set for 39 to 40 ticks"},
		{func(s *contract.Timers) { s.Set[1].MaxTicks++ }, "4 is set for 40 to 41 ticks"},
		{func(s *contract.Timers) { s.Set = append(s.Set, set(4, 40)) }, "4 starts again"},
		{func(s *contract.Timers) { s.Set = append(s.Set, set(5, 50)) }, "5 starts again"},
		{func(s *contract.Timers) { s.Wanted = s.Wanted[:2] }, "a timer is pending for nothing"},
	} {
		fired := timer(1)
		s := contract.Timers{
			Before: []protocol.Timer{timer(1), timer(2), timer(3), timer(5)}, Fired: &fired,
			Cancel: []protocol.Timer{timer(2)}, Set: []protocol.SetTimer{set(3, 30), set(4, 40)},
			Wanted: []protocol.Timer{timer(3), timer(4), timer(5)},
			Lasts:  func(t protocol.Timer) (least, most uint32) { return 10 * uint32(t.Kind), 10 * uint32(t.Kind) },
			Anew:   func(t protocol.Timer) bool { return t.Kind == 3 },
			Text:   func(t protocol.Timer) string { return string('0' + rune(t.Kind)) },
		}
		c.spoil(&s)
		assert.Equal(t, c.why, contract.TimersBroken(&s))
	}
}

func TestEventsBroken(t *testing.T) {
	a, b := protocol.Event{Name: "a"}, protocol.Event{Name: "b"}
	due := []protocol.Event{a, b, a}
	assert.Empty(t, contract.EventsBroken([]protocol.Event{b, a, a}, due))
	assert.Contains(t, contract.EventsBroken([]protocol.Event{b, a}, due), "it does not announce: a")
	assert.Contains(t, contract.EventsBroken([]protocol.Event{b, a, a, b}, due), "nothing happened that it announces: b")
	assert.Equal(t, []protocol.Event{a, b, a}, due)
}

// counter is a core that counts commands in a list.
func counter() protocol.Core[[]uint8, uint8, uint8] {
	return model.Plain(func(s []uint8, in protocol.Input[uint8, uint8]) ([]uint8, protocol.Output[uint8]) {
		return append(slices.Clip(s), in.Command), protocol.Output[uint8]{Events: []protocol.Event{{Name: "counted"}}}
	})
}

type counted struct{ before, after []uint8 }

func describe(s contract.Step[[]uint8, uint8, uint8]) counted { return counted{*s.Before, *s.After} }

// A watched core makes the steps of the core, with an event for each rule that is broken. A rule
// that changes the step, or panics, is named.
func TestWatch(t *testing.T) {
	rules := []contract.Rule[counted]{
		{Name: "Few", Broken: func(s *counted) string {
			if len(s.after) > 2 {
				return "too many"
			}
			return ""
		}},
		{Name: "Sorts", Broken: func(s *counted) string {
			if len(s.after) == 4 {
				s.before[0] = 9
			}
			return ""
		}},
		{Name: "Fails", Broken: func(s *counted) string {
			if len(s.after) == 5 {
				panic("no")
			}
			return ""
		}},
	}
	core := contract.Watch(counter(), rules, describe)
	step := func(s ...uint8) []protocol.Event {
		after, out := core.Step(s, protocol.Input[uint8, uint8]{Kind: protocol.Command, Command: 7})
		assert.Equal(t, append(slices.Clip(s), 7), after)
		return out.Events
	}
	assert.Equal(t, []protocol.Event{{Name: "counted"}}, step(1))
	assert.Equal(t, []protocol.Event{{Name: "counted"}, {Name: contract.Event, Detail: "too many"}}, step(1, 2))
	changes := &checker.ContractError{Problem: "rule Sorts of the contract changes the step that it is given; " +
		"copy slices and maps before changing their elements"}
	assert.PanicsWithError(t, changes.Error(), func() { step(1, 2, 3) })
	assert.PanicsWithError(t, "rule Fails of the contract: no", func() { step(1, 2, 3, 4) })
	assert.Nil(t, core.(model.EventNamer).EventNames())
}
