package driver_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

// wide is a core that keeps all of an input, and can be recorded.
type wide struct{ scripted }

func (wide) Step(s []string, in protocol.Input[string, protocol.Output[string]]) ([]string, protocol.Output[string]) {
	told := fmt.Sprint(in.Kind, " ", in.From, " ", in.Message, in.Timer.Kind, " ", in.Measure, " ", in.Choice)
	return append(s[:len(s):len(s)], told), in.Command
}

func (wide) AppendState(dst []byte, s []string) []byte { return fmt.Append(dst, len(s)) }

func (wide) AppendCommand(dst []byte, c protocol.Output[string]) []byte {
	return fmt.Append(dst, len(c.Send), len(c.Events))
}

// machineOfAll writes down all that a loop asks for.
type machineOfAll struct{ machine }

func (m *machineOfAll) Commit(writes []driver.Write) error {
	if len(writes) == 0 {
		m.note("commit nothing")
	}
	for _, w := range writes {
		m.note("commit %d %s", w.Core.Epoch, w.Bytes)
	}
	return m.err
}

func (m *machineOfAll) Send(to protocol.NodeID, core driver.CoreID, payload []byte) {
	m.note("send %d %v %s", core.Epoch, to, payload)
}
func (m *machineOfAll) Begin(c driver.CoreID, t protocol.Timer) {
	m.note("begin %d %d", c.Epoch, t.Kind)
}
func (m *machineOfAll) End(c driver.CoreID, t protocol.Timer) { m.note("end %d %d", c.Epoch, t.Kind) }
func (m *machineOfAll) Measure(c driver.CoreID, peer protocol.NodeID) {
	m.note("measure %d %v", c.Epoch, peer)
}
func (m *machineOfAll) Event(c driver.CoreID, e protocol.Event) {
	m.note("event %d %s", c.Epoch, e.Name)
}
func (m *machineOfAll) Between(low, high uint32) uint32 {
	m.note("between %d %d", low, high)
	return low
}

// recording is a recorder.
type recording struct{ machine }

func (r *recording) Begin(c driver.CoreID, at time.Duration, state []byte) {
	r.note("begin %d %v %s", c.Epoch, at, state)
}
func (r *recording) Input(c driver.CoreID, at time.Duration, in []byte) {
	r.note("input %d %v %q", c.Epoch, at, in)
}
func (r *recording) Output(c driver.CoreID, out []byte) {
	r.note("output %d %d bytes", c.Epoch, len(out))
}
func (r *recording) End(c driver.CoreID) { r.note("end %d", c.Epoch) }

var sixth = driver.CoreID{Kind: 4, Epoch: 6}

func addWide(l *driver.Loop, id driver.CoreID) *instance {
	return driver.Add[[]string, string, protocol.Output[string]](l, id, wide{}, driver.Traits[[]string, string]{
		Self:    func([]string) protocol.NodeID { return self },
		Process: func(t protocol.Timer) bool { return t.Kind == processTimer },
		Held:    func(m string) bool { return m[0] == 't' },
	}, nil, nil)
}

// newWide is a loop with one such core, whose incarnation has begun.
func newWide(t *testing.T) (*driver.Loop, *machineOfAll, *instance) {
	t.Helper()
	m := &machineOfAll{}
	l := driver.New(m, nil)
	core := addWide(l, sixth)
	turn(t, l, 0)
	return l, m, core
}

func TestInputsReachTheCoreWhole(t *testing.T) {
	l, _, core := newWide(t)
	l.Deliver(sixth, other, self, []byte("m"))
	l.Command(sixth, protocol.Output[string]{
		Measure: []protocol.NodeID{other},
		Set:     []protocol.SetTimer{{Timer: protocol.Timer{Kind: processTimer}}},
	})
	turn(t, l, 0)
	l.Measured(sixth, other, 7)
	l.Fire(sixth, protocol.Timer{Kind: processTimer})
	l.Command(sixth, send("own"))
	turn(t, l, 0)
	to := protocol.Output[string]{Send: []protocol.Envelope[string]{{From: self, To: self, Message: "own"}}}
	l.Command(sixth, to)
	turn(t, l, 0)
	assert.Equal(t, []string{
		"start - 0 0 0", "deliver C m0 0 0", "command - 0 0 0",
		fmt.Sprintf("timeout - %d 0 0", processTimer), "command - 0 0 0",
		"measured C 0 7 0", "command - 0 0 0", "deliver B own0 0 0",
	}, core.State())
}

