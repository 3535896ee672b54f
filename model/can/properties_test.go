package can

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Every property of all states, and of quiescent states, holds in the initial state, which is
// quiescent. No witness is there before anything has happened.
func TestInitialStates(t *testing.T) {
	for _, m := range catalogue() {
		name, mc := m.Info().Name, m.Model()
		worker, asked := mc.NewWorker(), 0
		mc.Initial(func(state []uint32) {
			for i, p := range mc.Properties() {
				switch p.Shape {
				case checker.Always, checker.Quiescent:
					assert.True(t, worker.Holds(i, state), "%s: %s", name, p.Name)
					asked++
				case checker.Sometimes:
					assert.False(t, worker.Holds(i, state), "%s: %s", name, p.Name)
				case checker.LeadsTo, checker.AlmostSurely, checker.Reaches:
					assert.True(t, worker.Holds(i, state), "%s: %s", name, p.Name)
					assert.False(t, worker.Triggers(i, state), "%s: %s", name, p.Name)
				}
			}
			assert.True(t, worker.Quiescent(state), name)
		})
		wanted := len(oracle[can.State, can.Message]{}.properties())
		if strings.HasPrefix(name, "can/") {
			wanted += len(rules) + 1 // ViewsFit
		}
		assert.Equal(t, wanted, asked, name)
	}
}

type (
	mapOracle = oracle[can.State, can.Message]
	handMade  = model.GlobalState[can.State, can.Message]
)

// plane is the space of the hand-made states, 8 by 8. Square and tee are two maps of it:
//
//	C | D        C | B
//	A | B        A A
type plane struct {
	oracle mapOracle
	views  []*View
	past   history
}

func (p *plane) state() *handMade {
	g := &handMade{MonitorView: &p.past}
	for _, v := range p.views {
		slot := &model.Slot[can.State]{}
		if v != nil {
			slot.View = v
		}
		g.Slots = append(g.Slots, slot)
	}
	return g
}

func box(x0, y0, x1, y1 int32) space.Zone {
	z := space.Zone{Low: at(x0, y0), High: at(x1, y1)}
	for k := 2; k < len(z.High); k++ {
		z.High[k] = 1
	}
	return z
}

// mapOf returns a state in which all nodes know each other, each with its coordinate in its low
// corner.
func mapOf(t *testing.T, zones ...space.Zone) *plane {
	t.Helper()
	sp, err := space.New(0, 8, 8)
	require.NoError(t, err)
	p := &plane{oracle: mapOracle{space: sp}}
	for i, z := range zones {
		p.oracle.coords = append(p.oracle.coords, z.Low)
		p.views = append(p.views, &View{
			Self: Seen{ID: id(model.NodeName(i)), Zone: z, Coord: z.Low, Version: 1}, Member: true,
		})
	}
	p.meet()
	return p
}

// meet lets all members know each other as they are.
func (p *plane) meet() {
	for i, v := range p.views {
		v.Known = nil
		for j, q := range p.views {
			if i != j && q.Member {
				v.Known = append(v.Known, q.Self)
			}
		}
	}
}

// forget removes a node's record of another.
func (p *plane) forget(node, of int) {
	p.views[node].Known = slices.DeleteFunc(p.views[node].Known, func(q Seen) bool { return q.ID == p.views[of].Self.ID })
}

// mistake changes a node's record of another.
func (p *plane) mistake(node, of int, change func(*Seen)) {
	for i, q := range p.views[node].Known {
		if q.ID == p.views[of].Self.ID {
			change(&p.views[node].Known[i])
		}
	}
}

func squareMap(t *testing.T) *plane {
	return mapOf(t, box(0, 0, 4, 4), box(4, 0, 8, 4), box(0, 4, 4, 8), box(4, 4, 8, 8))
}

func teeMap(t *testing.T) *plane {
	return mapOf(t, box(0, 0, 8, 4), box(4, 4, 8, 8), box(0, 4, 4, 8))
}

// rowMap is four nodes side by side; the ends do not know each other.
func rowMap(t *testing.T) *plane {
	p := mapOf(t, box(0, 0, 2, 8), box(2, 0, 4, 8), box(4, 0, 6, 8), box(6, 0, 8, 8))
	p.forget(0, 3)
	p.forget(3, 0)
	return p
}

