package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/traces"
)

// monitor records the history of a run in a short form, without what changes no verdict.
type monitor struct {
	ops    map[uint32]store.Operation
	keys   []space.Point
	probes int             // this number of first keys are looked up
	crash  bool            // a crash may come
	loss   bool            // and may lose items
	before history         // of the prelude
	seeded map[uint32]bool // the operations of the prelude
}

func newMonitor(s *scenario) monitor {
	m := monitor{
		ops:    map[uint32]store.Operation{},
		keys:   s.keys(),
		probes: s.probes(),
		crash:  s.budget.Crash > 0,
		loss:   s.budget.Crash > 0 && !s.strict,
		seeded: map[uint32]bool{},
	}
	for _, c := range slices.Concat(s.seed, s.calls, s.late) {
		m.ops[c.op.ID] = c.op
	}
	for i, key := range m.keys {
		if node := s.layout.owner(key); i < m.probes {
			m.before.entries = append(m.before.entries, entry{kind: acquired, number: uint32(i), value: uint32(node)})
		} else if m.loss {
			m.before.holdings = append(m.before.holdings, holding{node, node, 1 << i})
		}
	}
	for _, c := range s.seed {
		m.seeded[c.op.ID] = true
		m.before.entries = append(
			m.before.entries,
			entry{kind: called, number: c.op.ID},
			entry{kind: returned, number: c.op.ID},
		)
	}
	return m
}

// entryKind is a kind of entry of a history. The kinds from called to crashed begin an interval,
// and returned ends one.
type entryKind uint8

const (
	called   entryKind = iota // operation
	crashed                   // key: its item may be lost
	returned                  // operation, mismatch, value; of a lookup: the owner's address
	acquired                  // probe, node
	released                  // probe, node
)

// entry is one entry of a history.
type entry struct {
	kind     entryKind
	number   uint32 // operation, key or probe
	mismatch bool
	value    uint32 // value or address
}

// holding means that a node stores the items of keys, or is to hand them over to another node. If
// either of the two crashes, the items may be lost.
type holding struct {
	node, to int
	keys     uint32 // by their index in monitor.keys
}

// history is the state of the monitor: the entries in their order, the holdings, the nodes that
// received a handover, and the witnesses that were seen.
type history struct {
	entries  []entry
	holdings []holding // sorted
	dead     []protocol.NodeID
	received uint32 // by address
	seen     witness
}

// Initial is the history of the prelude, which a monitor does not see.
func (m monitor) Initial() []byte { return m.before.encode() }

func (m monitor) Wants(event string) bool {
	switch event {
	case store.EventCalled,
		store.EventAnswered,
		store.EventUnknown,
		store.EventRejected,
		store.EventServed,
		store.EventRefused,
		store.EventReceived:
		return true
	case "crash":
		return m.crash
	case store.EventZone:
		return m.probes > 0 || m.loss
	case store.EventDelivered:
		return m.loss
	}
	return false
}

func (m monitor) Observe(mon []byte, node int, after store.State, events []protocol.Event) []byte {
	h := decodeHistory(mon)
	for i, e := range events {
		switch e.Name {
		case store.EventCalled:
			h.entries = append(h.entries, entry{kind: called, number: e.Number})
		case store.EventAnswered:
			if !m.seeded[e.Number] { // the monitor has not seen its call, and begins with its answer
				h.entries = append(h.entries, m.answer(events[i:]))
			}
		case store.EventRejected:
			h.seen |= rejected
			h.entries = slices.DeleteFunc(h.entries, func(x entry) bool { return x.kind == called && x.number == e.Number })
		case store.EventUnknown:
			h.seen |= uncertain
		case store.EventReceived:
			h.received |= 1 << node
		case store.EventServed:
			if h.received&(1<<node) != 0 {
				h.seen |= moved
			}
		case store.EventRefused:
			h.seen |= refused
		case "crash":
			m.lose(&h, func(x holding) bool { return x.node == node || x.to == node })
			h.dead = append(h.dead, e.Peer)
			h.received &^= 1 << node
			after = store.State{}
		}
	}
	m.owners(&h, node, after)
	m.hold(&h, node, &after)
	h.normalise()
	return h.encode()
}