func TestEffectsNameTheirCoreAndTimer(t *testing.T) {
	l, m, _ := newWide(t)
	process := protocol.Timer{Kind: processTimer}
	l.Command(sixth, protocol.Output[string]{
		Measure: []protocol.NodeID{other}, Events: []protocol.Event{{Name: "done"}}, Choose: 9,
		Set: []protocol.SetTimer{
			{Timer: process, MinTicks: 3, MaxTicks: 4},
			{Timer: protocol.Timer{Kind: alarmTimer}, MinTicks: 3, MaxTicks: 5},
		},
	})
	turn(t, l, 0)
	assert.ElementsMatch(t, []string{"between 3 5", "between 0 8", "begin 6 2", "measure 6 C", "event 6 done"}, m.taken())
	at, pending := l.Due(sixth, protocol.Timer{Kind: alarmTimer})
	assert.True(t, pending)
	assert.Equal(t, 3*driver.Tick, at)
	_, pending = l.Due(sixth, process)
	assert.False(t, pending)
	l.Command(sixth, protocol.Output[string]{Cancel: []protocol.Timer{process}})
	turn(t, l, 0)
	assert.Equal(t, []string{"end 6 2"}, m.taken())
}

// Effects that are held back while processes end leave once, after the last process.
func TestWhatWaitedLeavesOnce(t *testing.T) {
	l, m, _ := newWide(t)
	process := protocol.Timer{Kind: processTimer}
	for range 2 {
		l.Command(sixth, protocol.Output[string]{Set: []protocol.SetTimer{{Timer: process}}})
		l.Command(sixth, protocol.Output[string]{Cancel: []protocol.Timer{process}})
	}
	l.Command(sixth, send("task", "other"))
	turn(t, l, 0)
	m.taken()
	l.Stopped()
	turn(t, l, 0)
	assert.Empty(t, m.taken(), "another process has not ended")
	l.Stopped()
	turn(t, l, 0)
	assert.Equal(t, []string{"send 6 C task"}, m.taken())
	l.Command(sixth, protocol.Output[string]{Set: []protocol.SetTimer{{Timer: process}}})
	l.Command(sixth, protocol.Output[string]{Cancel: []protocol.Timer{process}})
	turn(t, l, 0)
	m.taken()
	l.Stopped()
	assert.Empty(t, m.taken())
}

func TestARecorderSeesEachStep(t *testing.T) {
	r := &recording{}
	l := driver.New(&machineOfAll{}, r)
	addWide(l, sixth)
	turn(t, l, 2)
	l.Deliver(sixth, other, self, []byte("m"))
	l.Command(sixth, protocol.Output[string]{Events: []protocol.Event{{Name: "done"}}})
	turn(t, l, 3)
	l.Remove(sixth)
	l.Remove(sixth) // it is not there
	type input = protocol.Input[string, protocol.Output[string]]
	start := protocol.AppendInput(nil, wide{}, input{Kind: protocol.Start})
	deliver := protocol.AppendInput(nil, wide{}, input{Kind: protocol.Deliver, From: other, Message: "m"})
	done := protocol.Output[string]{Events: []protocol.Event{{Name: "done"}}}
	command := protocol.AppendInput(nil, wide{}, input{Kind: protocol.Command, Command: done})
	nothing := len(protocol.AppendOutput(nil, wide{}, protocol.Output[string]{}))
	assert.Equal(t, []string{
		"begin 6 2ns 0",
		fmt.Sprintf("input 6 2ns %q", start), fmt.Sprintf("output 6 %d bytes", nothing),
		fmt.Sprintf("input 6 3ns %q", deliver), fmt.Sprintf("output 6 %d bytes", nothing),
		fmt.Sprintf("input 6 3ns %q", command),
		fmt.Sprintf("output 6 %d bytes", len(protocol.AppendOutput(nil, wide{}, done))),
		"end 6",
	}, r.log)
}

