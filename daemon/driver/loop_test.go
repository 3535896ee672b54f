package driver_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

// The timers of the scripted core.
const (
	alarmTimer protocol.TimerKind = iota + 1
	processTimer
)

var (
	self  = protocol.NodeID{Address: 1, Incarnation: 1}
	other = protocol.NodeID{Address: 2, Incarnation: 1}
	id    = driver.CoreID{Kind: 1}
)

// scripted is a core whose commands are its outputs. It records its inputs.
type scripted struct {
	protocol.Core[[]string, string, protocol.Output[string]] // only the methods that a loop calls
}

func (scripted) Step(
	s []string, in protocol.Input[string, protocol.Output[string]],
) ([]string, protocol.Output[string]) {
	told := in.Kind.String()
	switch in.Kind {
	case protocol.Deliver:
		told += " " + in.Message
	case protocol.Chosen:
		told += fmt.Sprint(" ", in.Choice)
	case protocol.Timeout:
		told += fmt.Sprint(" ", in.Timer.Kind)
	}
	return append(s[:len(s):len(s)], told), in.Command
}

func (scripted) AppendMessage(dst []byte, m string) []byte { return append(dst, m...) }

func (scripted) DecodeMessage(src []byte) (string, error) {
	if string(src) == "broken" {
		return "", protocol.ErrEncoding
	}
	return string(src), nil
}

// machine writes down what a loop asks for.
type machine struct {
	log []string
	err error
}

func (m *machine) note(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
}

func (m *machine) Commit(writes []driver.Write) error {
	for _, w := range writes {
		m.note("commit %s", w.Bytes)
	}
	return m.err
}

func (m *machine) Send(to protocol.NodeID, _ driver.CoreID, payload []byte) {
	m.note("send %v %s", to, payload)
}
func (m *machine) Begin(driver.CoreID, protocol.Timer)           { m.note("begin") }
func (m *machine) End(driver.CoreID, protocol.Timer)             { m.note("end") }
func (m *machine) Measure(_ driver.CoreID, peer protocol.NodeID) { m.note("measure %v", peer) }
func (m *machine) Event(_ driver.CoreID, e protocol.Event)       { m.note("event %v", e) }
func (m *machine) Between(low, high uint32) uint32               { return high }
func (m *machine) taken() []string                               { log := m.log; m.log = nil; return log }

type instance = driver.Instance[[]string, string, protocol.Output[string]]

func newLoop(t *testing.T) (*driver.Loop, *machine, *instance) {
	t.Helper()
	m := &machine{}
	l := driver.New(m, nil)
	core := driver.Add[[]string, string, protocol.Output[string]](l, id, scripted{}, driver.Traits[[]string, string]{
		Self:    func([]string) protocol.NodeID { return self },
		Process: func(t protocol.Timer) bool { return t.Kind == processTimer },
		Held:    func(m string) bool { return m[0] == 't' },
	}, nil, nil)
	turn(t, l, 0)
	require.Equal(t, []string{"start"}, core.State())
	return l, m, core
}

func turn(t *testing.T, l *driver.Loop, now time.Duration) (next time.Duration, ok bool) {
	t.Helper()
	next, ok, err := l.Turn(now)
	require.NoError(t, err)
	return next, ok
}

func send(messages ...string) (out protocol.Output[string]) {
	for _, m := range messages {
		out.Send = append(out.Send, protocol.Envelope[string]{From: self, To: other, Message: m})
	}
	return out
}

func TestNothingLeavesBeforeTheBatchIsDurable(t *testing.T) {
	l, m, _ := newLoop(t)
	first, second := send("a"), send("b")
	first.Persist, second.Persist = []byte("1"), []byte("2")
	first.Events = []protocol.Event{{Name: "done"}}
	l.Command(id, first)
	l.Command(id, second)
	turn(t, l, 0)
	assert.Equal(t, []string{"commit 2", "send C a", "event done", "send C b"}, m.taken())

	m.err = errors.New("no space")
	l.Command(id, first)
	_, _, err := l.Turn(0)
	require.ErrorIs(t, err, m.err)
	assert.Equal(t, []string{"commit 1"}, m.taken())
}

func TestAnEndIsAFactBeforeItIsSaid(t *testing.T) {
	l, m, _ := newLoop(t)
	over := send("can 1", "tasks 1", "can 2")
	over.Cancel = []protocol.Timer{{Kind: processTimer}}
	l.Command(id, over)
	turn(t, l, 0)
	assert.Equal(t, []string{"end", "send C can 1", "send C can 2"}, m.taken())

	l.Command(id, send("tasks 2", "can 3"))
	turn(t, l, 0)
	assert.Equal(t, []string{"send C can 3"}, m.taken())

	l.Stopped()
	assert.Equal(t, []string{"send C tasks 1", "send C tasks 2"}, m.taken())
	l.Command(id, send("tasks 3"))
	turn(t, l, 0)
	assert.Equal(t, []string{"send C tasks 3"}, m.taken())
}

