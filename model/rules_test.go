package model_test

import (
	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// glimpse is the view of a state for the rules of the toy. Both sides of the comparison implement
// it, so that the rules are written once.
type glimpse interface {
	size() int
	live(i int) (courier, bool)
	running(id protocol.NodeID) bool
	networkEmpty() bool
	touches(i int) bool
	flying() []protocol.Envelope[note]
	past() diary
}

// worldGlimpse shows a world of the package under test.
type worldGlimpse struct {
	*model.GlobalState[courier, note]
}

func (w worldGlimpse) size() int                       { return len(w.Slots) }
func (w worldGlimpse) live(i int) (courier, bool)      { return w.Slots[i].State, w.Live(i) }
func (w worldGlimpse) running(id protocol.NodeID) bool { return w.Running(id) }
func (w worldGlimpse) networkEmpty() bool              { return w.NetworkEmpty() }
func (w worldGlimpse) touches(i int) bool              { return w.Touches(i) }
func (w worldGlimpse) past() diary                     { return w.MonitorView.(diary) }

func (w worldGlimpse) flying() []protocol.Envelope[note] {
	var all []protocol.Envelope[note]
	w.InFlight(func(e protocol.Envelope[note]) { all = append(all, e) })
	return all
}

// toyDue knows every answer that a rule can give.
func toyDue(g glimpse, node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case timerWatch:
		if g.running(t.Peer) {
			return model.Suspect
		}
		return model.Now
	case timerResend:
		if g.touches(node) {
			return model.Spurious
		}
		return model.Useful
	case timerBeat:
		if g.networkEmpty() {
			return model.Useful
		}
	}
	return model.Never
}

// toyRule is a property of the toy.
type toyRule struct {
	checker.Property
	holds func(g glimpse) bool
}

func every(g glimpse, holds func(i int, s courier) bool) bool {
	for i := range g.size() {
		if s, live := g.live(i); live && !holds(i, s) {
			return false
		}
	}
	return true
}

func idle(g glimpse) bool {
	return every(g, func(_ int, s courier) bool { return s.To.IsNobody() })
}

func toyRules() []toyRule {
	rule := func(shape checker.Shape, name string, holds func(g glimpse) bool) toyRule {
		return toyRule{checker.Property{Name: name, Shape: shape}, holds}
	}
	return []toyRule{
		rule(checker.Always, "True", func(glimpse) bool { return true }),
		rule(checker.Always, "ThanksAreEarned", func(g glimpse) bool { return g.past().thanked <= g.past().got }),
		rule(checker.Always, "Once", func(g glimpse) bool {
			return every(g, func(_ int, s courier) bool { return s.Got < 2 })
		}),
		rule(checker.Always, "NoMailForTheGone", func(g glimpse) bool {
			for _, e := range g.flying() {
				if !g.running(e.To) {
					return false
				}
			}
			return true
		}),
		rule(checker.Always, "NeverThanked", func(g glimpse) bool { return g.past().thanked == 0 }),
		rule(checker.Always, "NobodyIsFar", func(g glimpse) bool {
			return every(g, func(_ int, s courier) bool { return s.Heard < 2 })
		}),
		rule(checker.Always, "FewInFlight", func(g glimpse) bool { return len(g.flying()) < 4 }),
		rule(checker.Quiescent, "Delivered", idle),
		rule(checker.Quiescent, "Acquainted", func(g glimpse) bool {
			return every(g, func(i int, s courier) bool {
				return every(g, func(_ int, q courier) bool { return q.Known[i] == s.Self.Incarnation })
			})
		}),
		rule(checker.Sometimes, "TwoGotOne", func(g glimpse) bool { return g.past().got == 2 && idle(g) }),
		rule(checker.Sometimes, "ComesBack", func(g glimpse) bool {
			return !every(g, func(_ int, s courier) bool { return s.Self.Incarnation < 2 })
		}),
	}
}

// toyScript has the commands of the couriers' applications, incarnation by incarnation.
type toyScript struct {
	core  toy
	lives [][][]order
	rare  func(note) bool // reports notes that are never duplicated, though others are; nil: no notes
	fifo  bool            // messages from one courier to another arrive in order
	named bool            // messages reach only the incarnation that they name
}

