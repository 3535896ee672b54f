package drive_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive"
)

type (
	input    = protocol.Input[string, string]
	output   = protocol.Output[string]
	envelope = protocol.Envelope[string]
)

// state is the state of a scripted core: its identity and the number of steps it took.
type state struct {
	ID    protocol.NodeID
	Steps int
}

// rig is a node whose core answers with the outputs that a test gives it, and its effects, which
// write down what they are asked for.
type rig struct {
	*drive.Node[state, string, string]
	outputs []output         // of the next steps
	inputs  []input          // that the core got
	log     []string         // the effects
	choice  uint32           // the answer to every question
	on      func(log string) // called for each effect; may be nil
}

var (
	made = state{ID: protocol.NodeID{Address: 0, Incarnation: 1}}
	a    = made.ID
	b    = protocol.NodeID{Address: 1, Incarnation: 1}
	t1   = protocol.Timer{Kind: 1}
	t2   = protocol.Timer{Kind: 2, Peer: b}
)

func newRig() *rig {
	r := &rig{}
	r.Node = drive.New(r.step, func(s state) protocol.NodeID { return s.ID }, drive.Effects[string](r))
	return r
}

// started returns a rig whose node runs, with an empty log, and that answers the next inputs with
// the outputs.
func started(outputs ...output) *rig {
	r := newRig()
	r.Start(made, nil)
	r.inputs, r.log, r.outputs = nil, nil, outputs
	return r
}

func (r *rig) step(s state, in input) (state, output) {
	r.inputs = append(r.inputs, in)
	s.Steps++
	if len(r.outputs) == 0 {
		return s, output{}
	}
	out := r.outputs[0]
	r.outputs = r.outputs[1:]
	return s, out
}

func (r *rig) note(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	r.log = append(r.log, line)
	if r.on != nil {
		r.on(line)
	}
}

func (r *rig) Persist(b []byte)           { r.note("persist %s", b) }
func (r *rig) Send(e envelope)            { r.note("send %v %s", e.To, e.Message) }
func (r *rig) Cancel(t protocol.Timer)    { r.note("cancel %d", t.Kind) }
func (r *rig) Set(t protocol.SetTimer)    { r.note("set %d %d-%d", t.Timer.Kind, t.MinTicks, t.MaxTicks) }
func (r *rig) Measure(id protocol.NodeID) { r.note("measure %v", id) }
func (r *rig) Event(e protocol.Event)     { r.note("event %v", e) }

func (r *rig) Choose(n uint32) uint32 {
	r.note("choose %d", n)
	return r.choice
}

func set(t protocol.Timer) protocol.SetTimer {
	return protocol.SetTimer{Timer: t, MinTicks: 3, MaxTicks: 5}
}

// full asks for each kind of effect.
var full = output{
	Persist: []byte("p"),
	Send:    []envelope{{From: a, To: b, Message: "m"}, {From: a, To: b, Message: "n"}},
	Cancel:  []protocol.Timer{t1},
	Set:     []protocol.SetTimer{set(t1), set(t2)},
	Measure: []protocol.NodeID{b},
	Choose:  4,
	Events:  []protocol.Event{{Name: "one"}, {Name: "two"}},
}

// Order: the effects of a step come in the order of the contract, and before those of the next
// step, which is the answer to its question.
func TestEffectsComeInOrder(t *testing.T) {
	r := started(full, output{Events: []protocol.Event{{Name: "chosen"}}})
	r.choice = 3
	require.True(t, r.Command("go"))
	assert.Equal(t, []string{
		"persist p", "send B m", "send B n", "cancel 1", "set 1 3-5", "set 2 3-5", "measure B", "choose 4",
		"event one", "event two", "event chosen",
	}, r.log)
	assert.Equal(t, []input{{Kind: protocol.Command, Command: "go"}, {Kind: protocol.Chosen, Choice: 3}}, r.inputs)
	assert.Equal(t, 3, r.State().Steps)
}

// Persist: nil bytes mean that nothing changed, and empty bytes are bytes.
func TestNilIsNotPersisted(t *testing.T) {
	r := started(output{}, output{Persist: []byte{}})
	r.Command("nothing")
	assert.Empty(t, r.log)
	r.Command("empty")
	assert.Equal(t, []string{"persist "}, r.log)
}