// Messages of a node to itself about a process that must end wait as well: the node may represent
// the job, and would let the next task begin.
func TestAnEndIsAFactBeforeTheNodeItselfHears(t *testing.T) {
	l, m, core := newLoop(t)
	own := func(messages ...string) (out protocol.Output[string]) {
		for _, text := range messages {
			out.Send = append(out.Send, protocol.Envelope[string]{From: self, To: self, Message: text})
		}
		return out
	}
	over := own("tasks 1", "can 1")
	over.Cancel = []protocol.Timer{{Kind: processTimer}}
	l.Command(id, over)
	l.Command(id, own("tasks 2", "can 2"))
	turn(t, l, 0)
	assert.Equal(t, []string{"end"}, m.taken())
	assert.Equal(t, []string{"start", "command", "deliver can 1", "command", "deliver can 2"}, core.State())
	l.Stopped()
	l.Command(id, own("tasks 3"))
	turn(t, l, 0)
	assert.Equal(t, []string{"deliver tasks 1", "deliver tasks 2", "command", "deliver tasks 3"}, core.State()[5:])
}

// TestTheFirstCoreComesFirst demands that a timer of the core First fires before others that are
// due for longer, and that nothing follows once the incarnation is over.
func TestTheFirstCoreComesFirst(t *testing.T) {
	l, m, core := newLoop(t)
	lease := driver.CoreID{Kind: 9}
	l.First = lease
	first := driver.Add[[]string, string, protocol.Output[string]](l, lease, scripted{}, driver.Traits[[]string, string]{
		Self: func([]string) protocol.NodeID { return self },
	}, nil, nil)
	l.Over = func() bool { return len(first.State()) > 2 }
	expiry := protocol.Timer{Kind: 2}
	set := func(timer protocol.Timer, ticks uint32) protocol.Output[string] {
		return protocol.Output[string]{Set: []protocol.SetTimer{{Timer: timer, MinTicks: ticks, MaxTicks: ticks}}}
	}
	l.Command(id, set(protocol.Timer{Kind: 1}, 1))
	l.Command(lease, set(expiry, 5))
	next, ok := turn(t, l, 0)
	require.True(t, ok)
	require.Equal(t, driver.Tick, next)
	at, pending := l.Due(lease, expiry)
	require.True(t, pending)
	require.Equal(t, 5*driver.Tick, at)

	seen := len(core.State())
	m.taken()
	l.Command(id, send("a"))
	turn(t, l, time.Minute) // the daemon was stopped
	assert.Len(t, first.State(), 3)
	assert.Len(t, core.State(), seen)
	assert.Empty(t, m.taken())
}

// TestTheFirstCoreWaitsForNoOther demands that a message for the core First is taken before older
// messages for others, although more incarnations begin than one turn takes.
func TestTheFirstCoreWaitsForNoOther(t *testing.T) {
	l, _, core := newLoop(t)
	l.First = driver.CoreID{Kind: 9}
	add := func(id driver.CoreID) *driver.Instance[[]string, string, protocol.Output[string]] {
		return driver.Add[[]string, string, protocol.Output[string]](l, id, scripted{}, driver.Traits[[]string, string]{
			Self: func([]string) protocol.NodeID { return self },
		}, nil, nil)
	}
	for i := range 2 * driver.BatchLimit {
		l.Deliver(id, other, self, nil)
		add(driver.CoreID{Kind: 2, Epoch: uint32(i)})
	}
	l.Deliver(l.First, other, self, nil)
	first := add(l.First)
	turn(t, l, 0)
	assert.Len(t, first.State(), 2, "it begins, and then hears")
	assert.Equal(t, []string{"start"}, core.State())
	l.Deliver(l.First, other, self, nil)
	turn(t, l, 0)
	assert.Len(t, first.State(), 3)
}

func TestWhatIsHeldBackHasALimit(t *testing.T) {
	l, _, _ := newLoop(t)
	over := protocol.Output[string]{Cancel: []protocol.Timer{{Kind: processTimer}}}
	l.Command(id, over)
	var err error
	for range driver.HeldLimit + 1 {
		l.Command(id, send("tasks"))
		if _, _, err = l.Turn(0); err != nil {
			break
		}
	}
	assert.ErrorIs(t, err, driver.ErrLimit)
}

func set(kind protocol.TimerKind, ticks uint32) protocol.Output[string] {
	timer := protocol.SetTimer{Timer: protocol.Timer{Kind: kind}, MinTicks: ticks, MaxTicks: ticks}
	return protocol.Output[string]{Set: []protocol.SetTimer{timer}}
}

