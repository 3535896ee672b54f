package peer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// quiet carries out nothing.
type quiet struct{}

func (quiet) Persist([]byte)          {}
func (quiet) Send(Envelope)           {}
func (quiet) Cancel(protocol.Timer)   {}
func (quiet) Set(protocol.SetTimer)   {}
func (quiet) Measure(protocol.NodeID) {}
func (quiet) Choose(uint32) uint32    { return 0 }
func (quiet) Event(protocol.Event)    {}

// pending returns the timers that are pending after a driver has obeyed an output. One was pending
// before.
func pending(out Output, before protocol.Timer) []protocol.Timer {
	step := func(s State, _ Input) (State, Output) { return s, out }
	n := drive.New[State, Message, Command](step, func(s State) protocol.NodeID { return s.ID() }, quiet{})
	n.Resume(State{}, []protocol.Timer{before})
	n.Command(Command{})
	return n.Pending()
}

// A layer may run twice in a step. Its last wish holds.
func TestTheLastRunOfALayerDecidesItsTimers(t *testing.T) {
	timer := protocol.Timer{Kind: can.RetryTimer}
	other := protocol.Timer{Kind: kindOf(TaskLayer, reptask.ResendTimer)}
	set := protocol.Output[can.Message]{Set: []protocol.SetTimer{{Timer: timer, MinTicks: 1, MaxTicks: 2}}}
	longer := protocol.Output[can.Message]{Set: []protocol.SetTimer{{Timer: timer, MinTicks: 3, MaxTicks: 4}}}
	cancel := protocol.Output[can.Message]{Cancel: []protocol.Timer{timer}}
	tests := []struct {
		name string
		runs []protocol.Output[can.Message]
		want []protocol.Timer
	}{
		{"set", []protocol.Output[can.Message]{set}, []protocol.Timer{other, timer}},
		{"set, then cancelled", []protocol.Output[can.Message]{set, cancel}, []protocol.Timer{other}},
		{"cancelled, then set", []protocol.Output[can.Message]{cancel, set}, []protocol.Timer{other, timer}},
		{"set, cancelled, set", []protocol.Output[can.Message]{set, cancel, set}, []protocol.Timer{other, timer}},
		{"cancelled, set, cancelled", []protocol.Output[can.Message]{cancel, set, cancel}, []protocol.Timer{other}},
	}
	for _, test := range tests {
		n := node{}
		for _, run := range test.runs {
			obey(&n, CanLayer, run, func(m can.Message) Message { return CanMessage{m} })
		}
		require.Equal(t, test.want, pending(n.Out, other), test.name)
	}
	n := node{}
	n.set(protocol.SetTimer{Timer: other, MinTicks: 5, MaxTicks: 5})
	obey(&n, CanLayer, cancel, func(m can.Message) Message { return CanMessage{m} })
	require.Equal(t, []protocol.Timer{other}, pending(n.Out, timer), "one layer cancels no timer of another")
	n = node{}
	for _, run := range []protocol.Output[can.Message]{set, longer} {
		obey(&n, CanLayer, run, func(m can.Message) Message { return CanMessage{m} })
	}
	require.Equal(t, longer.Set, n.Out.Set, "the range of the last run holds")
}

// No run of a layer loses an effect of another.
func TestEffectsOfAllLayersAreKept(t *testing.T) {
	b, c := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 1}
	n := node{}
	wrap := func(m can.Message) Message { return CanMessage{m} }
	obey(&n, RefineLayer, protocol.Output[can.Message]{
		Persist: []byte{7}, Measure: []protocol.NodeID{b}, Choose: 2,
		Send: []protocol.Envelope[can.Message]{{From: b, To: c}}, Events: []protocol.Event{{Name: "x", Peer: b}},
	}, wrap)
	obey(&n, TaskLayer, protocol.Output[can.Message]{
		Persist: []byte{8, 9}, Send: []protocol.Envelope[can.Message]{{From: c, To: b}},
		Events: []protocol.Event{{Name: "x", Number: 1}},
	}, wrap)
	obey(&n, RefineLayer, protocol.Output[can.Message]{Measure: []protocol.NodeID{c}}, wrap)
	require.Equal(t, Output{
		Persist: []byte{1, 7, 2, 8, 9}, Measure: []protocol.NodeID{b, c}, Choose: 2,
		Send:   []Envelope{{From: b, To: c, Message: CanMessage{}}, {From: c, To: b, Message: CanMessage{}}},
		Events: []protocol.Event{{Name: "refine:x", Peer: b}, {Name: "tasks:x", Number: 1}},
	}, n.Out)
}

