package can

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	published "github.com/canvass-grid/canvass/protocol/published/can"
)

// watcher is a monitor whose nodes are views: it sees only views that a test passes to it.
var watcher = monitor[*View]{func(v *View) *View { return v }}

// step is one event of a hand-made run. ID is the identity of the node; if unset, its first
// incarnation.
type step struct {
	node         string
	id           protocol.NodeID
	participants string // of its round, for a request
	event        protocol.Event
}

func requests(node, participants string) step {
	return step{node: node, participants: participants, event: protocol.Event{Name: can.EventRequest}}
}

func decides(node string, round uint32, c can.ChangeKind) step {
	return step{node: node, event: protocol.Event{Name: can.EventDecide, Number: round, Detail: c.String()}}
}

func executes(node, proposer string, round uint32, c can.ChangeKind) step {
	return step{
		node:  node,
		event: protocol.Event{Name: can.EventExecute, Peer: id(proposer), Number: round, Detail: c.String()},
	}
}

func notifies(node, event string) step { return step{node: node, event: protocol.Event{Name: event}} }

func fails(node string) step {
	return step{node: node, event: protocol.Event{Name: "crash", Peer: id(node)}}
}

// again makes the step one of a second incarnation.
func again(s step) step {
	s.id = id(s.node)
	s.id.Incarnation = 2
	return s
}

func observe(steps ...step) *history {
	mon := watcher.Initial()
	for _, s := range steps {
		v := &View{Self: Seen{ID: id(s.node)}}
		if !s.id.IsNobody() {
			v.Self.ID = s.id
		}
		for _, p := range s.participants {
			v.Participants = append(v.Participants, id(string(p)))
		}
		mon = watcher.Observe(mon, int(v.Self.ID.Address), v, []protocol.Event{s.event})
	}
	return watcher.View(mon).(*history)
}

// checkedRun is a hand-made run and the properties that it breaks.
type checkedRun struct {
	name   string
	run    []step
	broken uint32
}

// overlaps are runs about rounds that overlap in time.
func overlaps() []checkedRun {
	return []checkedRun{
		{"nothing", nil, 0},
		{
			"one round",
			[]step{
				requests("A", "BC"),
				decides("A", 1, can.Split),
				executes("B", "A", 1, can.Split),
				executes("C", "A", 1, can.Split),
			},
			0,
		},

		// Windows that overlap.
		{
			"both take effect",
			[]step{requests("A", "B"), requests("B", "A"), decides("A", 1, can.Merge), decides("B", 1, can.Merge)},
			brokenConflict,
		},
		{
			"one asks the other",
			[]step{requests("A", "B"), requests("B", "C"), decides("A", 1, can.Merge), decides("B", 1, can.Merge)},
			brokenConflict,
		},
		{
			"the other asks the one",
			[]step{requests("A", "C"), requests("B", "A"), decides("B", 1, can.Split), decides("A", 1, can.Split)},
			brokenConflict,
		},
		{
			"the one decides first",
			[]step{requests("A", "C"), requests("B", "A"), decides("A", 1, can.Split), decides("B", 1, can.Split)},
			brokenConflict,
		},
		{
			"the asked decides first",
			[]step{requests("A", "B"), requests("B", "C"), decides("B", 1, can.Split), decides("A", 1, can.Split)},
			brokenConflict,
		},
		{
			"a takeover is a change, too",
			[]step{requests("A", "B"), requests("B", "A"), decides("A", 1, can.Takeover), decides("B", 1, can.Split)},
			brokenConflict,
		},
		{
			"they share participants only",
			[]step{requests("A", "C"), requests("B", "C"), decides("A", 1, can.Merge), decides("B", 1, can.Merge)},
			0,
		},
		{
			"the first is cancelled",
			[]step{requests("A", "B"), requests("B", "A"), decides("A", 1, can.NoOp), decides("B", 1, can.Merge)},
			0,
		},
		{
			"the second is cancelled",
			[]step{requests("A", "B"), requests("B", "A"), decides("A", 1, can.Merge), decides("B", 1, can.NoOp)},
			0,
		},
		{
			"one after the other",
			[]step{requests("A", "B"), decides("A", 1, can.Merge), requests("B", "A"), decides("B", 1, can.Merge)},
			0,
		},
		{"a cancelled one is proposed again", []step{
			requests("A", "B"), requests("B", "A"), decides("A", 1, can.Merge), decides("B", 1, can.NoOp),
			requests("B", "A"), decides("B", 2, can.Merge),
		}, 0},
		{"a third is in conflict with one of two", []step{
			requests("A", "B"), requests("C", "D"), requests("B", "A"), decides("C", 1, can.Merge),
			decides("A", 1, can.Merge), decides("B", 1, can.Split),
		}, brokenConflict},
		{"the proposer crashed", []step{requests("A", "B"), requests("B", "A"), decides("A", 1, can.Merge), fails("B")}, 0},
		{"a crash ends a round", []step{
			requests("B", "A"), requests("A", "B"), decides("A", 1, can.Merge), fails("B"),
			again(requests("B", "A")), again(decides("B", 1, can.Merge)),
		}, 0},
	}
}

