package model_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// scholar is a node with slices, which a function could change: its notes, in this order.
type scholar struct {
	Self  protocol.NodeID
	Heard []uint8
}

type homework struct{ Words []uint8 }

type seminar = model.System[scholar, homework, homework]

// attend is a step function that is right: a command is a homework for the other node.
func attend(s scholar, in protocol.Input[homework, homework]) (scholar, protocol.Output[homework]) {
	var out protocol.Output[homework]
	switch in.Kind {
	case protocol.Command:
		to := protocol.NodeID{Address: 1 - s.Self.Address, Incarnation: 1}
		out.Send = []protocol.Envelope[homework]{{From: s.Self, To: to, Message: homework{slices.Clone(in.Command.Words)}}}
	case protocol.Deliver:
		s.Heard = append(slices.Clip(s.Heard), in.Message.Words...)
		out.Events = []protocol.Event{{Name: "heard", Peer: s.Self}}
	}
	return s, out
}

// listener is a monitor that counts in bytes.
type listener struct {
	observe func(mon []byte) []byte
	view    func(mon []byte) any
}

func (listener) Initial() []byte       { return []byte{0} }
func (listener) Wants(string) bool     { return true }
func (h listener) View(mon []byte) any { return h.view(mon) }
func (h listener) Observe(mon []byte, _ int, _ scholar, _ []protocol.Event) []byte {
	return h.observe(mon)
}

func seminars() *seminar {
	lessons := [][]homework{{{[]uint8{3, 1}}, {[]uint8{2, 0}}}}
	node := func(i int) model.Node[scholar, homework] {
		return model.Node[scholar, homework]{
			Name: model.NodeName(i), Commands: lessons,
			State: scholar{Self: protocol.NodeID{Address: protocol.Address(i), Incarnation: 1}},
		}
	}
	type state = model.GlobalState[scholar, homework]
	return &seminar{
		Info: model.Info{Name: "test/seminar", Budget: model.Budget{Crash: 1}}, Core: model.Plain(attend),
		Nodes:    []model.Node[scholar, homework]{node(0), node(1)},
		Identity: func(s scholar) protocol.NodeID { return s.Self },
		Monitor: listener{
			func(mon []byte) []byte { return []byte{mon[0] + 1} }, func(mon []byte) any { return int(mon[0]) },
		},
		Properties: []model.Property[scholar, homework]{
			{
				Property: checker.Property{Name: "Short", Shape: checker.Always},
				Holds:    func(w *state) bool { return len(w.Slots[0].State.Heard) < 9 },
			},
			{
				Property: checker.Property{Name: "Hears", Shape: checker.LeadsTo},
				Holds:    func(w *state) bool { return len(w.Slots[1].State.Heard) > 0 || !w.Live(1) || !w.Live(0) },
				Triggers: func(w *state) bool { return true },
			},
		},
		QuiescentEnd: func(*state) bool { return true },
	}
}

