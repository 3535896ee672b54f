package driver_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

// machines writes down what each core asks for.
type machines map[driver.CoreID]*machine

func (m machines) of(core driver.CoreID) *machine {
	if m[core] == nil {
		m[core] = &machine{}
	}
	return m[core]
}

func (m machines) Commit(writes []driver.Write) error {
	for _, w := range writes {
		m.of(w.Core).note("commit %s", w.Bytes)
	}
	return nil
}

func (m machines) Send(to protocol.NodeID, core driver.CoreID, payload []byte) {
	m.of(core).Send(to, core, payload)
}
func (m machines) Begin(core driver.CoreID, t protocol.Timer)       { m.of(core).Begin(core, t) }
func (m machines) End(core driver.CoreID, t protocol.Timer)         { m.of(core).End(core, t) }
func (m machines) Measure(core driver.CoreID, peer protocol.NodeID) { m.of(core).Measure(core, peer) }
func (m machines) Event(core driver.CoreID, e protocol.Event)       { m.of(core).Event(core, e) }
func (m machines) Between(low, _ uint32) uint32                     { return low }
func added(l *driver.Loop, ids ...driver.CoreID) (instances []*instance) {
	for _, id := range ids {
		instances = append(instances, driver.Add[[]string, string, protocol.Output[string]](
			l, id, scripted{}, driver.Traits[[]string, string]{Self: func([]string) protocol.NodeID { return self }}, nil, nil,
		))
	}
	return instances
}

// asked is an input for one of several cores: a command, or a message if it has one.
type asked struct {
	core    int
	out     protocol.Output[string]
	message string
}

func (a asked) give(l *driver.Loop, id driver.CoreID) {
	if a.message != "" {
		l.Deliver(id, other, self, []byte(a.message))
		return
	}
	l.Command(id, a.out)
}

// drawn draws an input.
func drawn(cores int) *rapid.Generator[asked] {
	return rapid.Custom(func(t *rapid.T) asked {
		word := rapid.StringMatching("[a-c]{1,2}")
		a := asked{core: rapid.IntRange(0, cores-1).Draw(t, "core")}
		if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			a.message = word.Draw(t, "message")
			return a
		}
		if rapid.Bool().Draw(t, "persists") {
			a.out.Persist = []byte(word.Draw(t, "persist"))
		}
		for range rapid.IntRange(0, 2).Draw(t, "sends") {
			to := rapid.SampledFrom([]protocol.NodeID{other, self}).Draw(t, "to")
			a.out.Send = append(a.out.Send, protocol.Envelope[string]{From: self, To: to, Message: word.Draw(t, "sent")})
		}
		timer := protocol.Timer{Kind: protocol.TimerKind(rapid.IntRange(3, 4).Draw(t, "timer"))}
		switch rapid.IntRange(0, 2).Draw(t, "timers") {
		case 0:
			ticks := rapid.Uint32Range(1, 3).Draw(t, "ticks")
			a.out.Set = []protocol.SetTimer{{Timer: timer, MinTicks: ticks, MaxTicks: ticks}}
		case 1:
			a.out.Cancel = []protocol.Timer{timer}
		}
		a.out.Events = []protocol.Event{{Name: word.Draw(t, "event")}}
		return a
	})
}

// Cores of one kind in one batch do not disturb each other: each asks for the same, in the same
// order, and receives the same as in a separate loop.
func TestCoresOfAKindKeepApart(t *testing.T) {
	ids := []driver.CoreID{{Kind: 2, Epoch: 1}, {Kind: 2, Epoch: 2}, {Kind: 2, By: other, Epoch: 1}, {Kind: 3}}
	rapid.Check(t, func(t *rapid.T) {
		batches := rapid.SliceOfN(rapid.SliceOfN(drawn(len(ids)), 0, 8), 1, 6).Draw(t, "batches")
		gone := rapid.IntRange(-1, len(batches)-1).Draw(t, "the first core is removed before the batch")
		run := func(only int) (machines, []*instance) {
			m := machines{}
			l := driver.New(m, nil)
			there := ids
			if only >= 0 {
				there = ids[only : only+1]
			}
			cores := added(l, there...)
			for i, batch := range batches {
				now := time.Duration(i) * driver.Tick
				if i == gone && only <= 0 {
					l.Remove(ids[0])
				}
				for _, a := range batch {
					if only < 0 || only == a.core {
						a.give(l, ids[a.core])
					}
				}
				for range 3 { // own messages, and timers that are due
					_, _, err := l.Turn(now)
					require.NoError(t, err)
				}
			}
			return m, cores
		}
		together, cores := run(-1)
		for i, id := range ids {
			alone, core := run(i)
			require.Equal(t, alone.of(id).log, together.of(id).log, fmt.Sprint(id))
			require.Equal(t, core[0].State(), cores[i].State(), fmt.Sprint(id))
		}
	})
}