// broken names the properties that fail in the state.
func (p *plane) broken() []string {
	var names []string
	for _, v := range p.views[len(p.oracle.coords):] {
		var coord space.Point
		if v != nil {
			coord = v.Self.Coord
		}
		p.oracle.coords = append(p.oracle.coords, coord)
	}
	for _, property := range p.oracle.properties() {
		if !property.Holds(p.state()) {
			names = append(names, property.Name)
		}
	}
	return names
}

func TestGoodStates(t *testing.T) {
	assert.Empty(t, squareMap(t).broken())
	assert.Empty(t, teeMap(t).broken())
	assert.Empty(t, rowMap(t).broken())

	down := teeMap(t)
	down.views = append(down.views, nil, &View{Self: Seen{ID: id("E")}, Joining: true})
	assert.Empty(t, down.broken(), "a node that is down or outside owns nothing and need not be known")

	lone := mapOf(t, box(0, 0, 8, 8))
	assert.Empty(t, lone.broken())
}

// Each state is good but for one thing, and breaks exactly the properties that forbid it.
func TestBadStates(t *testing.T) {
	tests := []struct {
		name  string
		state func(*testing.T) *plane
		spoil func(p *plane)
		want  []string
	}{
		{"overlap", squareMap, func(p *plane) {
			p.views[0].Self.Zone = box(0, 0, 5, 4) // one column of B's
			p.meet()
		}, []string{"NoOverlap", "Routable"}},
		{"the same zone twice", teeMap, func(p *plane) {
			p.views = append(p.views, &View{Self: Seen{ID: id("D"), Zone: box(4, 4, 8, 8), Coord: at(5, 5)}, Member: true})
			p.meet()
		}, []string{"NoOverlap", "Routable"}},
		{"a coordinate outside", squareMap, func(p *plane) {
			p.views[1].Self.Coord = at(3, 0)
			p.meet()
		}, []string{"OwnerInside", "Routable"}},
		{"a coordinate just outside", squareMap, func(p *plane) {
			p.views[0].Self.Coord = at(0, 4)
			p.meet()
		}, []string{"OwnerInside", "Routable"}},
		{"a gap", squareMap, func(p *plane) {
			p.views[3].Self.Zone = box(4, 4, 8, 7)
			p.meet()
		}, []string{"NoGap"}},
		{"a node down whose zone has no owner", squareMap, func(p *plane) {
			for i := range 3 {
				p.forget(i, 3)
			}
			p.views[3] = nil
		}, []string{"NoGap"}},
		{"everybody is gone", squareMap, func(p *plane) { p.views = make([]*View, 4) }, []string{"NoGap"}},
		{
			"a direct neighbour unknown",
			teeMap,
			func(p *plane) { p.forget(1, 2) },
			[]string{"NeighboursKnow", "ViewsAgree", "Routable"},
		},
		{"an indirect neighbour unknown", squareMap, func(p *plane) { p.forget(0, 3) }, []string{"ViewsAgree"}},
		{"an indirect neighbour unknown in a row", rowMap, func(p *plane) { p.forget(0, 2) }, []string{"ViewsAgree"}},
		{"one who is no neighbour known", rowMap, func(p *plane) {
			p.views[0].Known = append(p.views[0].Known, p.views[3].Self)
		}, []string{"ViewsAgree"}},
		{"a ghost known", teeMap, func(p *plane) {
			p.views[0].Known = append(p.views[0].Known, Seen{ID: id("F"), Zone: box(0, 0, 1, 1)})
		}, []string{"ViewsAgree"}},
		{"a dead one known in place of a live one", teeMap, func(p *plane) {
			p.mistake(0, 1, func(q *Seen) { q.ID.Incarnation = 2 })
		}, []string{"NeighboursKnow", "ViewsAgree", "Routable"}},
		{"a stale zone", squareMap, func(p *plane) {
			p.mistake(0, 1, func(q *Seen) { q.Zone = box(4, 0, 8, 8) })
		}, []string{"NeighboursKnow", "ViewsAgree"}},
		{"a stale zone of an indirect neighbour", squareMap, func(p *plane) {
			p.mistake(0, 3, func(q *Seen) { q.Zone = box(4, 5, 8, 8) })
		}, []string{"ViewsAgree"}},
		{"a stale version", squareMap, func(p *plane) {
			p.mistake(2, 0, func(q *Seen) { q.Version = 0 })
		}, []string{"NeighboursKnow", "ViewsAgree"}},
		{"a stale coordinate", squareMap, func(p *plane) {
			p.mistake(2, 0, func(q *Seen) { q.Coord = at(1, 1) })
		}, []string{"NeighboursKnow", "ViewsAgree"}},
		{"a point that a node cannot route to", rowMap, func(p *plane) {
			p.forget(0, 1)
		}, []string{"NeighboursKnow", "ViewsAgree", "Routable"}},
		{"a route broken on the way", rowMap, func(p *plane) {
			p.forget(1, 2)
		}, []string{"NeighboursKnow", "ViewsAgree", "Routable"}},
		{"a lure that leads astray", rowMap, func(p *plane) {
			p.mistake(1, 0, func(q *Seen) { q.Zone = box(4, 0, 8, 8) }) // A, which is nearer and further off
		}, []string{"NeighboursKnow", "ViewsAgree", "Routable"}},
		{"busy when quiescent", squareMap, func(p *plane) { p.views[2].Busy = true }, []string{"NobodyBusy"}},
		{"busy outside", squareMap, func(p *plane) {
			p.views = append(p.views, &View{Self: Seen{ID: id("E")}, Joining: true, Busy: true})
		}, []string{"NobodyBusy"}},
		{"reported joined, without a zone", teeMap, func(p *plane) {
			p.views = append(p.views, &View{Self: Seen{ID: id("D")}, Joining: true})
			p.past.joined.add(3)
		}, []string{"Truthful"}},
		{"reported left, with a zone", teeMap, func(p *plane) { p.past.left.add(1) }, []string{"Truthful"}},
		{"rounds in conflict", teeMap, func(p *plane) { p.past.broken = brokenConflict }, []string{"NoConflict"}},
		{"a cancelled round", teeMap, func(p *plane) { p.past.broken = brokenCancelled }, []string{"CancelledStays"}},
		{"two commands", teeMap, func(p *plane) { p.past.broken = brokenChange }, []string{"OneCommand"}},
	}
	caught := map[string]bool{}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := test.state(t)
			test.spoil(p)
			assert.Equal(t, test.want, p.broken())
			for _, name := range p.broken() {
				caught[name] = true
			}
		})
	}
	for _, p := range (mapOracle{}).properties() {
		assert.True(t, caught[p.Name], "no state breaks %s", p.Name)
	}
}