// executions are runs about executed changes.
func executions() []checkedRun {
	return []checkedRun{
		{
			"a cancelled round is executed",
			[]step{requests("A", "B"), decides("A", 1, can.NoOp), executes("B", "A", 1, can.Merge)},
			brokenCancelled,
		},
		{
			"an executed round is cancelled",
			[]step{executes("B", "A", 1, can.Merge), decides("A", 1, can.NoOp)},
			brokenCancelled,
		},
		{"cancelled, and another node knows", []step{decides("A", 1, can.NoOp), executes("B", "A", 1, can.NoOp)}, 0},
		{"another round is cancelled", []step{decides("A", 1, can.NoOp), executes("B", "A", 2, can.Merge)}, 0},
		{"another node's round is cancelled", []step{decides("A", 1, can.NoOp), executes("B", "C", 1, can.Merge)}, 0},
		{
			"another incarnation's round is cancelled",
			[]step{decides("A", 1, can.NoOp), fails("A"), again(decides("A", 1, can.Split))},
			0,
		},
		{"two changes", []step{executes("B", "A", 3, can.Split), executes("C", "A", 3, can.Merge)}, brokenChange},
		{"not the one decided", []step{decides("A", 3, can.Split), executes("C", "A", 3, can.Takeover)}, brokenChange},
		{"the same twice", []step{executes("B", "A", 3, can.Split), executes("B", "A", 3, can.Split)}, 0},
		{"all of it", []step{
			requests("A", "B"), requests("B", "A"), decides("A", 1, can.Merge), decides("B", 1, can.Merge),
			executes("C", "A", 1, can.NoOp), executes("D", "B", 1, can.Split),
		}, brokenConflict | brokenCancelled | brokenChange},
		{
			"a broken property stays broken",
			[]step{
				executes("B", "A", 1, can.Split),
				executes("C", "A", 1, can.Merge),
				executes("D", "A", 1, can.Split),
				fails("A"),
			},
			brokenChange,
		},
	}
}

func TestMonitorChecksRuns(t *testing.T) {
	o := oracle[can.State, can.Message]{}
	for _, test := range slices.Concat(overlaps(), executions()) {
		t.Run(test.name, func(t *testing.T) {
			h := observe(test.run...)
			assert.Equal(t, test.broken, h.broken)
			g := &model.GlobalState[can.State, can.Message]{MonitorView: h}
			holds := map[string]bool{}
			for _, p := range o.properties() {
				if p.Shape == checker.Always {
					holds[p.Name] = p.Holds(g)
				}
			}
			assert.Equal(t, test.broken&brokenConflict == 0, holds["NoConflict"])
			assert.Equal(t, test.broken&brokenCancelled == 0, holds["CancelledStays"])
			assert.Equal(t, test.broken&brokenChange == 0, holds["OneCommand"])
		})
	}
}

func TestMonitorRemembersReports(t *testing.T) {
	tests := []struct {
		name         string
		run          []step
		joined, left uint32
	}{
		{"joined", []step{notifies("B", can.EventJoined)}, 2, 0},
		{"two joined", []step{notifies("B", can.EventJoined), notifies("D", can.EventJoined)}, 10, 0},
		{"joined and left", []step{notifies("B", can.EventJoined), notifies("B", can.EventLeft)}, 0, 2},
		{"a founder left", []step{notifies("A", can.EventLeft)}, 0, 1},
		{"fenced", []step{notifies("C", can.EventJoined), notifies("C", can.EventFenced)}, 0, 0},
		{"crashed", []step{notifies("C", can.EventJoined), fails("C")}, 0, 0},
		{"another one crashed", []step{notifies("C", can.EventJoined), fails("B")}, 4, 0},
	}
	for _, test := range tests {
		h := observe(test.run...)
		assert.Equal(t, nodeSet{first: test.joined}, h.joined, test.name)
		assert.Equal(t, nodeSet{first: test.left}, h.left, test.name)
	}
}