// A segment of a record begins with the cores that live, in the order of their names.
func TestStatesAreThoseOfCoresThatLive(t *testing.T) {
	l := driver.New(&machineOfAll{}, nil)
	ids := []driver.CoreID{
		{Kind: 1}, {Kind: 2, By: self, Epoch: 1}, {Kind: 2, By: self, Epoch: 3}, {Kind: 2, By: other, Epoch: 2}, {Kind: 3},
	}
	for _, i := range []int{3, 0, 4, 2, 1} {
		addWide(l, ids[i])
	}
	assert.Empty(t, l.States(), "no life has begun")
	turn(t, l, 0)
	var want []driver.State
	for _, id := range ids {
		want = append(want, driver.State{Core: id, Bytes: []byte("1")})
	}
	assert.Equal(t, want, l.States())
}

// TestWhenToTurnAgain demands the time of the first timer of all, now if inputs are left, and never
// if nothing is pending.
func TestWhenToTurnAgain(t *testing.T) {
	set := func(ticks uint32) protocol.Output[string] {
		return protocol.Output[string]{
			Set: []protocol.SetTimer{{Timer: protocol.Timer{Kind: alarmTimer}, MinTicks: ticks, MaxTicks: ticks}},
		}
	}
	first := driver.CoreID{Kind: 9}
	for _, c := range []struct{ urgent, usual, next uint32 }{
		{0, 0, 0}, {5, 0, 5}, {0, 5, 5}, {4, 5, 4}, {5, 4, 4}, {5, 5, 5},
	} {
		l := driver.New(&machineOfAll{}, nil)
		l.First = first
		addWide(l, first)
		addWide(l, sixth)
		if c.urgent > 0 {
			l.Command(first, set(c.urgent))
		}
		if c.usual > 0 {
			l.Command(sixth, set(c.usual))
		}
		next, ok := turn(t, l, 0)
		assert.Equal(t, c.next > 0, ok)
		assert.Equal(t, time.Duration(c.next)*driver.Tick, next, "%+v", c)
	}

	l, _, core := newWide(t)
	for range driver.BatchLimit + 1 {
		l.Command(sixth, protocol.Output[string]{})
	}
	next, ok := turn(t, l, 7)
	assert.True(t, ok)
	assert.Equal(t, time.Duration(7), next, "an input is left")
	assert.Len(t, core.State(), 1+driver.BatchLimit)
}

// Timers fire by their times, and those of one time in the order in which they were set.
func TestTimersFireInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := driver.New(&machineOfAll{}, nil)
		core := addWide(l, sixth)
		_, _, err := l.Turn(0)
		require.NoError(t, err)
		var want []string
		var times []uint32
		for i, ticks := range rapid.SliceOfN(rapid.Uint32Range(1, 9), 1, 12).Draw(t, "ticks") {
			timer := protocol.Timer{Kind: protocol.TimerKind(i + 10)}
			l.Command(sixth, protocol.Output[string]{
				Set: []protocol.SetTimer{{Timer: timer, MinTicks: ticks, MaxTicks: ticks}},
			})
			at := 0
			for at < len(times) && times[at] <= ticks {
				at++
			}
			times = slices.Insert(times, at, ticks)
			want = slices.Insert(want, at, fmt.Sprintf("timeout - %d 0 0", timer.Kind))
		}
		for range 2 {
			_, _, err = l.Turn(0)
			require.NoError(t, err)
		}
		_, _, err = l.Turn(9 * driver.Tick)
		require.NoError(t, err)
		require.Equal(t, want, core.State()[1+len(want):])
	})
}

// Bytes are committed once, nothing is committed where nothing was persisted, and the messages of
// an uncommitted batch never leave.
func TestABatchIsCommittedOnce(t *testing.T) {
	l, m, _ := newWide(t)
	turn(t, l, 0)
	assert.Empty(t, m.taken())
	kept := send("kept")
	kept.Persist = []byte("1")
	l.Command(sixth, kept)
	turn(t, l, 0)
	assert.Equal(t, []string{"commit 6 1", "send 6 C kept"}, m.taken())
	l.Command(sixth, send("more"))
	turn(t, l, 0)
	assert.Equal(t, []string{"send 6 C more"}, m.taken())

	m.err = errors.New("no space")
	l.Command(sixth, kept)
	next, ok, err := l.Turn(9)
	require.ErrorIs(t, err, m.err)
	assert.Zero(t, next)
	assert.False(t, ok)
	m.err = nil
	m.taken()
	turn(t, l, 9)
	assert.NotContains(t, m.taken(), "send 6 C kept")
}