// A node that reported something may have commanded something else since, and reports of a node
// that is down do not count.
func TestTruthful(t *testing.T) {
	const bit = 1 << 1
	tests := []struct {
		name         string
		joined, left uint32
		b            *View
		want         bool
	}{
		{"a founder reported nothing", 0, 0, &View{Member: true}, true},
		{"joined", bit, 0, &View{Member: true}, true},
		{"joined, and is not in", bit, 0, &View{}, false},
		{"joined, and asks again", bit, 0, &View{Joining: true}, false},
		{"joined, and about to leave", bit, 0, &View{Member: true, WantsLeave: true}, true},
		{"joined, and on its way out", bit, 0, &View{WantsLeave: true}, true},
		{"joined, and down", bit, 0, nil, true},
		{"left", 0, bit, &View{Departed: true}, true},
		{"left, and still in", 0, bit, &View{Member: true}, false},
		{"left, and about to", 0, bit, &View{Member: true, WantsLeave: true}, false},
		{"another reported", 1, 1, &View{}, true},
	}
	for _, test := range tests {
		p := &plane{views: []*View{nil, test.b}}
		p.past.joined.first, p.past.left.first = test.joined, test.left
		assert.Equal(t, test.want, p.oracle.truthful(p.state()), test.name)
	}
}