// DurableFirst: when the bytes cannot be made durable, the incarnation ends and nothing else
// happens.
func TestNothingIsSentThatIsNotDurable(t *testing.T) {
	r := started(full)
	r.on = func(string) { r.Stop() }
	r.Command("go")
	assert.Equal(t, []string{"persist p"}, r.log)
	assert.Empty(t, r.Pending())
	assert.Empty(t, r.Measuring())
	assert.Len(t, r.inputs, 1)
}

// An incarnation may end at any effect: those before it happened, and those after it did not.
func TestStopEndsTheOutput(t *testing.T) {
	whole := started(full)
	whole.Command("go")
	for last := range whole.log {
		r := started(full)
		r.on = func(line string) {
			if line == whole.log[last] {
				r.Stop()
			}
		}
		r.Command("go")
		assert.Equal(t, whole.log[:last+1], r.log)
		assert.False(t, r.Running())
	}
}

// OneAtATime: an effect cannot feed the node.
func TestEffectsCannotFeedTheNode(t *testing.T) {
	for name, feed := range map[string]func(r *rig){
		"command":  func(r *rig) { r.Command("again") },
		"deliver":  func(r *rig) { r.Deliver(envelope{From: b, To: a}) },
		"fire":     func(r *rig) { r.Fire(t2) },
		"measured": func(r *rig) { r.Measured(b, 1) },
		"resume":   func(r *rig) { r.Resume(made, nil) },
		"restart": func(r *rig) {
			r.Stop()
			r.Start(made, nil)
		},
	} {
		r := started(full)
		r.on = func(line string) {
			if line == "event one" {
				feed(r)
			}
		}
		assert.Panics(t, func() { r.Command("go") }, name)
	}
}

// PendingOnly: a timer that was not set does not fire, and a timer that was set fires once.
func TestTimerFiresOnce(t *testing.T) {
	r := started(output{Set: []protocol.SetTimer{set(t1), set(t2)}})
	assert.False(t, r.Fire(t1))
	r.Command("set")
	assert.Equal(t, []protocol.Timer{t1, t2}, r.Pending())
	assert.False(t, r.Fire(protocol.Timer{Kind: 2}), "a timer of another peer")
	assert.True(t, r.Fire(t1))
	assert.False(t, r.Fire(t1))
	assert.Equal(t, []protocol.Timer{t2}, r.Pending())
	assert.Equal(t, input{Kind: protocol.Timeout, Timer: t1}, r.inputs[1])
	assert.Len(t, r.inputs, 2)
}

// A timer that fires is pending no more: the step that it causes may set it again.
func TestTimerIsSetAgainByItsOwnStep(t *testing.T) {
	again := output{Set: []protocol.SetTimer{set(t1)}}
	r := started(again, again)
	r.Command("set")
	require.True(t, r.Fire(t1))
	assert.Equal(t, []protocol.Timer{t1}, r.Pending())
	assert.True(t, r.Fire(t1))
	assert.Empty(t, r.Pending())
}

// A timer that is cancelled does not fire. Cancel comes before Set: a timer in both is pending.
func TestCancelComesBeforeSet(t *testing.T) {
	both := output{Cancel: []protocol.Timer{t1, t2}, Set: []protocol.SetTimer{set(t1)}}
	r := started(output{Set: []protocol.SetTimer{set(t1), set(t2)}}, both)
	r.Command("set")
	r.Command("cancel both, set one")
	assert.Equal(t, []protocol.Timer{t1}, r.Pending())
	assert.False(t, r.Fire(t2))
}

// Setting a pending timer starts it afresh: one timer of a name is pending, and the environment is
// notified of each start.
func TestSettingAgainStartsAfresh(t *testing.T) {
	one := output{Set: []protocol.SetTimer{set(t1)}}
	r := started(one, one)
	r.Command("set")
	r.Command("set again")
	assert.Equal(t, []string{"set 1 3-5", "set 1 3-5"}, r.log)
	assert.Equal(t, []protocol.Timer{t1}, r.Pending())
}

