package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// named is a node whose state is its identity.
type named struct{ Self protocol.NodeID }

type (
	namedInput  = protocol.Input[string, string]
	namedOutput = protocol.Output[string]
)

// namedSystem has two nodes, one of which may fail and come back.
func namedSystem(step func(named, namedInput) (named, namedOutput)) *model.System[named, string, string] {
	return &model.System[named, string, string]{
		Info: model.Info{Name: "named", Budget: model.Budget{Crash: 1, Restart: 1}}, Core: model.Plain(step),
		Nodes:        []model.Node[named, string]{{Name: "A"}, {Name: "B", State: named{protocol.NodeID{Address: 1}}}},
		Identity:     func(s named) protocol.NodeID { return s.Self },
		QuiescentEnd: func(*model.GlobalState[named, string]) bool { return true },
	}
}

// begin makes a new incarnation when one of the kinds comes in.
func begin(kinds ...protocol.InputKind) func(named, namedInput) (named, namedOutput) {
	return func(s named, in namedInput) (named, namedOutput) {
		for _, kind := range kinds {
			if in.Kind == kind {
				s.Self.Incarnation++
			}
		}
		return s, namedOutput{}
	}
}

// A later incarnation begins with the state that the node was made with, which has its address.
func TestALaterLifeKnowsItsPlace(t *testing.T) {
	c, err := namedSystem(begin(protocol.Start, protocol.Restart)).Compile()
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), c.Model(), checker.Options{})
	require.NoError(t, err)
	assert.Equal(t, checker.Holds, r.Verdict())
	assert.Equal(t, uint64(5), r.States, "both up; either down; either back")
}

// A node that comes back with another identity, or without one, would silently be taken for another
// node.
func TestNodesAreWhoTheyAre(t *testing.T) {
	s := namedSystem(begin(protocol.Start))
	s.Nodes[1].State.Self.Address = 0
	_, err := s.Compile()
	require.ErrorIs(t, err, model.ErrSystem)
	require.ErrorContains(
		t,
		err,
		"after an input of kind start node 1 (B) has the address 0 in its identity; it must be its index in Nodes",
	)

	s = namedSystem(begin(protocol.Start))
	s.Nodes[1].Name = "A"
	_, err = s.Compile()
	require.ErrorContains(t, err, `two nodes are named "A"`)

	moves := func(s named, in namedInput) (named, namedOutput) {
		if in.Kind == protocol.Restart {
			return named{protocol.NodeID{Incarnation: 2}}, namedOutput{}
		}
		return begin(protocol.Start)(s, in)
	}
	for says, step := range map[string]func(named, namedInput) (named, namedOutput){
		"(A) has the incarnation 0, and had 1 in its first life":                      begin(protocol.Start),
		"node 1 (B) has the address 0 in its identity; it must be its index in Nodes": moves,
	} {
		c, err := namedSystem(step).Compile()
		require.NoError(t, err)
		_, err = checker.Check(context.Background(), c.Model(), checker.Options{})
		var broken *checker.PanicError
		require.ErrorAs(t, err, &broken)
		require.ErrorContains(t, err, "model named: after an input of kind restart node")
		require.ErrorContains(t, err, says)
	}
}

// A system need not use incarnations.
func TestNodesWithoutIncarnations(t *testing.T) {
	c, err := namedSystem(begin()).Compile()
	require.NoError(t, err)
	assert.Equal(t, uint64(5), check(t, c.Model(), everything(1)).States)
}

// A started node has an incarnation; a message without one would silently reach no node.
func TestMessagesAreForSomebody(t *testing.T) {
	s := namedSystem(func(s named, in namedInput) (named, namedOutput) {
		s, out := begin(protocol.Start)(s, in)
		if in.Kind == protocol.Command {
			out.Send = []protocol.Envelope[string]{{From: s.Self, To: protocol.NodeID{Address: 1}}}
		}
		return s, out
	})
	s.Info.Budget, s.Nodes[0].Commands = model.Budget{}, [][]string{{"send"}}
	c, err := s.Compile()
	require.NoError(t, err)
	_, err = checker.Check(context.Background(), c.Model(), checker.Options{})
	require.ErrorContains(
		t,
		err,
		"node 0 (A) sends to incarnation 0 of B, which does not exist; its first is 1",
	)
}

