package can

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// joinOfB drives a join by hand: A creates the network, and B joins at A. It returns each step of
// either node under the name of its input.
func joinOfB(t *testing.T) map[string]*transition {
	t.Helper()
	s := scenario{layout: row2()}
	cfg := s.config()
	states := [2]can.State{can.New(0, at(4)), can.New(1, at(12))}
	taken := map[string]*transition{}
	step := func(name string, node int, in can.Input) {
		before := states[node]
		after, out := can.Step(&cfg, before, in)
		taken[name], states[node] = &transition{&cfg, &in, &before, &after, &out}, after
		require.Empty(t, brokenBy(taken[name]), name)
	}
	deliver := func(name string, from, to int, last string) {
		step(name, to, can.Input{
			Kind: protocol.Deliver, From: id(string(rune('A' + from))), Message: taken[last].out.Send[0].Message,
		})
	}
	for node := range states {
		step("start", node, can.Input{Kind: protocol.Start})
	}
	step("create", 0, can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandCreate}})
	step("join", 1, can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandJoin, Contact: id("A")}})
	deliver("request", 1, 0, "join")
	deliver("promise", 0, 1, "request")
	deliver("decide", 1, 0, "promise")
	deliver("execute", 0, 1, "decide")
	deliver("end", 1, 0, "execute")
	deliver("again", 1, 0, "execute")
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
		spoil      func(after *can.State, out *can.Output)
		rule       string
	}{
		{"a timer is not set", "request", func(_ *can.State, out *can.Output) { out.Set = out.Set[1:] }, "TimersKept"},
		{"a timer is not cancelled", "end", func(_ *can.State, out *can.Output) { out.Cancel = nil }, "TimersKept"},
		{"a timer is too short", "request", func(_ *can.State, out *can.Output) { out.Set[0].MinTicks-- }, "TimersKept"},
		{"a timer starts again", "request", func(_ *can.State, out *can.Output) {
			out.Set = append(out.Set, protocol.SetTimer{
				Timer: protocol.Timer{Kind: can.UpdateTimer}, MinTicks: 101, MaxTicks: 101,
			})
		}, "TimersKept"},
		{"a participant is there twice", "request", func(after *can.State, _ *can.Output) {
			after.Change.Later = after.Change.Waiting
		}, "ListsKept"},
		{"something is left of a round", "end", func(after *can.State, _ *can.Output) {
			after.Change.Subject = id("B")
		}, "ListsKept"},
		{"a node remembers itself as dead", "end", func(after *can.State, _ *can.Output) {
			after.Dead = []protocol.NodeID{after.Self.ID}
		}, "ListsKept"},
		{"a neighbour is forgotten", "execute", func(after *can.State, _ *can.Output) {
			after.Known[0].Zone = after.Self.Zone
			after.Dead = []protocol.NodeID{after.Known[0].ID}
		}, "ListsKept"},
		{"a round is not announced", "request", func(_ *can.State, out *can.Output) { out.Events = nil }, "EventsTrue"},
		{"an event is false", "execute", func(_ *can.State, out *can.Output) { out.Events[0].Number++ }, "EventsTrue"},
		{"an ignored input changes something", "again", func(after *can.State, _ *can.Output) {
			after.Leave = true
		}, "EventsTrue"},
		{"a message is not sent", "promise", func(_ *can.State, out *can.Output) { out.Send = nil }, "MessagesFit"},
		{"a message goes to its sender", "promise", func(after *can.State, out *can.Output) {
			out.Send[0].To = after.Self.ID
		}, "MessagesFit"},
		{"a message is of another round", "promise", func(_ *can.State, out *can.Output) {
			out.Send[0].Message = can.ProposeOK{Round: 7, Yes: true}
		}, "MessagesFit"},
		{"a message too many", "end", func(after *can.State, out *can.Output) {
			out.Send = append(out.Send, can.Envelope{From: after.Self.ID, To: id("B"), Message: can.Refuse{}})
		}, "MessagesFit"},
		{"a round is not decided", "decide", func(after *can.State, _ *can.Output) {
			after.Change.Stage = can.Proposing
		}, "AnswersCount"},
		{"a promise is forgotten", "promise", func(after *can.State, _ *can.Output) {
			after.Promise = can.Promise{}
		}, "AnswersCount"},
		{"a promise is kept", "execute", func(after *can.State, _ *can.Output) {
			after.Promise = can.Promise{Proposer: id("A"), Round: 1, Kind: can.Split, Subject: id("B")}
		}, "AnswersCount"},
		{"a round is not counted", "execute", func(after *can.State, _ *can.Output) { after.Self.Epoch-- }, "NoOldNews"},
		{"an outcome grants another zone", "execute", func(after *can.State, _ *can.Output) {
			after.Self.Zone.Low[0]--
			after.Self.Version++
		}, "NoOldNews"},
		{"a node is dead without a reason", "end", func(after *can.State, _ *can.Output) {
			after.Dead = []protocol.NodeID{id("C")}
		}, "NoOldNews"},
	}
	for _, test := range tests {
		s := joinOfB(t)[test.step]
		s.out.Set, s.out.Send, s.out.Events = slices.Clone(s.out.Set), slices.Clone(s.out.Send), slices.Clone(s.out.Events)
		test.spoil(s.after, s.out)
		assert.Contains(t, brokenBy(s), test.rule, test.name)
	}
}

// A step that breaks a rule is remembered: the property of the rule is violated from then on.
func TestBrokenRulesAreRemembered(t *testing.T) {
	for i, r := range rules {
		p := squareMap(t)
		p.past = *observe(step{node: "A", event: protocol.Event{Name: contract.Event, Number: uint32(i)}})
		for j, kept := range p.oracle.contractKept() {
			assert.Equal(t, rules[j].Name, kept.Name)
			assert.Equal(t, i != j, kept.Holds(p.state()), r.Name)
		}
	}
}