// AskedOnly: each request to measure is answered at most once, and a new one replaces the one under
// way.
func TestMeasurementIsAnsweredOnce(t *testing.T) {
	ask := output{Measure: []protocol.NodeID{b}}
	r := started(ask, ask)
	assert.False(t, r.Measured(b, 10))
	r.Command("measure")
	r.Command("measure again")
	assert.Equal(t, []string{"measure B", "measure B"}, r.log)
	assert.Equal(t, []protocol.NodeID{b}, r.Measuring())
	assert.True(t, r.Measured(b, 10))
	assert.False(t, r.Measured(b, 10))
	assert.Equal(t, input{Kind: protocol.Measured, From: b, Measure: 10}, r.inputs[2])
}

// ChosenFirst: a question within the answer to a question is answered, too, and a choice is below
// its bound.
func TestChoices(t *testing.T) {
	r := started(output{Choose: 2}, output{Choose: 3}, output{})
	r.choice = 1
	r.Command("go")
	assert.Equal(t, []string{"choose 2", "choose 3"}, r.log)
	assert.Len(t, r.inputs, 3)

	r = started(output{Choose: 2})
	r.choice = 2
	assert.Panics(t, func() { r.Command("go") })
}

// ThisIncarnation: an envelope for an earlier incarnation, a later one or another address is
// dropped.
func TestDeliveryIsToThisIncarnation(t *testing.T) {
	r := started()
	for _, to := range []protocol.NodeID{{}, {Address: 0}, {Address: 0, Incarnation: 2}, b} {
		assert.False(t, r.Deliver(envelope{From: b, To: to, Message: "m"}), to)
	}
	assert.Empty(t, r.inputs)
	assert.True(t, r.Deliver(envelope{From: b, To: a, Message: "m"}))
	assert.Equal(t, []input{{Kind: protocol.Deliver, From: b, Message: "m"}}, r.inputs)
}

// FreshLife: a later incarnation starts with the state that the process was made with and the
// persisted bytes. Nothing of the last one is pending in it.
func TestRestart(t *testing.T) {
	r := newRig()
	assert.False(t, r.Running())
	require.True(t, r.Start(made, nil))
	assert.False(t, r.Start(made, nil), "it runs")
	r.outputs = []output{{Set: []protocol.SetTimer{set(t1)}, Measure: []protocol.NodeID{b}}}
	r.Command("go")
	assert.Equal(t, 2, r.State().Steps)

	r.Stop()
	assert.False(t, r.Running())
	assert.Equal(t, 2, r.State().Steps, "the last state can be read")
	assert.False(t, r.Fire(t1))
	assert.False(t, r.Measured(b, 1))
	assert.False(t, r.Command("go"))
	assert.False(t, r.Deliver(envelope{From: b, To: a}))

	r.inputs = nil
	require.True(t, r.Start(made, []byte("p")))
	assert.Equal(t, []input{{Kind: protocol.Restart, Persisted: []byte("p")}}, r.inputs)
	assert.Equal(t, 1, r.State().Steps)
	assert.False(t, r.Fire(t1))
	assert.False(t, r.Measured(b, 1))
}

// A node can be put into the middle of an incarnation. Nothing is pending but the timers that come
// with it.
func TestResume(t *testing.T) {
	r := started(output{Set: []protocol.SetTimer{set(t2)}, Measure: []protocol.NodeID{b}})
	r.Command("go")
	r.inputs = nil
	r.Resume(state{ID: b, Steps: 7}, []protocol.Timer{t1})
	assert.Empty(t, r.inputs)
	assert.Equal(t, b, r.ID())
	assert.False(t, r.Measured(b, 1))
	assert.False(t, r.Fire(t2))
	assert.True(t, r.Fire(t1))
	assert.Equal(t, 8, r.State().Steps)
}

// Lists that a node returns belong to the caller: a change of them does not reach the node.
func TestListsAreCopies(t *testing.T) {
	timers := []protocol.Timer{t1}
	r := newRig()
	r.Resume(made, timers)
	timers[0] = t2
	r.Pending()[0] = t2
	r.outputs = []output{{Measure: []protocol.NodeID{b}}}
	r.Command("measure")
	r.Measuring()[0] = a
	assert.Equal(t, []protocol.Timer{t1}, r.Pending())
	assert.Equal(t, []protocol.NodeID{b}, r.Measuring())
}
