package refine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// The properties of all states hold at the beginning. No witness is there before anything has
// happened.
func TestInitialStates(t *testing.T) {
	for _, m := range Models() {
		name, mc := m.Info().Name, m.Model()
		worker := mc.NewWorker()
		mc.Initial(func(state []uint32) {
			for i, p := range mc.Properties() {
				switch {
				case p.Shape == checker.Always:
					assert.True(t, worker.Holds(i, state), "%s: %s", name, p.Name)
				case p.Shape == checker.Sometimes:
					assert.False(t, worker.Holds(i, state), "%s: %s", name, p.Name)
				}
			}
		})
	}
}

// grid is a hand-made state of the nodes A, B, ...
type grid struct {
	views []*View
	past  history
	down  int // the index of the node that has failed; -1: none
}

// agreed returns a state in which A has a cluster with B and C, which all three know and advertise.
func agreed() *grid {
	c := Cluster{Head: id('A'), Round: 2, Members: ids("ABC")}
	g := &grid{down: -1, past: history{found: []Cluster{{id('A'), 2, ids("ABCD")}}}}
	g.views = append(g.views, &View{ID: id('A'), Client: ClientWait, Head: HeadSteady, Round: 2, Own: c, Advertised: c})
	for _, name := range []byte("BC") {
		slot := Slot{Head: id('A'), Round: 2, Stage: Committed, Cluster: c}
		g.views = append(g.views, &View{ID: id(name), Client: ClientSteady, Slots: []Slot{slot}, Advertised: c})
	}
	g.views = append(g.views, &View{ID: id('D'), Client: ClientWait})
	return g
}

// broken returns the properties that fail in the state, with M = 2 and N = 3.
func (g *grid) broken(t *testing.T) []string {
	t.Helper()
	o := oracle[*View, refine.Message]{2, 3}
	w := globalState[*View, refine.Message]{MonitorView: &g.past}
	for i, v := range g.views {
		slot := &model.Slot[*View]{}
		if i != g.down {
			slot.View = v
		}
		w.Slots = append(w.Slots, slot)
	}
	var names []string
	for _, p := range o.properties() {
		if !p.Holds(&w) {
			names = append(names, p.Name)
		}
	}
	return names
}

func TestPropertiesCanFail(t *testing.T) {
	require.Empty(t, agreed().broken(t))
	slot := func(g *grid, name byte) *Slot { return &g.views[name-'A'].Slots[0] }
	other := Slot{Head: id('D'), Round: 1, Stage: Committed}
	tests := []struct {
		name   string
		spoil  func(g *grid)
		broken []string
	}{
		{
			"two foreign clusters",
			func(g *grid) { g.views[1].Slots = append(g.views[1].Slots, other) },
			[]string{"MembershipBound", "HeadKnows", "Agree"},
		},
		{"clusters with too many nodes together", func(g *grid) {
			for _, members := range []string{"BDE", "BFG"} {
				c := Cluster{Head: id(members[1]), Round: 1, Members: ids(members)}
				g.views[1].Slots = append(g.views[1].Slots, Slot{Head: c.Head, Round: 1, Stage: Committed, Cluster: c})
				g.past.found = append(g.past.found, c)
			}
		}, []string{"MembershipBound", "AwarenessBound", "Agree"}},
		{"a cluster of four", func(g *grid) {
			slot(g, 'B').Cluster.Members = ids("ABCD")
		}, []string{"SizeBound", "Advertises", "Agree", "Largest"}},
		{"a pair that was not measured", func(g *grid) { g.past.broken = brokenPair }, []string{"Measured"}},
		{"a cluster that no head found", func(g *grid) { g.past.found[0].Round = 1 }, []string{"Measured"}},
		{"a member that the head did not find", func(g *grid) { g.past.found[0].Members = ids("AB") }, []string{"Measured"}},
		{"a member that the head does not know", func(g *grid) {
			g.views[0].Own.Members, g.views[0].Advertised.Members = ids("AB"), ids("AB")
		}, []string{"HeadKnows", "Agree"}},
		{"a head that has another cluster by now", func(g *grid) {
			g.views[0].Own = Cluster{id('A'), 3, ids("AB")}
			g.past.found = append(g.past.found, g.views[0].Own)
		}, []string{"Advertises", "Agree"}},
		{"a removed member that runs", func(g *grid) { g.past.gone = ids("C") }, []string{"RemovedIsGone"}},
		{
			"a cluster that the node is not in",
			func(g *grid) { g.views[3].Advertised = g.views[0].Own },
			[]string{"Advertises"},
		},
		{"a smaller cluster of its own", func(g *grid) {
			g.views[1].Own = Cluster{id('B'), 1, ids("B")}
			g.views[1].Advertised = g.views[1].Own
			g.past.found = append(g.past.found, g.views[1].Own)
		}, []string{"Largest"}},
		{"a member that waits for its confirmation", func(g *grid) {
			*slot(g, 'B') = Slot{Head: id('A'), Round: 2, Stage: Accepted}
			g.views[1].Advertised = Cluster{}
		}, []string{"Agree", "NobodyStuck"}},
		{"a member with another round", func(g *grid) { slot(g, 'B').Round = 3 }, []string{"Agree"}},
		{"a suitor without an answer", func(g *grid) {
			g.views[3].Slots = []Slot{{Head: id('B'), Round: 1, Stage: Suitor}}
		}, []string{"NobodyStuck"}},
		{"a head that waits", func(g *grid) { g.views[3].Head = HeadSolicit }, []string{"NobodyStuck"}},
		{"a client that measures", func(g *grid) { g.views[3].Client = ClientMeasure }, []string{"NobodyStuck"}},
		{"a head that is deferred", func(g *grid) { g.views[3].Deferred = ids("C") }, []string{"AskedAgain"}},
		{"a member that has failed", func(g *grid) { g.down = 2 }, []string{"Agree"}},
		{"a head that has failed", func(g *grid) { g.down = 0 }, []string{"Agree"}},
		{"too many acquaintances", func(g *grid) {
			// A is in clusters of seven nodes together; six are bound to be known only with M = 3.
			for _, members := range []string{"AEF", "AGH"} {
				c := Cluster{Head: id(members[1]), Round: 1, Members: ids(members)}
				g.views = append(g.views, &View{ID: id(members[1]), Own: c, Advertised: c})
				g.past.found = append(g.past.found, c)
			}
		}, []string{"AdoptionBound", "Agree"}},
	}
	for _, test := range tests {
		g := agreed()
		test.spoil(g)
		assert.Equal(t, test.broken, g.broken(t), test.name)
	}
}

