package store

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// drawEntries draws a history of a few operations on one key: calls, returns with any answer,
// crashes.
func drawEntries(t *rapid.T, m monitor) []entry {
	var entries []entry
	var open []uint32
	ids := slices.Sorted(func(yield func(uint32) bool) {
		for id := range m.ops {
			if !yield(id) {
				return
			}
		}
	})
	for range rapid.IntRange(0, 10).Draw(t, "entries") {
		switch move := rapid.IntRange(0, 4).Draw(t, "move"); {
		case move == 0 && m.loss:
			entries = append(entries, entry{kind: crashed})
		case move < 3 && len(ids) > 0:
			entries = append(entries, entry{kind: called, number: ids[0]})
			open, ids = append(open, ids[0]), ids[1:]
		case len(open) > 0:
			i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
			x := entry{kind: returned, number: open[i]}
			open = slices.Delete(open, i, i+1)
			switch m.ops[x.number].Kind {
			case store.Get:
				x.value = rapid.Uint32Max(2).Draw(t, "value")
			case store.CompareAndSet:
				if x.mismatch = rapid.Bool().Draw(t, "mismatch"); x.mismatch {
					x.value = rapid.Uint32Max(2).Draw(t, "value")
				}
			}
			entries = append(entries, x)
		}
	}
	return entries
}

func someMonitor(loss bool) monitor {
	s := scenario{layout: row2(), calls: []call{
		put(
			"A",
			1,
			at(5),
			1,
		), get("A", 2, at(5)), cas("B", 3, at(5), 1, 2), get("B", 4, at(5)), put("C", 5, at(5), 2), get("C", 6, at(5)),
	}}
	if loss {
		s.budget.Crash = 1
	}
	return newMonitor(&s)
}

// drawn is a history, and whether nodes may lose what they hold.
type drawn struct {
	loss    bool
	entries []entry
}

// check compares the history with its normal form. It returns the verdict, and whether the normal
// form is another one.
func (r *drawn) check(t require.TestingT) (verdict checker.Verdict, differs bool) {
	m, whole := someMonitor(r.loss), history{entries: r.entries}
	normal := history{entries: slices.Clone(r.entries)}
	normal.normalise()
	verdict = m.View(whole.encode()).(*past).registers
	require.Equal(t, verdict, m.View(normal.encode()).(*past).registers, "%v", whole.entries)
	again := history{entries: slices.Clone(normal.entries)}
	again.normalise()
	require.Equal(t, normal.entries, again.entries)
	return verdict, !slices.Equal(whole.entries, normal.entries)
}

// The normal form of a history gets the very verdict of the history, and is its own normal form. A
// short run draws few histories, perhaps none with a violation. So fixed histories, the same in
// every run, show that the comparison covers both verdicts and normal forms that differ.
func TestNormalFormChangesNoVerdict(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) drawn {
		loss := rapid.Bool().Draw(t, "loss")
		return drawn{loss, drawEntries(t, someMonitor(loss))}
	})
	verdicts, shorter := map[checker.Verdict]int{}, 0
	for seed := range 200 {
		r := draw.Example(seed)
		verdict, differs := r.check(t)
		verdicts[verdict]++
		if differs {
			shorter++
		}
	}
	require.NotZero(t, verdicts[checker.Holds])
	require.NotZero(t, verdicts[checker.Violated])
	require.NotZero(t, shorter, "nothing was normalised")
	rapid.Check(t, func(t *rapid.T) {
		r := draw.Draw(t, "history")
		r.check(t)
	})
}

func TestHistoryCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := history{
			entries:  drawEntries(t, someMonitor(true)),
			received: rapid.Uint32Max(7).Draw(t, "received"),
			seen:     witness(rapid.Uint8().Draw(t, "seen")),
		}
		if rapid.Bool().Draw(t, "held") {
			h.holdings = []holding{{0, 1, 3}, {2, 2, 1}}
			h.dead = []protocol.NodeID{id("C")}
		}
		require.Equal(t, h, decodeHistory(h.encode()))
	})
}