// Who never takes an incarnation gets no mail that is for the first.
func TestMailForNobodyYetIsTold(t *testing.T) {
	s := namedSystem(func(s named, in namedInput) (named, namedOutput) {
		var out namedOutput
		if in.Kind == protocol.Command {
			out.Send = append(out.Send, protocol.Envelope[string]{From: s.Self, To: protocol.NodeID{Address: 1, Incarnation: 1}})
		}
		return s, out
	})
	s.Nodes[0].State.Self.Incarnation = 1
	s.Nodes[0].Commands = [][]string{{"send"}}
	_, err := checker.Check(context.Background(), wished(t, s), checker.Options{})
	require.ErrorContains(
		t,
		err,
		"node 0 (A) sends to B, and there has been no such incarnation: "+
			"the receiver is B with the incarnation 0, which a core sets to 1 when it starts",
	)
}

// Messages are not forged, and not sent to nowhere.
func TestMessagesAreTheirSenders(t *testing.T) {
	self, other := protocol.NodeID{Address: 1}, protocol.NodeID{}
	missing := protocol.NodeID{Address: 2, Incarnation: 7}
	first := protocol.NodeID{Address: 2}
	forged := protocol.NodeID{Incarnation: 3}
	for says, e := range map[string]protocol.Envelope[string]{
		"node 1 (B) sends a message without a sender: Envelope.From is empty": {From: other, To: other},
		"node 1 (B) sends in the name of A.3":                                 {From: forged, To: other},
		"node 1 (B) sends to C.0, where no node is":                           {From: self, To: first},
		"node 1 (B) sends to C.7, where no node is":                           {From: self, To: missing},
	} {
		s := namedSystem(func(s named, in namedInput) (named, namedOutput) {
			var out namedOutput
			if in.Kind == protocol.Command {
				out.Send = append(out.Send, e)
			}
			return s, out
		})
		s.Nodes[1].Commands = [][]string{{"send"}}
		c, err := s.Compile()
		require.NoError(t, err)
		_, err = checker.Check(context.Background(), c.Model(), checker.Options{})
		require.ErrorContains(t, err, says)
	}
}

// The check reports a step with an output that no driver can carry out.
func TestImpossibleWishes(t *testing.T) {
	for says, out := range map[string]namedOutput{
		"after an input of kind command it asks for a choice among 1073741824; at most 65536 are possible": {Choose: 1 << 30},
		"it sets a timer of kind 3 that fires after 9 ticks at least and 8 at most": {
			Set: []protocol.SetTimer{{Timer: protocol.Timer{Kind: 3}, MinTicks: 9, MaxTicks: 8}},
		},
	} {
		step := func(s named, in namedInput) (named, namedOutput) {
			if in.Kind == protocol.Command {
				return s, out
			}
			return s, namedOutput{}
		}
		s := namedSystem(step)
		s.Nodes[1].Commands = [][]string{{"wish"}}
		_, err := checker.Check(context.Background(), wished(t, s), checker.Options{})
		require.ErrorContains(t, err, says)
		s.Nodes[1].Commands, s.Prelude = nil, []model.PreludeCommand[string]{{Node: 1, Command: "wish"}}
		_, err = checker.Check(context.Background(), wished(t, s), checker.Options{})
		require.ErrorContains(t, err, says)
	}
	s := namedSystem(func(s named, in namedInput) (named, namedOutput) {
		return s, namedOutput{Set: []protocol.SetTimer{{Timer: protocol.Timer{Kind: 3}}}}
	})
	s.Due = func(*model.GlobalState[named, string], int, protocol.Timer) model.Due { return 77 }
	_, err := checker.Check(context.Background(), wished(t, s), checker.Options{})
	require.ErrorContains(t, err, "Due returns 77 for a timer of node 0 (A)")
}

