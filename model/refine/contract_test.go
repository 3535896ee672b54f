package refine

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// roundOfA drives a round by hand: A solicits B, they measure each other, and A confirms. It
// returns each step of either node under the name of its input.
func roundOfA(t *testing.T) map[string]*transition {
	t.Helper()
	cfg := (&scenario{membership: 2, size: 2, criterion: refine.Greedy}).config()
	states := [2]refine.State{refine.New(0), refine.New(1)}
	taken := map[string]*transition{}
	step := func(name string, node int, in refine.Input) {
		before := states[node]
		after, out := refine.Step(&cfg, before, in)
		taken[name], states[node] = &transition{&cfg, &in, &before, &after, &out}, after
		require.Empty(t, brokenBy(taken[name]), name)
	}
	deliver := func(name string, from, to int, last string) {
		step(name, to, refine.Input{
			Kind: protocol.Deliver, From: id(byte('A' + from)), Message: taken[last].out.Send[0].Message,
		})
	}
	fires := func(name string, node int, kind protocol.TimerKind) {
		step(name, node, refine.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind}})
	}
	for node := range states {
		step("start", node, refine.Input{Kind: protocol.Start})
	}
	add := refine.Command{Kind: refine.CommandAdd, Nodes: ids("B")}
	step("add", 0, refine.Input{Kind: protocol.Command, Command: add})
	fires("solicit", 0, refine.CollectTimer)
	deliver("suitor", 0, 1, "solicit")
	fires("accept", 1, refine.WaitTimer)
	deliver("filter", 1, 0, "accept")
	deliver("survey", 0, 1, "filter")
	step("report", 1, refine.Input{Kind: protocol.Measured, From: id('A'), Measure: nearby})
	step("measured", 0, refine.Input{Kind: protocol.Measured, From: id('B'), Measure: nearby})
	deliver("steady", 1, 0, "report")
	deliver("committed", 0, 1, "steady")
	deliver("again", 0, 1, "solicit")
	return taken
}

// brokenBy names the rules that a step breaks.
func brokenBy(s *transition) (names []string) {
	for _, r := range rules {
		if r.Broken(s) != "" {
			names = append(names, r.Name)
		}
	}
	return names
}

func TestContractCanFail(t *testing.T) {
	tests := []struct {
		name, step string
		spoil      func(after *refine.State, out *refine.Output)
		rule       string
	}{
		{"a timer is not set", "solicit", func(_ *refine.State, out *refine.Output) { out.Set = out.Set[1:] }, "TimersKept"},
		{"a timer is not cancelled", "report", func(_ *refine.State, out *refine.Output) { out.Cancel = nil }, "TimersKept"},
		{"a timer is too long", "suitor", func(_ *refine.State, out *refine.Output) { out.Set[0].MaxTicks++ }, "TimersKept"},
		{"a sign of life does not count", "again", func(_ *refine.State, out *refine.Output) { out.Set = nil }, "TimersKept"},
		{"a timer starts again", "report", func(_ *refine.State, out *refine.Output) {
			out.Set = append(out.Set, protocol.SetTimer{
				Timer: protocol.Timer{Kind: refine.KeepTimer}, MinTicks: 100, MaxTicks: 100,
			})
		}, "TimersKept"},
		{"a candidate is there twice", "add", func(after *refine.State, _ *refine.Output) {
			after.Candidates = append(after.Candidates, after.Candidates[0])
		}, "ListsKept"},
		{"a measurement is left", "steady", func(after *refine.State, _ *refine.Output) {
			after.Survey = []refine.Reading{{Peer: id('B'), Micros: 1}}
		}, "ListsKept"},
		{"a cluster without its member", "committed", func(after *refine.State, _ *refine.Output) {
			after.Slots[0].Members = ids("A")
		}, "ListsKept"},
		{"a round is not announced", "solicit", func(_ *refine.State, out *refine.Output) { out.Events = nil }, "EventsTrue"},
		{"an event is false", "steady", func(_ *refine.State, out *refine.Output) { out.Events[0].Number++ }, "EventsTrue"},
		{"an ignored input changes something", "again", func(after *refine.State, _ *refine.Output) {
			after.Again = true
		}, "EventsTrue"},
		{"a candidate is not asked", "solicit", func(_ *refine.State, out *refine.Output) { out.Send = nil }, "MessagesFit"},
		{"a message goes to its sender", "accept", func(after *refine.State, out *refine.Output) {
			out.Send[0].To = after.ID
		}, "MessagesFit"},
		{"a message is of another round", "accept", func(_ *refine.State, out *refine.Output) {
			out.Send[0].Message = refine.Accept{Round: 7}
		}, "MessagesFit"},
		{"a node is not measured", "survey", func(_ *refine.State, out *refine.Output) { out.Measure = nil }, "MessagesFit"},
		{"a candidate is forgotten", "filter", func(after *refine.State, _ *refine.Output) {
			after.Candidates = nil
		}, "FiguresKept"},
		{"a suitor is turned down without need", "suitor", func(after *refine.State, _ *refine.Output) {
			after.Slots = nil
		}, "FiguresKept"},
		{"the prospects of a suitor are wrong", "suitor", func(after *refine.State, _ *refine.Output) {
			after.Slots[0].Ceiling++
		}, "FiguresKept"},
		{"a reading is wrong", "measured", func(after *refine.State, _ *refine.Output) {
			after.Survey[0].Micros++
		}, "FiguresKept"},
		{"a round is not counted", "solicit", func(after *refine.State, _ *refine.Output) { after.Round++ }, "FiguresKept"},
	}
	for _, test := range tests {
		s := roundOfA(t)[test.step]
		s.out.Set, s.out.Send, s.out.Events = slices.Clone(s.out.Set), slices.Clone(s.out.Send), slices.Clone(s.out.Events)
		test.spoil(s.after, s.out)
		assert.Contains(t, brokenBy(s), test.rule, test.name)
	}
}

// A step that breaks a rule is remembered: the property of the rule is violated from then on.
func TestBrokenRulesAreRemembered(t *testing.T) {
	for i, r := range rules {
		h := history{}
		h.observe(0, pairing{diameter: diameter}, nil, []protocol.Event{{Name: contract.Event, Number: uint32(i)}})
		h = decodeHistory(h.encode())
		w := globalState[*View, refine.Message]{MonitorView: &h}
		for j, kept := range (oracle[*View, refine.Message]{2, 3}).contractKept() {
			assert.Equal(t, rules[j].Name, kept.Name)
			assert.Equal(t, i != j, kept.Holds(&w), r.Name)
		}
	}
}