// A round is open until its proposer decides it or crashes.
func TestMonitorClosesWindows(t *testing.T) {
	assert.Len(t, observe(requests("A", "B"), requests("B", "A")).open, 2)
	for _, end := range []step{decides("A", 1, can.NoOp), decides("A", 1, can.Split), fails("A")} {
		assert.Equal(t, observe(requests("B", "D")).open, observe(requests("A", "C"), requests("B", "D"), end).open)
	}
	assert.Len(t, observe(requests("A", "B"), notifies("A", can.EventJoined), fails("B")).open, 1)
}

func TestMonitorSeesRescues(t *testing.T) {
	assert.False(
		t,
		observe(decides("A", 1, can.Merge), executes("B", "A", 1, can.Takeover)).rescued,
		"only a taker reports it",
	)
	assert.True(t, observe(decides("A", 1, can.Takeover)).rescued)
	assert.True(t, observe(notifies("A", published.EventTakeover)).rescued)
}

// Rounds that are not in each other's way leave the same history in any order of decisions.
func TestHistoryIsSorted(t *testing.T) {
	one := observe(
		decides("A", 1, can.Split),
		decides("A", 2, can.NoOp),
		decides("B", 1, can.Merge),
		again(decides("A", 1, can.Split)),
	)
	other := observe(
		again(decides("A", 1, can.Split)),
		decides("B", 1, can.Merge),
		decides("A", 2, can.NoOp),
		decides("A", 1, can.Split),
	)
	assert.Equal(t, one.encode(), other.encode())
	assert.Len(t, one.decided, 4)
}

func TestMonitorWants(t *testing.T) {
	for _, name := range []string{
		can.EventRequest, can.EventDecide, can.EventExecute, can.EventJoined, can.EventLeft, can.EventFenced,
		published.EventTakeover, "crash",
	} {
		assert.True(t, watcher.Wants(name), name)
	}
	assert.False(t, watcher.Wants(can.EventIgnore))
	assert.False(t, watcher.Wants(""))
	assert.Panics(t, func() { observe(step{node: "A", event: protocol.Event{Name: can.EventDecide, Detail: "DANCE"}}) })
}

func histories(t *rapid.T) history {
	node := rapid.Custom(func(t *rapid.T) protocol.NodeID {
		return protocol.NodeID{
			Address:     protocol.Address(rapid.Uint16().Draw(t, "address")),
			Incarnation: rapid.Uint16().Draw(t, "incarnation"),
		}
	})
	number := rapid.Uint32()
	set := func(t *rapid.T, label string) nodeSet { return nodeSet{first: number.Draw(t, label)} }
	windows := rapid.SliceOf(rapid.Custom(func(t *rapid.T) window {
		return window{node.Draw(t, "proposer"), set(t, "participants"), rapid.Bool().Draw(t, "overlapped")}
	}))
	decisions := rapid.SliceOf(rapid.Custom(func(t *rapid.T) decision {
		return decision{
			node.Draw(t, "proposer"),
			number.Draw(t, "round"),
			rapid.ByteMax(uint8(can.Takeover)).Draw(t, "command"),
		}
	}))
	h := history{
		open: windows.Draw(t, "open"), decided: decisions.Draw(t, "decided"), joined: set(t, "joined"),
		left: set(t, "left"), rescued: rapid.Bool().Draw(t, "rescued"), broken: number.Draw(t, "broken"),
	}
	if len(h.open) == 0 {
		h.open = nil // decoded from nothing
	}
	if len(h.decided) == 0 {
		h.decided = nil
	}
	return h
}

func TestHistoryIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := histories(t)
		bytes := h.encode()
		require.Equal(t, h, decodeHistory(bytes))
		cut := rapid.IntRange(0, len(bytes)-1).Draw(t, "cut")
		require.Panics(t, func() { decodeHistory(bytes[:cut]) }, "half a history is no history")
		require.Panics(t, func() { decodeHistory(append(bytes, 0)) })
	})
}