type (
	countsInput  = protocol.Input[string, string]
	countsOutput = protocol.Output[string]
	countsStep   = func(s counts, in countsInput) (counts, countsOutput)
)

// counts is a node that counts the commands that it gets, in a slice.
type counts struct {
	Self protocol.NodeID
	Told []int
}

// A Step that is no function, or changes what it is given, would have a check leave states out
// without a word.
func TestStepMustBeAFunction(t *testing.T) {
	calls := 0
	changes := func(s counts, in countsInput) (counts, countsOutput) {
		if in.Kind == protocol.Command {
			s.Told[0]++
		}
		return s, countsOutput{}
	}
	differs := func(s counts, in countsInput) (counts, countsOutput) {
		if calls++; in.Kind == protocol.Command {
			s.Told = []int{calls}
		}
		return s, countsOutput{}
	}
	for says, step := range map[string]countsStep{
		"(A): an input of kind command changes the state that Step is given": changes,
		"(A): an input of kind command gives another result the second time": differs,
	} {
		c, err := (&model.System[counts, string, string]{
			Info: model.Info{Name: "counts"}, Core: model.Plain(step),
			Identity: func(s counts) protocol.NodeID { return s.Self },
			Nodes:    []model.Node[counts, string]{{Name: "A", State: counts{Told: []int{0}}, Commands: [][]string{{"one"}}}},
		}).Compile()
		require.NoError(t, err)
		_, err = checker.Check(context.Background(), c.Model(), checker.Options{})
		require.ErrorContains(t, err, says)
	}
}

func wished(t *testing.T, s *model.System[named, string, string]) checker.Model {
	t.Helper()
	c, err := s.Compile()
	require.NoError(t, err)
	return c.Model()
}

// beats counts what is announced, to 2.
type beats struct{}

func (beats) Initial() []byte         { return []byte{0} }
func (beats) View(m []byte) any       { return m[0] }
func (beats) Wants(event string) bool { return event == "beat" }

func (beats) Observe(m []byte, _ int, _ named, _ []protocol.Event) []byte {
	return []byte{min(m[0]+1, 2)}
}

// A timer that only shows an event to the monitor makes a difference.
func TestToTellTheMonitorIsUseful(t *testing.T) {
	for _, due := range []model.Due{model.Now, model.Useful} {
		s := namedSystem(func(s named, in namedInput) (named, namedOutput) {
			s, out := begin(protocol.Start)(s, in)
			out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 1}}}
			if in.Kind == protocol.Timeout {
				out.Events = []protocol.Event{{Name: "beat"}}
			}
			return s, out
		})
		s.Info.Budget, s.Monitor = model.Budget{}, beats{}
		s.Due = func(*model.GlobalState[named, string], int, protocol.Timer) model.Due { return due }
		s.Properties = []model.Property[named, string]{{
			Property: checker.Property{Name: "NeverTwoBeats", Shape: checker.Always},
			Holds:    func(w *model.GlobalState[named, string]) bool { return w.MonitorView.(byte) < 2 },
		}}
		c, err := s.Compile()
		require.NoError(t, err)
		r := check(t, c.Model(), everything(1))
		assert.Equal(t, checker.Violated, r.Outcomes[0].Verdict, "due %d", due)
	}
}

// The report says why a budget rules out confluence.
func TestConfluenceUnderFaultsIsDeclined(t *testing.T) {
	for _, b := range []model.Budget{{}, {Drop: 1}} {
		s := namedSystem(begin(protocol.Start))
		s.Info.Budget = b
		s.Confluent = func(*model.GlobalState[named, string], protocol.Envelope[string]) bool { return true }
		c, err := s.Compile()
		require.NoError(t, err)
		r := check(t, c.Model(), checker.Options{Reduce: true})
		if b.Drop == 0 {
			assert.Equal(t, []string{"confluence"}, r.Reductions)
			assert.Empty(t, r.Declined)
			continue
		}
		assert.Empty(t, r.Reductions)
		require.Len(t, r.Declined, 1)
		assert.Contains(t, r.Declined[0], "confluence: under this budget (drop 1)")
	}
}
