package store

import (
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// view has the data of a node for properties and timers.
type view struct {
	serves  uint64           // the keys in use that it serves, by their index in scenario.keys
	wants   uint64           // the keys of its pending operations
	pending bool             // an operation of its clients is pending
	ended   bool             // no operation of its clients is pending, and it sends and awaits no items
	busy    bool             // it hands items over, or is in a round
	strays  bool             // it stores an item outside its zone
	exceeds bool             // it remembers or holds more than a limit allows
	idling  bool             // it awaits unneeded items
	muddled bool             // a list is not in its order, or has something twice
	timers  []protocol.Timer // that it waits for, if it has not finished
}

func (s *scenario) viewOf(cfg *store.Config, n *store.State) *view {
	v := &view{pending: len(n.Pending) > 0, ended: Ended(n), busy: hands(n) || n.CAN.Busy()}
	v.serves = Served(n, s.keys())
	for i, key := range s.keys() {
		if slices.ContainsFunc(n.Pending, func(p store.Pending) bool { return p.Operation.Key == key }) {
			v.wants |= 1 << i
		}
	}
	v.strays = Strays(n)
	v.exceeds = s.exceeds(cfg, n)
	v.idling = slices.ContainsFunc(n.Awaits, func(a store.Await) bool { return !needed(n, a) })
	v.muddled = muddled(n)
	if !n.Finished() {
		v.timers = n.Timers()
	}
	return v
}

// Served returns which of the keys a node serves, one bit each. There are at most 64. OneServer: no
// two live nodes serve the same.
func Served(n *store.State, keys []space.Point) (set uint64) {
	for i, key := range keys {
		if n.Serves(key) {
			set |= 1 << i
		}
	}
	return set
}

// Ended reports whether no operation of a node's clients is pending and no item is in handover.
func Ended(n *store.State) bool { return len(n.Pending) == 0 && !hands(n) }

// hands reports whether a node sends or awaits items.
func hands(n *store.State) bool { return len(n.Gifts)+len(n.Awaits) > 0 }

// Strays reports whether a node stores an item outside its zone, against ItemsInside.
func Strays(n *store.State) bool {
	return slices.ContainsFunc(n.Items, func(it store.Item) bool { return !n.CAN.Self.Zone.Contains(it.Key) })
}

// needed reports whether items that a node awaits are for its zone or for one of its gifts.
func needed(n *store.State, a store.Await) bool {
	return a.Zone.Overlaps(n.CAN.Self.Zone) ||
		slices.ContainsFunc(n.Gifts, func(g store.Gift) bool { return slices.Contains(g.Needs, a.Source) })
}

// muddled reports whether a list of a node is not as it should be: items are sorted by key,
// operations by ID, failed nodes by identity; there is one decision on a request, and a leaver is
// remembered once.
func muddled(n *store.State) bool {
	met := map[[2]any]bool{}
	for _, d := range n.Decided {
		met[[2]any{d.Client, d.ID}] = true
	}
	left := map[protocol.NodeID]bool{}
	for _, id := range n.Left {
		left[id] = true
	}
	increases := len(met) == len(n.Decided) && len(left) == len(n.Left)
	for i := 1; i < len(n.Items); i++ {
		increases = increases && slices.Compare(n.Items[i-1].Key[:], n.Items[i].Key[:]) < 0
	}
	for i, p := range n.Pending {
		increases = increases && (i == 0 || n.Pending[i-1].Operation.ID < p.Operation.ID)
		for k := 1; k < len(p.Tried); k++ {
			increases = increases && p.Tried[k-1].Compare(p.Tried[k]) < 0
		}
	}
	return !increases
}

// timersKept compares the timers at the driver with the timers that the nodes wait for.
func timersKept(g *globalState) bool {
	for i := range g.Slots {
		v, live := g.Slots[i].View.(*view)
		if !live || v.timers == nil {
			continue
		}
		pending := g.Slots[i].Timers
		if len(v.timers) != len(pending) ||
			slices.ContainsFunc(v.timers, func(t protocol.Timer) bool { return !slices.Contains(pending, t) }) {
			return false
		}
	}
	return true
}

// exceeds reports whether a node is beyond a limit. Merges may bring more items than ItemLimit.
func (s *scenario) exceeds(cfg *store.Config, n *store.State) bool {
	if s.leavers == "" && s.former == "" && s.budget.Crash == 0 && len(n.Items) > cfg.ItemLimit {
		return true
	}
	return len(n.Decided) > cfg.DecidedLimit || len(n.Left) > cfg.LeftLimit || len(n.Pending) > cfg.OpLimit ||
		slices.ContainsFunc(n.Pending, func(p store.Pending) bool {
			return p.Redirects > cfg.RedirectLimit || len(p.Tried) > cfg.TriedLimit
		})
}

type property = model.Property[store.State, store.Message]

// always is a property of every state.
func always(name, doc string, holds func(*globalState) bool) property {
	return property{Property: checker.Property{Name: name, Doc: doc, Shape: checker.Always}, Holds: holds}
}

// never is a property of every state: no live node satisfies the condition.
func never(name, doc string, wrong func(*view) bool) property {
	return always(name, doc, func(g *globalState) bool { return !some(g, wrong) })
}

func (s *scenario) properties() []property {
	doc := "every history is linearizable for registers"
	if s.budget.Crash > 0 && !s.strict {
		doc = "every history is linearizable for registers that a crash of their node may reset to 0 once"
	}
	all := []property{
		always("Linearizable", doc, func(g *globalState) bool { return g.MonitorView.(*past).registers == checker.Holds }),
		always("OneServer", "no two nodes serve the same key", oneServer),
		never("ItemsInside", "a node holds no item outside its zone", func(v *view) bool { return v.strays }),
		never("AwaitsNeeded", "a node awaits no items that nobody needs", func(v *view) bool { return v.idling }),
		never("ListsKept", "lists are sorted, and nothing is there twice", func(v *view) bool { return v.muddled }),
		always("TimersKept", "the pending timers of a node are those that it waits for", timersKept),
		never("Bounded", "no node is beyond a limit of Config", func(v *view) bool { return v.exceeds }),
		{
			Property: checker.Property{
				Name:  "Ended",
				Doc:   "when quiescent, no operation is pending and no item is in handover",
				Shape: checker.Quiescent,
			},
			Holds: func(g *globalState) bool { return !some(g, func(v *view) bool { return !v.ended }) },
		},
	}
	if s.probes() > 0 {
		one := "a point has at most one owner, and a lookup finds an owner of that time"
		all = append(all, always("OneOwner", one, func(g *globalState) bool {
			return g.MonitorView.(*past).ownership == checker.Holds
		}))
	}
	if s.budget.Crash+s.budget.Spurious == 0 && !s.vague {
		all = append(all, always("Certain", "every operation ends with a definite answer", func(g *globalState) bool {
			return g.MonitorView.(*past).seen&uncertain == 0
		}))
	}
	all = append(all, s.witnesses()...)
	if !s.safety {
		pending := func(g *globalState) bool { return some(g, func(v *view) bool { return v.pending }) }
		all = append(all, property{
			Property: checker.Property{Name: "Answered", Doc: "every operation ends", Shape: checker.LeadsTo},
			Triggers: pending, Holds: func(g *globalState) bool { return !pending(g) },
		})
	}
	return all
}

func (s *scenario) witnesses() []property {
	var all []property
	for _, each := range []struct {
		bit       witness
		name, doc string
	}{
		{moved, "Moves", "a node that received a handover executes an operation"},
		{refused, "Refuses", "a node that does not own the key refuses an operation"},
		{mismatched, "Mismatches", "a compare-and-set finds another value than expected"},
		{reverted, "Reverts", "a get reads 0 after a put"},
		{uncertain, "Uncertain", "an operation ends with an unknown outcome"},
		{rejected, "Rejects", "an operation ends without having been executed"},
		{found, "FindsBoth", "lookups find two owners, one after the other"},
	} {
		if s.witness&each.bit != 0 {
			all = append(all, property{
				Property: checker.Property{Name: each.name, Doc: each.doc, Shape: checker.Sometimes},
				Holds:    func(g *globalState) bool { return g.MonitorView.(*past).seen&each.bit != 0 },
			})
		}
	}
	return all
}

// some reports whether a live node satisfies the condition.
func some(g *globalState, holds func(*view) bool) bool {
	for i := range g.Slots {
		if v, live := g.Slots[i].View.(*view); live && holds(v) {
			return true
		}
	}
	return false
}

func oneServer(g *globalState) bool {
	served := uint64(0)
	for i := range g.Slots {
		if v, live := g.Slots[i].View.(*view); live {
			if served&v.serves != 0 {
				return false
			}
			served |= v.serves
		}
	}
	return true
}

// idle reports whether no node waits for anything.
func idle(g *globalState) bool {
	return !some(g, func(v *view) bool { return v.pending || v.busy })
}