// A function that changes what it is given, or gives another answer the next time, ends the check
// with an error that names it.
func TestBadFunctionsOfSystemsAreNamed(t *testing.T) {
	type state = model.GlobalState[scholar, homework]
	sorts := func(w *state) bool {
		for _, s := range w.Slots {
			slices.Sort(s.State.Heard)
		}
		return true
	}
	sortsOnce := func(w *state) bool { // in a single state of a node
		if h := w.Slots[1].State.Heard; slices.Equal(h, []uint8{3, 1, 2, 0}) {
			slices.Sort(h)
		}
		return true
	}
	calls := 0
	fickle := func(*state) bool { calls++; return calls%2 == 0 }
	for name, c := range map[string]struct {
		spoil func(*seminar)
		says  string
	}{
		"Holds changes": {func(s *seminar) { s.Properties[0].Holds = sorts },
			`Holds of property "Short" changes`},
		"Holds changes one": {func(s *seminar) { s.Properties[1].Holds = sortsOnce },
			`Holds of property "Hears" changes`},
		"Triggers changes": {func(s *seminar) { s.Properties[1].Triggers = sorts },
			`Triggers of property "Hears" changes`},
		"QuiescentEnd changes": {func(s *seminar) { s.QuiescentEnd = sortsOnce }, "QuiescentEnd changes"},
		"Crashable changes": {func(s *seminar) {
			s.Crashable = func(w *state, _ int) bool { return sorts(w) }
		}, "Crashable changes"},
		"a message is changed": {func(s *seminar) {
			s.Properties[0].Holds = func(w *state) bool {
				w.InFlight(func(e protocol.Envelope[homework]) { slices.Sort(e.Message.Words) })
				return true
			}
		}, `Holds of property "Short" changes`},
		"Identity changes": {func(s *seminar) {
			s.Identity = func(s scholar) protocol.NodeID { slices.Sort(s.Heard); return s.Self }
		}, "System.Identity changes the state"},
		"View changes": {func(s *seminar) {
			s.View = func(s scholar) any { slices.Sort(s.Heard); return nil }
		}, "System.View changes the state"},
		"Holds is fickle": {func(s *seminar) { s.Properties[0].Holds = fickle },
			`Holds of property "Short" gives another answer`},
		"QuiescentEnd is fickle": {func(s *seminar) { s.QuiescentEnd = fickle },
			"QuiescentEnd gives another answer"},
		"Crashable is fickle": {func(s *seminar) {
			s.Crashable = func(w *state, _ int) bool { return fickle(w) }
		}, "Crashable gives another answer"},
		"Step changes its message": {func(s *seminar) {
			s.Core = model.Plain(func(s scholar, in protocol.Input[homework, homework]) (scholar, protocol.Output[homework]) {
				slices.Sort(in.Message.Words)
				return attend(s, in)
			})
		}, "changes the message that Step is given"},
		"Step changes its command": {func(s *seminar) {
			s.Core = model.Plain(func(s scholar, in protocol.Input[homework, homework]) (scholar, protocol.Output[homework]) {
				slices.Sort(in.Command.Words)
				return attend(s, in)
			})
		}, "changes the command that Step is given"},
		"Step shares memory": {func(s *seminar) {
			for i := range s.Nodes {
				s.Nodes[i].State.Heard = make([]uint8, 0, 64)
			}
			s.Core = model.Plain(func(s scholar, in protocol.Input[homework, homework]) (scholar, protocol.Output[homework]) {
				listener := append(s.Heard, in.Message.Words...)
				s, out := attend(s, in)
				s.Heard = listener
				return s, out
			})
		}, "Step must not append to a slice of its state"},
		"Observe changes": {func(s *seminar) {
			s.Monitor = listener{func(mon []byte) []byte { mon[0]++; return mon }, func([]byte) any { return nil }}
		}, "Monitor.Observe changes the bytes"},
		"Observe is fickle": {func(s *seminar) {
			s.Monitor = listener{
				func([]byte) []byte { calls++; return []byte{byte(calls)} }, func([]byte) any { return nil },
			}
		}, "Monitor.Observe gives other bytes"},
		"the monitor's View changes": {func(s *seminar) {
			s.Monitor = listener{
				func(mon []byte) []byte { return []byte{mon[0] + 1} }, func(mon []byte) any { mon[0]++; return nil },
			}
		}, "Monitor.View changes the bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				if workers > 1 && testing.Short() {
					continue // data shared by these functions is a data race, which its detector reports itself
				}
				calls = 0
				s := seminars()
				c.spoil(s)
				m, err := s.Compile()
				require.NoError(t, err)
				_, err = checker.Check(t.Context(), m.Model(), checker.Options{Workers: workers, ContinueAfterViolation: true})
				var broken *checker.ContractError
				require.ErrorAs(t, err, &broken)
				require.ErrorContains(t, err, c.says)
			}
		})
	}
	m, err := seminars().Compile()
	require.NoError(t, err)
	r, err := checker.Check(t.Context(), m.Model(), checker.Options{})
	require.NoError(t, err)
	o, _ := r.Outcome("Short")
	assert.Equal(t, checker.Holds, o.Verdict, "the system is right: %v", r)
	assert.Equal(t, r.States, r.Audited)
}

// A function that panics is named, and not the one of the checker that called it.
func TestAPanicNamesTheFunction(t *testing.T) {
	type state = model.GlobalState[scholar, homework]
	for name, spoil := range map[string]func(*seminar){
		"Due":          func(s *seminar) { s.Due = func(*state, int, protocol.Timer) model.Due { panic("no") } },
		"Crashable":    func(s *seminar) { s.Crashable = func(*state, int) bool { panic("no") } },
		"QuiescentEnd": func(s *seminar) { s.QuiescentEnd = func(*state) bool { panic("no") } },
		"View": func(s *seminar) {
			s.View = func(s scholar) any { return s.Heard[:len(s.Heard)/2][0] } // fails at once
		},
		"Stopped": func(s *seminar) {
			s.Stopped = func(s scholar) bool {
				if len(s.Heard) > 2 {
					panic("no")
				}
				return false
			}
		},
		"Repeats": func(s *seminar) {
			s.Info.Budget.Repeat = true
			s.Repeats = func(homework) bool { panic("no") }
		},
		`Holds of property "Short"`:    func(s *seminar) { s.Properties[0].Holds = func(*state) bool { panic("no") } },
		`Triggers of property "Hears"`: func(s *seminar) { s.Properties[1].Triggers = func(*state) bool { panic("no") } },
		"Monitor.Observe":              func(s *seminar) { s.Monitor = listener{func([]byte) []byte { panic("no") }, nil} },
		"Step of the core": func(s *seminar) {
			s.Core = model.Plain(func(x scholar, in protocol.Input[homework, homework]) (scholar, protocol.Output[homework]) {
				if in.Kind == protocol.Deliver {
					panic("no")
				}
				return attend(x, in)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := seminars()
			for i := range s.Nodes {
				s.Nodes[i].Timers = []protocol.Timer{{Kind: 1}}
			}
			spoil(s)
			if name == "Monitor.Observe" {
				s.Monitor = listener{s.Monitor.(listener).observe, func([]byte) any { return nil }}
			}
			system, err := s.Compile()
			require.NoError(t, err)
			_, err = checker.Check(t.Context(), system.Model(), checker.Options{Workers: 1})
			var failed *checker.PanicError
			require.ErrorAs(t, err, &failed)
			require.Equal(t, name, failed.Function, "%v", err)
		})
	}
}

// A function that panics while a system is compiled is named, too.
func TestCompileNamesTheFunctionThatPanics(t *testing.T) {
	s := seminars()
	s.Identity = func(scholar) protocol.NodeID { panic("no") }
	_, err := s.Compile()
	require.ErrorIs(t, err, model.ErrSystem)
	require.ErrorContains(t, err, "Identity panicked: no")
}