// watcher is a monitor whose nodes are views: it sees only views that a test passes to it.
var watcher = monitor[*View]{func(v *View) *View { return v }, pairing{diameter: diameter}}

// step is one step of a hand-made run: the events of a node, and its cluster then.
type step struct {
	node    byte
	event   protocol.Event
	members string
}

func observe(steps ...step) *history {
	mon := watcher.Initial()
	for _, s := range steps {
		v := &View{ID: id(s.node), Own: Cluster{Head: id(s.node), Round: s.event.Number, Members: ids(s.members)}}
		mon = watcher.Observe(mon, int(v.ID.Address), v, []protocol.Event{s.event})
	}
	return watcher.View(mon).(*history)
}

// someRun are nodes of which the first eight run.
type someRun struct{ Views }

func (someRun) Of(id protocol.NodeID) (*View, bool) { return nil, id.Address < 8 }

// A candidate that was filtered out fits if it runs, there is room and it is near all members.
func TestFilledCanFail(t *testing.T) {
	near := func(id, _ protocol.NodeID) bool { return id.Address%2 == 1 }
	tests := []struct {
		name     string
		filtered string
		size     int
		holds    bool
	}{
		{"no candidate is filtered out", "", 4, true},
		{"one would fit", "D", 4, false},
		{"the second would fit", "ED", 4, false},
		{"the cluster is full", "D", 3, true},
		{"one is far", "E", 4, true},
		{"one does not run", "J", 4, true},
	}
	for _, test := range tests {
		v := agreed().views[0]
		v.Filtered = ids(test.filtered)
		assert.Equal(t, test.holds, Bounds{2, test.size}.Filled(v, someRun{}, near), test.name)
	}
}

func TestMonitorChecksMeasurements(t *testing.T) {
	round := func(node byte) step { return step{node: node, event: protocol.Event{Name: eventRound, Number: 1}} }
	steady := func(node byte, members string) step {
		return step{node, protocol.Event{Name: eventSteady, Number: 1}, members}
	}
	measured := func(node, peer byte, micros uint32) step {
		return step{node: node, event: protocol.Event{Name: eventMeasured, Peer: id(peer), Number: micros}}
	}
	crash := func(node byte) step { return step{node: node, event: protocol.Event{Name: "crash", Peer: id(node)}} }
	tests := []struct {
		name   string
		run    []step
		broken bool
	}{
		{"nothing", nil, false},
		{"alone", []step{round('A'), steady('A', "A")}, false},
		{"both ends", []step{round('A'), measured('A', 'B', 9), measured('B', 'A', 9), steady('A', "AB")}, false},
		{
			"just within",
			[]step{round('A'), measured('A', 'B', diameter), measured('B', 'A', diameter), steady('A', "AB")},
			false,
		},
		{"in any order", []step{round('A'), measured('B', 'A', 9), measured('A', 'B', 9), steady('A', "AB")}, false},
		{"one end", []step{round('A'), measured('A', 'B', 9), steady('A', "AB")}, true},
		{"the other end", []step{round('A'), measured('B', 'A', 9), steady('A', "AB")}, true},
		{"too far", []step{round('A'), measured('A', 'B', 9), measured('B', 'A', diameter+1), steady('A', "AB")}, true},
		{"before the round", []step{measured('A', 'B', 9), measured('B', 'A', 9), round('A'), steady('A', "AB")}, true},
		{
			"in an earlier round",
			[]step{round('A'), measured('A', 'B', 9), measured('B', 'A', 9), round('A'), steady('A', "AB")},
			true,
		},
		{
			"in two rounds at once",
			[]step{round('A'), round('B'), measured('A', 'B', 9), measured('B', 'A', 9), steady('A', "AB"), steady('B', "AB")},
			false,
		},
		{"members of each other", []step{
			round('A'), measured('A', 'B', 9), measured('B', 'A', 9), measured('A', 'C', 9), measured('C', 'A', 9),
			measured('B', 'C', 9), steady('A', "ABC"),
		}, true},
		{"without a round", []step{steady('A', "AB")}, true},
		{"the round ends with a crash", []step{
			round('A'), measured('A', 'B', 9), measured('B', 'A', 9), crash('A'), steady('A', "AB"),
		}, true},
		{"a member's crash changes nothing", []step{
			round('A'), measured('A', 'B', 9), measured('B', 'A', 9), crash('B'), steady('A', "AB"),
		}, false},
	}
	for _, test := range tests {
		h := observe(test.run...)
		assert.Equal(t, test.broken, h.broken&brokenPair != 0, test.name)
		again := decodeHistory(h.encode())
		assert.Equal(t, h, &again, test.name)
	}
	gone := observe(
		step{node: 'A', event: protocol.Event{Name: eventRemoved, Peer: id('C')}},
		step{node: 'B', event: protocol.Event{Name: eventRemoved, Peer: id('B')}},
	)
	assert.Equal(t, ids("BC"), gone.gone)
}