func TestRunTimerIsThatOfTheTasks(t *testing.T) {
	of, timer := LayerOf(RunTimer())
	require.Equal(t, TaskLayer, of)
	require.Equal(t, protocol.Timer{Kind: reptask.RunTimer}, timer)
}

// lone returns a configuration and the only node of a grid.
func lone(t *testing.T) (*Config, State) {
	t.Helper()
	sp, err := space.New(0, 8)
	require.NoError(t, err)
	cfg := DefaultConfig(sp, 2, 2, 100)
	s, _ := Step(&cfg, New(0, space.Point{2}), Input{Kind: protocol.Start})
	s, _ = Step(&cfg, s, Input{Kind: protocol.Command, Command: Command{Kind: CommandCreate}})
	return &cfg, s
}

// A restart uses all persisted bytes, or nothing.
func TestRestartRefusesWhatItDidNotPersist(t *testing.T) {
	cfg, _ := lone(t)
	made := New(0, space.Point{2})
	_, out := Step(cfg, made, Input{Kind: protocol.Start})
	again, _ := Step(cfg, made, Input{Kind: protocol.Restart, Persisted: out.Persist})
	require.EqualValues(t, 2, again.ID().Incarnation)
	for _, wrong := range [][]byte{nil, out.Persist[:len(out.Persist)-1], append(out.Persist, 0)} {
		again, out := Step(cfg, made, Input{Kind: protocol.Restart, Persisted: wrong})
		require.Zero(t, again.ID().Incarnation)
		require.Equal(t, EventIgnore, out.Events[0].Name)
	}
}

// A job that cannot be passed on ends with an event.
func TestJobsEndWithAnEvent(t *testing.T) {
	cfg, s := lone(t)
	submit := Input{Kind: protocol.Command, Command: Command{
		Kind: CommandSubmit, Ticket: 5, Submitted: 1, Spec: reptask.Spec{Size: 1, Requirement: space.Point{6}},
	}}
	lost := func(s State) []protocol.Event {
		after, out := Step(cfg, s, submit)
		require.Empty(t, after.Tasks.Owned)
		var all []protocol.Event
		for _, e := range out.Events {
			if e.Name == EventLost {
				all = append(all, e)
			}
		}
		return all
	}
	event := func(detail string) []protocol.Event {
		return []protocol.Event{{Name: EventLost, Peer: s.ID(), Number: 5, Detail: detail}}
	}
	leaving := s
	leaving.Leaving = true
	require.Equal(t, event("nobody to hand it to"), lost(leaving))
	small := s
	small.Can.Self.Zone.High[0] = 4
	require.Equal(t, event("no neighbour is nearer"), lost(small))
	for _, phase := range []can.Phase{can.Outside, can.Joining, can.Leaving, can.Departed} {
		outside := s
		outside.Can.Phase = phase
		require.Equal(t, event(DetailOutside), lost(outside))
	}
}

// A node that waits until it can leave asks again when its timer fires, and not at every input.
func TestTheMapIsAskedOnceToLetANodeGo(t *testing.T) {
	cfg, s := lone(t)
	s.Leaving, s.Tasks.Leaving, s.Can.Leave = true, true, true
	_, out := Step(cfg, s, Input{Kind: protocol.Deliver, From: s.ID(), Message: Owned{Ticket: 1}})
	require.Equal(t, []protocol.Event{{Name: EventOwned, Peer: s.ID(), Number: 1}}, out.Events)
}