// QueueLimit inputs may wait, and HeldLimit envelopes. One more is an error.
func TestLimitsAreMetExactly(t *testing.T) {
	for _, more := range []int{0, 1} {
		l, _, _ := newWide(t)
		for range driver.QueueLimit + driver.BatchLimit + more {
			l.Command(sixth, protocol.Output[string]{})
		}
		next, ok, err := l.Turn(3)
		assert.Equal(t, more == 0, ok)
		if assert.Equal(t, more == 1, errors.Is(err, driver.ErrLimit)); more == 1 {
			assert.Zero(t, next)
		}

		l, _, _ = newWide(t)
		process := protocol.Timer{Kind: processTimer}
		l.Command(sixth, protocol.Output[string]{Set: []protocol.SetTimer{{Timer: process}}})
		l.Command(sixth, protocol.Output[string]{Cancel: []protocol.Timer{process}})
		var held protocol.Output[string]
		for range driver.HeldLimit + more {
			held.Send = append(held.Send, protocol.Envelope[string]{From: self, To: other, Message: "task"})
		}
		l.Command(sixth, held)
		next, ok, err = l.Turn(3)
		assert.Equal(t, more == 1, errors.Is(err, driver.ErrLimit))
		assert.Zero(t, next)
		assert.False(t, ok)
	}
}

// The end of a process goes before messages, and before timers that are due.
func TestTheEndOfAProcessGoesFirst(t *testing.T) {
	l, _, core := newWide(t)
	l.Command(sixth, protocol.Output[string]{
		Set: []protocol.SetTimer{
			{Timer: protocol.Timer{Kind: processTimer}}, {Timer: protocol.Timer{Kind: alarmTimer}, MinTicks: 1, MaxTicks: 1},
		},
	})
	turn(t, l, 0)
	l.Withhold = func(_ driver.CoreID, timer protocol.Timer) bool { return timer.Kind == processTimer }
	l.Deliver(sixth, other, self, []byte("m"))
	l.Fire(sixth, protocol.Timer{Kind: processTimer})
	turn(t, l, driver.Tick)
	assert.Equal(t, []string{"timeout - 2 0 0", "timeout - 1 0 0", "deliver C m0 0 0"}, core.State()[2:],
		"nothing withholds the end of a process, which is a fact")
}

// A process ends before the messages of the input that ends it leave, and after those of earlier
// inputs.
func TestAProcessEndsInItsTurn(t *testing.T) {
	l, m, _ := newWide(t)
	process := protocol.Timer{Kind: processTimer}
	l.Command(sixth, protocol.Output[string]{Set: []protocol.SetTimer{{Timer: process}}})
	turn(t, l, 0)
	m.taken()
	ends := send("after")
	ends.Cancel = []protocol.Timer{process}
	l.Command(sixth, send("before"))
	l.Command(sixth, ends)
	turn(t, l, 0)
	assert.Equal(t, []string{"send 6 C before", "end 6 2", "send 6 C after"}, m.taken())
}

func TestWhoSentSomethingBrokenIsNamed(t *testing.T) {
	l, _, _ := newWide(t)
	l.Deliver(sixth, other, self, []byte("broken"))
	turn(t, l, 0) // no handler is set
	var named protocol.NodeID
	l.Broken = func(_ driver.CoreID, from protocol.NodeID, _ error) { named = from }
	l.Deliver(sixth, other, self, []byte("broken"))
	turn(t, l, 0)
	assert.Equal(t, other, named)
}

// A timer that was cancelled is not waited for.
func TestNothingIsDueAfterACancel(t *testing.T) {
	l, _, core := newWide(t)
	alarm := protocol.Timer{Kind: alarmTimer}
	l.Command(sixth, protocol.Output[string]{Set: []protocol.SetTimer{{Timer: alarm, MinTicks: 1, MaxTicks: 1}}})
	turn(t, l, 0)
	l.Command(sixth, protocol.Output[string]{Cancel: []protocol.Timer{alarm}})
	_, ok := turn(t, l, 0)
	assert.False(t, ok)
	turn(t, l, driver.Tick)
	assert.Len(t, core.State(), 3)
}