func TestATimerFiresOnceEachTimeThatItIsSet(t *testing.T) {
	l, _, core := newLoop(t)
	l.Command(id, set(alarmTimer, 10))
	next, ok := turn(t, l, 0)
	require.True(t, ok)
	assert.Equal(t, 10*driver.Tick, next)
	turn(t, l, next-1)
	assert.Equal(t, []string{"start", "command"}, core.State())
	_, ok = turn(t, l, next)
	assert.False(t, ok)
	assert.Equal(t, []string{"start", "command", "timeout 1"}, core.State())
	turn(t, l, 10*next)
	assert.Len(t, core.State(), 3)
}

func TestATimerThatIsSetAgainOrCancelledDoesNotFire(t *testing.T) {
	l, _, core := newLoop(t)
	l.Command(id, set(alarmTimer, 10))
	turn(t, l, 0)
	l.Command(id, set(alarmTimer, 100))
	turn(t, l, 5*driver.Tick)
	turn(t, l, 50*driver.Tick)
	assert.NotContains(t, core.State(), "timeout 1")

	l.Command(id, protocol.Output[string]{Cancel: []protocol.Timer{{Kind: alarmTimer}}})
	turn(t, l, 60*driver.Tick)
	_, ok := turn(t, l, 200*driver.Tick)
	assert.False(t, ok)
	assert.NotContains(t, core.State(), "timeout 1")
}

func TestATimerThatIsWithheldIsSetAgain(t *testing.T) {
	l, _, core := newLoop(t)
	withheld := true
	l.Withhold = func(driver.CoreID, protocol.Timer) bool { return withheld }
	l.Command(id, set(alarmTimer, 10))
	turn(t, l, 0)
	next, ok := turn(t, l, 10*driver.Tick)
	require.True(t, ok)
	assert.Equal(t, 10*driver.Tick+driver.Later, next)
	assert.NotContains(t, core.State(), "timeout 1")
	withheld = false
	turn(t, l, next)
	assert.Contains(t, core.State(), "timeout 1")
}

func TestInputsComeByUrgencyThenInOrder(t *testing.T) {
	l, _, core := newLoop(t)
	l.Command(id, set(alarmTimer, 1))
	turn(t, l, 0)
	l.Measured(id, other, 7) // not requested
	l.Command(id, protocol.Output[string]{Choose: 5})
	l.Deliver(id, other, self, []byte("first"))
	l.Deliver(id, other, self, []byte("second"))
	turn(t, l, driver.Tick)
	assert.Equal(t, []string{
		"start", "command", "timeout 1", "deliver first", "deliver second", "command", "chosen 4",
	}, core.State())
}

func TestMessagesOfOtherLivesAndOtherLanguagesDoNotReachTheCore(t *testing.T) {
	l, _, core := newLoop(t)
	var broken []error
	l.Broken = func(_ driver.CoreID, from protocol.NodeID, err error) { broken = append(broken, err) }
	l.Deliver(id, other, protocol.NodeID{Address: 1, Incarnation: 2}, []byte("late"))
	l.Deliver(id, other, self, []byte("broken"))
	l.Deliver(driver.CoreID{Kind: 9}, other, self, []byte("nobody"))
	turn(t, l, 0)
	assert.Equal(t, []string{"start"}, core.State())
	require.Len(t, broken, 1)
	assert.ErrorIs(t, broken[0], protocol.ErrEncoding)
}

func TestAMessageToItselfIsALaterInput(t *testing.T) {
	l, m, core := newLoop(t)
	l.Command(id, protocol.Output[string]{Send: []protocol.Envelope[string]{{From: self, To: self, Message: "echo"}}})
	turn(t, l, 0)
	assert.Equal(t, []string{"start", "command", "deliver echo"}, core.State())
	assert.Empty(t, m.taken())
}

func TestWhoIsAroundAStepSeesItsCoreAndKind(t *testing.T) {
	l, _, core := newLoop(t)
	var seen []string
	l.Around = func(of driver.CoreID, kind protocol.InputKind, step func()) {
		before := len(core.State())
		step()
		seen = append(seen, fmt.Sprint(of.Kind, " ", kind, " ", len(core.State())-before))
	}
	l.Command(id, set(alarmTimer, 1))
	l.Deliver(id, other, self, []byte("first"))
	turn(t, l, 0)
	turn(t, l, driver.Tick)
	assert.Equal(t, []string{"1 deliver 1", "1 command 1", "1 timeout 1"}, seen)
}

func TestARemovedCoreHearsNothing(t *testing.T) {
	l, _, core := newLoop(t)
	l.Command(id, set(alarmTimer, 1))
	turn(t, l, 0)
	l.Remove(id)
	l.Deliver(id, other, self, []byte("late"))
	_, ok := turn(t, l, 10*driver.Tick)
	assert.False(t, ok)
	assert.Len(t, core.State(), 2)
}