// answer reads an answer from its events.
func (m monitor) answer(events []protocol.Event) entry {
	e := events[0]
	x := entry{kind: returned, number: e.Number, mismatch: e.Detail == store.DetailMismatch}
	switch op := m.ops[e.Number]; {
	case op.Kind == store.Lookup:
		x.value = uint32(e.Peer.Address)
	case op.Kind == store.Get || x.mismatch:
		x.value = events[1].Number
	}
	return x
}

// owners records which probes a node has acquired or released.
func (m monitor) owners(h *history, node int, after store.State) {
	for i, key := range m.keys[:m.probes] {
		owned := false
		for _, x := range h.entries {
			if x.number == uint32(i) && x.value == uint32(node) && (x.kind == acquired || x.kind == released) {
				owned = x.kind == acquired
			}
		}
		if owns := after.Owns(key); owns != owned {
			kind := released
			if owns {
				kind = acquired
			}
			h.entries = append(h.entries, entry{kind: kind, number: uint32(i), value: uint32(node)})
		}
	}
}

// hold records the items that a node stores or must hand over.
func (m monitor) hold(h *history, node int, after *store.State) {
	if !m.loss {
		return
	}
	before := slices.Clone(h.holdings)
	h.holdings = slices.DeleteFunc(h.holdings, func(x holding) bool { return x.node == node })
	note := func(to int, holds func(key space.Point) bool) {
		x := holding{node: node, to: to}
		for i, key := range m.keys {
			if holds(key) {
				x.keys |= 1 << i
			}
		}
		if x.keys != 0 {
			h.holdings = append(h.holdings, x)
		}
	}
	note(node, after.Keeps)
	for _, g := range after.Gifts {
		note(int(g.To.Address), g.Zone.Contains)
		if slices.Contains(h.dead, g.To) { // no node has noticed yet
			m.lose(h, func(x holding) bool {
				return x.node == node && x.to == int(g.To.Address) && !slices.Contains(before, x)
			})
		}
	}
	slices.SortFunc(h.holdings, func(a, b holding) int {
		return cmp.Or(a.node-b.node, a.to-b.to, cmp.Compare(a.keys, b.keys))
	})
	h.holdings = slices.Compact(h.holdings)
}

// lose records which items may be lost.
func (m monitor) lose(h *history, with func(holding) bool) {
	var lost uint32
	for _, x := range h.holdings {
		if with(x) {
			lost |= x.keys
		}
	}
	for i := range m.keys {
		if lost&(1<<i) != 0 {
			h.entries = append(h.entries, entry{kind: crashed, number: uint32(i)})
		}
	}
}

// normalise sorts consecutive calls, and consecutive returns: their order changes no verdict.
func (h *history) normalise() {
	run := func(k entryKind) int {
		switch k {
		case called, crashed:
			return 1
		case returned:
			return 2
		}
		return 0
	}
	for from := 0; from < len(h.entries); {
		to := from + 1
		class := run(h.entries[from].kind)
		for class > 0 && to < len(h.entries) && run(h.entries[to].kind) == class {
			to++
		}
		slices.SortFunc(h.entries[from:to], func(a, b entry) int {
			if a.kind != b.kind {
				return int(a.kind) - int(b.kind)
			}
			return int(a.number) - int(b.number)
		})
		from = to
	}
}

// past is the view of a history for properties.
type past struct {
	registers, ownership checker.Verdict
	wrong                []traces.Remark // about histories
	seen                 witness
}

// View is computed once for each history.
func (m monitor) View(mon []byte) any {
	h := decodeHistory(mon)
	registers, owners := m.operations(h.entries)
	spec := linear.Register()
	if m.loss {
		spec = linear.RegisterWithLoss()
	}
	p := &past{registers: spec.Check(registers, 0), ownership: linear.Ownership().Check(owners, 0), seen: h.seen}
	if p.registers != checker.Holds {
		p.wrong = append(p.wrong, traces.Remark{Property: "Linearizable", Text: spec.Text(registers, 0)})
	}
	if p.ownership != checker.Holds {
		p.wrong = append(p.wrong, traces.Remark{Property: "OneOwner", Text: linear.Ownership().Text(owners, 0)})
	}
	return m.witnesses(p, h.entries)
}

