package model_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// borrower asks a lender for a lock, and gives it back when its timer fires.
type borrower struct {
	Self  protocol.NodeID
	Holds bool
	Lent  bool // the lender
}

func borrow(s borrower, in protocol.Input[string, bool]) (borrower, protocol.Output[string]) {
	var out protocol.Output[string]
	send := func(text string) {
		to := protocol.NodeID{Address: 1 - s.Self.Address, Incarnation: 1}
		out.Send = []protocol.Envelope[string]{{From: s.Self, To: to, Message: text}}
	}
	switch {
	case in.Kind == protocol.Command:
		send("ask")
	case in.Kind == protocol.Deliver && in.Message == "ask":
		s.Lent = true
		send("grant")
	case in.Kind == protocol.Deliver && in.Message == "grant":
		s.Holds = true
		out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: 1}, MinTicks: 1, MaxTicks: 1}}
	case in.Kind == protocol.Timeout:
		s.Holds = false
		send("back")
	case in.Kind == protocol.Deliver:
		s.Lent = false
	}
	return s, out
}

func borrowing(t *testing.T, optional ...string) model.Checkable {
	t.Helper()
	type state = model.GlobalState[borrower, string]
	id := func(i protocol.Address) protocol.NodeID { return protocol.NodeID{Address: i, Incarnation: 1} }
	m, err := (&model.System[borrower, string, bool]{
		Info:     model.Info{Name: "borrowing"},
		Core:     model.Plain(borrow),
		Identity: func(s borrower) protocol.NodeID { return s.Self },
		Nodes: []model.Node[borrower, bool]{
			{Name: "A", State: borrower{Self: id(0)}, Commands: [][]bool{{true, true}}},
			{Name: "B", State: borrower{Self: id(1)}},
		},
		Optional:     optional,
		Confluent:    func(*state, protocol.Envelope[string]) bool { return true },
		QuiescentEnd: func(g *state) bool { return !g.Slots[1].State.Lent },
		Properties: []model.Property[borrower, string]{{
			Property: checker.Property{Name: "returned", Doc: "a lent lock is free again", Shape: checker.LeadsTo},
			Triggers: func(g *state) bool { return g.Slots[1].State.Lent },
			Holds:    func(g *state) bool { return !g.Slots[1].State.Lent },
		}, {
			Property: checker.Property{Name: "free when quiescent", Shape: checker.Quiescent},
			Holds:    func(g *state) bool { return !g.Slots[1].State.Lent },
		}},
	}).Compile()
	require.NoError(t, err)
	return m
}

// An action that nothing forces lets a run stop before it, and nothing else changes: neither the
// states nor the quiescent ends and deadlocks. A delivery that nothing forces is not taken first.
func TestARunStopsBeforeAnOptionalAction(t *testing.T) {
	for optional, steps := range map[string]int{
		"": -1, "timeout": 3, "timeout@A": 3, "timeout@B": -1, "deliver@A": 2, "deliver@B": 4, "deliver": 2, "chosen": -1,
	} {
		var reports []*checker.Report
		for _, reduce := range []bool{false, true} {
			system := borrowing(t, strings.Fields(optional)...)
			r, err := checker.Check(context.Background(), system.Model(),
				checker.Options{ContinueAfterViolation: true, Reduce: reduce})
			require.NoError(t, err)
			reports = append(reports, r)
			returned, _ := r.Outcome("returned")
			quiet, _ := r.Outcome("free when quiescent")
			dead, _ := r.Outcome(checker.Deadlock)
			assert.Equal(t, checker.Holds, quiet.Verdict)
			assert.Equal(t, checker.Holds, dead.Verdict)
			assert.Empty(t, returned.Forced, "every class has a mark")
			if steps < 0 {
				assert.Equal(t, checker.Holds, returned.Verdict, optional)
				continue
			}
			require.Equal(t, checker.Violated, returned.Verdict, optional)
			assert.Equal(t, -1, returned.Path.Loop)
			assert.Len(t, returned.Path.Steps, steps+1, optional)
			requireStops(t, system, returned)
		}
		plain, _ := checker.Check(context.Background(), borrowing(t).Model(), checker.Options{ContinueAfterViolation: true})
		assert.Equal(t, plain.States, reports[0].States)
		assert.Equal(t, plain.ClassCounts, reports[0].ClassCounts)
	}
}

// requireStops requires that the counterexample is written, read and replayed, and says that the
// run stops; and that it does not replay on a system where the action is forced.
func requireStops(t *testing.T, system model.Checkable, o checker.Outcome) {
	t.Helper()
	trace, err := model.Trace(system, o)
	require.NoError(t, err)
	var file strings.Builder
	require.NoError(t, traces.Write(&file, trace))
	read, err := traces.Read(strings.NewReader(file.String()))
	require.NoError(t, err)
	require.NoError(t, traces.Replay(system.Machine(), read, nil))
	err = traces.Replay(borrowing(t).Machine(), read, nil)
	require.ErrorIs(t, err, traces.ErrStale)
	assert.ErrorContains(t, err, "the run does not end there")
	for _, write := range []func(*strings.Builder) error{
		func(b *strings.Builder) error { return traces.WriteText(b, read) },
		func(b *strings.Builder) error { return traces.WriteStory(b, read, traces.Page{}) },
		func(b *strings.Builder) error { return traces.WriteHTML(b, read, traces.Page{}) },
		func(b *strings.Builder) error { return traces.WriteMermaid(b, read) },
	} {
		var b strings.Builder
		require.NoError(t, write(&b))
		assert.Contains(t, b.String(), "the run stops")
	}
}