// The monitor reads the events.
func TestObserve(t *testing.T) {
	m := someMonitor(true)
	observe := func(mon []byte, node int, events ...protocol.Event) []byte {
		for _, e := range events {
			require.True(t, m.Wants(e.Name), e.Name)
			if e.Name == store.EventAnswered {
				break // a value follows, which alone is nothing
			}
		}
		return m.Observe(mon, node, store.State{}, events)
	}
	mon := observe(m.Initial(), 0, protocol.Event{Name: store.EventCalled, Number: 2})
	mon = observe(mon, 1, protocol.Event{Name: store.EventReceived}, protocol.Event{Name: store.EventServed, Number: 2})
	mon = observe(
		mon,
		0,
		protocol.Event{Name: store.EventAnswered, Number: 2, Detail: store.DetailOK},
		protocol.Event{Name: store.EventValue, Number: 7},
	)
	p := m.View(mon).(*past)
	require.Equal(t, checker.Violated, p.registers, "no client has put 7")
	require.Equal(t, moved, p.seen)
	mon = observe(m.Initial(), 0, protocol.Event{Name: store.EventCalled, Number: 1})
	mon = observe(mon, 0, protocol.Event{Name: store.EventRejected, Number: 1})
	require.Empty(t, decodeHistory(mon).entries, "a rejected operation was never called")
}

// When a node fails, the items that it kept are lost, and so are items on their way to it, or sent
// to it before its failure is detected.
func TestLosses(t *testing.T) {
	m := someMonitor(true)
	key := m.keys[0]
	zone := space.Zone{High: space.Point{16, 1, 1, 1, 1, 1, 1, 1}}
	owner := store.State{CAN: can.State{Phase: can.Member, Self: can.Record{ID: id("A"), Zone: zone}}}
	giver := store.State{
		CAN:   can.State{Phase: can.Member, Self: can.Record{ID: id("A")}},
		Gifts: []store.Gift{{To: id("B"), Zone: zone}},
	}
	require.True(t, owner.Owns(key) && !giver.Owns(key))
	crash := func(mon []byte, name string) []byte {
		return m.Observe(mon, int(id(name).Address), store.State{}, []protocol.Event{{Name: "crash", Peer: id(name)}})
	}
	sees := func(mon []byte, s store.State) []byte {
		return m.Observe(mon, 0, s, []protocol.Event{{Name: store.EventZone}})
	}
	tests := map[string]struct {
		mon  []byte
		lost int
	}{
		"what it kept":             {crash(sees(m.Initial(), owner), "A"), 1},
		"what another keeps":       {crash(sees(m.Initial(), owner), "B"), 0},
		"the items to give":        {crash(sees(m.Initial(), giver), "A"), 1},
		"the items to get":         {crash(sees(m.Initial(), giver), "B"), 1},
		"items that come too late": {sees(crash(m.Initial(), "B"), giver), 1},
		"and that once":            {sees(sees(crash(m.Initial(), "B"), giver), giver), 1},
		"items for another incarnation": {
			sees(
				m.Observe(
					m.Initial(),
					1,
					store.State{},
					[]protocol.Event{{Name: "crash", Peer: protocol.NodeID{Address: 1, Incarnation: 7}}},
				),
				giver,
			),
			0,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { require.Len(t, decodeHistory(test.mon).entries, test.lost) })
	}
}

// Lookups are checked against the owners.
func TestObserveOwnership(t *testing.T) {
	s := scenario{layout: row2(), calls: []call{lookup("A", 1, at(5))}}
	m := newMonitor(&s)
	ask := m.Observe(m.Initial(), 0, store.State{}, []protocol.Event{{Name: store.EventCalled, Number: 1}})
	for owner, want := range map[string]checker.Verdict{"A": checker.Holds, "B": checker.Violated} {
		mon := m.Observe(
			ask,
			0,
			store.State{},
			[]protocol.Event{{Name: store.EventAnswered, Peer: id(owner), Number: 1, Detail: store.DetailOK}},
		)
		require.Equal(t, want, m.View(mon).(*past).ownership, owner)
	}
	mon := m.Observe(ask, 0, store.State{}, []protocol.Event{{Name: store.EventZone}})
	require.Equal(t, checker.Holds, m.View(mon).(*past).ownership, "A owns the point no more")
	mon = m.Observe(
		mon,
		0,
		store.State{},
		[]protocol.Event{{Name: store.EventAnswered, Peer: id("A"), Number: 1, Detail: store.DetailOK}},
	)
	require.Equal(t, checker.Holds, m.View(mon).(*past).ownership, "but it did when it was asked")
}