// operations turns entries into the operations on registers and those on ownership. The index of an
// entry is its time.
func (m monitor) operations(entries []entry) (registers, owners []linear.Operation) {
	open := map[uint32]linear.Operation{}
	for i, x := range entries {
		at := int64(i)
		switch x.kind {
		case called:
			op := m.ops[x.number]
			o := linear.Operation{Client: int(x.number), Call: at, Open: true}
			if o.Input = registerInput(op); op.Kind == store.Lookup {
				o.Input = linear.OwnershipInput{Point: keyText(op.Key)}
			}
			open[x.number] = o
		case returned:
			o := open[x.number]
			delete(open, x.number)
			o.Return, o.Open = at, false
			if m.ops[x.number].Kind == store.Lookup {
				o.Output = linear.OwnershipOutput{Node: model.NodeName(int(x.value))}
				owners = append(owners, o)
			} else {
				o.Output = linear.RegisterOutput{OK: !x.mismatch, Value: x.value}
				registers = append(registers, o)
			}
		case crashed:
			registers = append(registers, linear.Operation{Client: -1 - i, Call: at, Open: true, Input: linear.RegisterInput{
				Kind: linear.Lose, Key: keyText(m.keys[x.number]),
			}})
		case acquired, released:
			kind := linear.Acquire
			if x.kind == released {
				kind = linear.Release
			}
			owners = append(owners, linear.Operation{Client: -1 - i, Call: at, Return: at, Input: linear.OwnershipInput{
				Kind: kind, Point: keyText(m.keys[x.number]), Node: model.NodeName(int(x.value)),
			}})
		}
	}
	for _, x := range entries { // in their order, so that equal histories are equal
		if o, ok := open[x.number]; ok && x.kind == called {
			if _, lookup := o.Input.(linear.OwnershipInput); !lookup {
				registers = append(registers, o)
			}
		}
	}
	return registers, owners
}

// witnesses adds what can be read from the entries.
func (m monitor) witnesses(p *past, entries []entry) *past {
	var owners uint32
	put := false
	for _, x := range entries {
		if x.kind != returned {
			continue
		}
		op := m.ops[x.number]
		switch {
		case x.mismatch:
			p.seen |= mismatched
		case op.Kind == store.Lookup:
			if owners |= 1 << x.value; owners&(owners-1) != 0 {
				p.seen |= found
			}
		case op.Kind == store.Put:
			put = true
		case op.Kind == store.Get && x.value == 0 && put:
			p.seen |= reverted
		}
	}
	return p
}

func (h history) encode() []byte {
	b := protocol.AppendUint(nil, uint64(len(h.entries)))
	for _, x := range h.entries {
		b = protocol.AppendUint(append(b, byte(x.kind)), uint64(x.number))
		b = protocol.AppendUint(protocol.AppendBool(b, x.mismatch), uint64(x.value))
	}
	b = protocol.AppendUint(b, uint64(len(h.holdings)))
	for _, x := range h.holdings {
		b = protocol.AppendUint(append(b, byte(x.node), byte(x.to)), uint64(x.keys))
	}
	b = protocol.AppendUint(b, uint64(len(h.dead)))
	for _, id := range h.dead {
		b = protocol.AppendNodeID(b, id)
	}
	return protocol.AppendUint(protocol.AppendUint(b, uint64(h.received)), uint64(h.seen))
}

func decodeHistory(b []byte) history {
	r := protocol.NewReader(b)
	var h history
	for range r.Count() {
		h.entries = append(h.entries, entry{
			kind: entryKind(
				r.Uint(uint64(released)),
			), number: uint32(r.Uint(1<<32 - 1)), mismatch: r.Bool(), value: uint32(r.Uint(1<<32 - 1)),
		})
	}
	for range r.Count() {
		h.holdings = append(
			h.holdings,
			holding{node: int(r.Uint(model.MaxNodes)), to: int(r.Uint(model.MaxNodes)), keys: uint32(r.Uint(1<<32 - 1))},
		)
	}
	for range r.Count() {
		h.dead = append(h.dead, r.NodeID())
	}
	h.received, h.seen = uint32(r.Uint(1<<32-1)), witness(r.Uint(255))
	if err := r.Close(); err != nil {
		panic(fmt.Sprintf("the monitor's own state: %v", err))
	}
	return h
}