func couriers(lives ...[][]order) toyScript { return toyScript{core: toy{n: len(lives)}, lives: lives} }

func give(to protocol.Address) order { return order{Kind: orderGive, To: to} }

func probe(to protocol.Address) order { return order{Kind: orderProbe, To: to} }

func self() order { return order{Kind: orderSelf} }

func end() order { return order{Kind: orderEnd} }

// twoCouriers: A gives to B, and in a second incarnation again; B gives in its second incarnation.
func twoCouriers() toyScript {
	return couriers([][]order{{give(1)}, {give(1)}}, [][]order{{}, {give(0)}})
}

// busyCouriers give to each other at once, and one of them twice.
func busyCouriers() toyScript {
	return couriers([][]order{{give(1), give(1)}}, [][]order{{give(0), end()}})
}

// patientCouriers: A gives to B, which ends, and would wait forever.
func patientCouriers() toyScript {
	s := couriers([][]order{{give(1)}}, [][]order{{end()}})
	s.core.patient = true
	return s
}

// selfishCouriers send notes to themselves, and say so when they are back.
func selfishCouriers() toyScript {
	s := couriers([][]order{{self(), give(1), end()}}, [][]order{{self()}, {self(), give(0)}})
	s.core.chatty = true
	return s
}

// rarely is a script whose couriers receive each copy of "here" only once, even if other notes come
// again.
func (s toyScript) rarely() toyScript {
	s.rare = func(n note) bool { return n.Kind == noteHere }
	return s
}

// byName is a script whose couriers get only messages to their present incarnation.
func (s toyScript) byName() toyScript {
	s.named = true
	return s
}

// inOrder is a script on a FIFO network.
func (s toyScript) inOrder() toyScript {
	s.fifo = true
	return s
}

// toyLatency: two couriers are as near as 1 or as far as 2; the distance to oneself is never 2.
func toyLatency(from, to protocol.NodeID) []uint32 {
	if from == to {
		return []uint32{1}
	}
	return []uint32{1, 2}
}

// curiousCouriers: A measures B, then itself while that lasts; B measures A, in its second
// incarnation too, and ends.
func curiousCouriers() toyScript {
	return couriers([][]order{{probe(1), give(1), probe(0)}}, [][]order{{probe(0), end()}, {probe(0)}})
}

// threeCouriers: A gives to B, B to C, and C ends.
func threeCouriers() toyScript {
	return couriers([][]order{{give(1)}}, [][]order{{give(2)}, {give(2)}}, [][]order{{end()}})
}

func (s toyScript) system(b model.Budget) *model.System[courier, note, order] {
	sys := &model.System[courier, note, order]{
		Info:      model.Info{Name: "toy/couriers", Nodes: len(s.lives), Budget: b},
		Core:      s.core,
		Identity:  func(s courier) protocol.NodeID { return s.Self },
		Stopped:   func(s courier) bool { return s.Ended },
		Crashable: func(w *model.GlobalState[courier, note], node int) bool { return toyCrashable(w.Slots[node].State) },
		Due: func(w *model.GlobalState[courier, note], node int, t protocol.Timer) model.Due {
			return toyDue(worldGlimpse{w}, node, t)
		},
		Latency:      toyLatency,
		Monitor:      toyMonitor{},
		QuiescentEnd: func(w *model.GlobalState[courier, note]) bool { return idle(worldGlimpse{w}) },
	}
	if s.fifo {
		sys.Network = model.FIFO
	}
	sys.ThisIncarnation = s.named
	if s.rare != nil {
		sys.Repeats = func(n note) bool { return !s.rare(n) }
	}
	for i, lives := range s.lives {
		sys.Nodes = append(
			sys.Nodes,
			model.Node[courier, order]{Name: string(rune('A' + i)), State: newCourier(i), Commands: lives},
		)
	}
	for _, r := range toyRules() {
		sys.Properties = append(sys.Properties, model.Property[courier, note]{
			Property: r.Property, Holds: func(w *model.GlobalState[courier, note]) bool { return r.holds(worldGlimpse{w}) },
		})
	}
	return sys
}

// toyCrashable: to crash twice in an incarnation that has done nothing makes no difference.
func toyCrashable(s courier) bool { return s.Self.Incarnation == 1 }
