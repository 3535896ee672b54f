package model

import (
	"bytes"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// compiled is a system that is ready for checks: its components are interned and its steps
// memoised.
//
// A state vector of n nodes holds the ids of their n places, then the id of the monitor's state if
// there is a monitor, and the rest of the budget if there is any.
//
// It is copied for each worker, with a guarded system: all that workers share is behind pointers.
type compiled[S, M, C any] struct {
	network[S, M, C]
	*tables
	renames *renamer[S, M, C] // nil: no nodes are interchangeable

	places   []*places // by node
	slots    *checker.Interner[*Slot[S]]
	monitors *checker.Interner[any]
	inputs   *checker.Interner[struct{}]
	seen     *checker.Interner[struct{}] // steps shown to the monitor
	results  *checker.Interner[*result]

	stepMemo, arriveMemo, watchMemo *checker.Memo

	orbits *orbits
}

// tables are shared by all workers of a system.
type tables struct {
	outcomes arena[outcome]
	batches  arena[batch]

	watching uint32 // the monitor's first state
	initial  []uint32
	starting *blame.Log // of the worker that makes the initial state
}

// result is the effect of a step on a slot.
type result struct {
	slot    uint32
	sent    []batch
	list    uint32 // the same, in the arena of batches
	ignored bool   // nothing changed and nothing was sent
	watched bool   // the monitor observes it
	events  []protocol.Event
	taken   uint32 // not 0 once a check has taken it; accessed atomically
}

var _ checker.Model = (*compiled[int, int, int])(nil)

// Compile makes the system ready to be checked and replayed. An incomplete or impossible
// description is an error that wraps [ErrSystem], [ErrNodes], [ErrBudget] or [ErrSymmetry]. The
// result is also a [Safe]. Its Model is a [Coverer] and can be checkpointed, and its Machine is a
// traces.Drawer.
func (s *System[S, M, C]) Compile() (_ Checkable, err error) {
	calls := &blame.Log{}
	defer func() {
		if problem := recover(); problem != nil {
			if calls.Running() == "" {
				panic(problem)
			}
			err = fmt.Errorf("model %s: %w: %s panicked: %v", s.Info.Name, ErrSystem, calls.Running(), problem)
		}
	}()
	if err := s.guarded(calls).validate(); err != nil {
		return nil, fmt.Errorf("model %s: %w", s.Info.Name, err)
	}
	return &checkable[S, M, C]{s.withDefaults()}, nil
}

type checkable[S, M, C any] struct{ system *System[S, M, C] }

func (c *checkable[S, M, C]) Info() Info { return c.system.Info }

func (c *checkable[S, M, C]) With(b Budget) (Checkable, error) {
	wider := *c.system
	wider.Info.Budget = b
	return wider.Compile()
}

// Safety implements [Safe].
func (c *checkable[S, M, C]) Safety() Checkable {
	safe := *c.system
	dropped := map[string]bool{}
	safe.Properties, safe.Info.Expected = nil, nil
	for _, p := range c.system.Properties {
		if p.Shape.Live() {
			dropped[p.Name] = true
			continue
		}
		safe.Properties = append(safe.Properties, p)
	}
	for _, e := range c.system.Info.Expected {
		if !dropped[e.Property] {
			safe.Info.Expected = append(safe.Info.Expected, e)
		}
	}
	return &checkable[S, M, C]{&safe}
}

func (c *checkable[S, M, C]) Model() checker.Model    { return compile(c.system) }
func (c *checkable[S, M, C]) Machine() traces.Machine { return newMachine(compile(c.system)) }

// compile makes the tables of a system. The initial state is computed on first use, within the
// check: so the check reports a core that panics on the way there or breaks its contract.
func compile[S, M, C any](s *System[S, M, C]) *compiled[S, M, C] {
	c := &compiled[S, M, C]{
		network: network[S, M, C]{
			codec:     codec[S, M, C]{System: s, n: len(s.Nodes), sampled: &sampled{}},
			envelopes: checker.NewInterner[*envelope[M]](), inboxes: &inboxes{},
		},
		tables: &tables{},
		slots:  checker.NewInterner[*Slot[S]](), monitors: checker.NewInterner[any](),
		inputs: checker.NewInterner[struct{}](), seen: checker.NewInterner[struct{}](),
		results:  checker.NewInterner[*result](),
		stepMemo: checker.NewMemo(), arriveMemo: checker.NewMemo(), watchMemo: checker.NewMemo(),
	}
	for range s.Nodes {
		c.places = append(c.places, &places{symmetric: s.Symmetry != nil})
	}
	if s.Symmetry != nil {
		c.renames, _ = s.renamer() // Compile has seen that there is one
		c.orbits = newOrbits(s.Symmetry.Groups)
	}
	for _, node := range s.Nodes {
		begun, _ := s.begun(node)
		c.first = append(c.first, s.Identity(begun).Incarnation)
	}
	c.empty = c.internInbox(nil)
	return c
}

func (c *compiled[S, M, C]) internMonitor(mon []byte) uint32 {
	if id, ok := c.monitors.Lookup(mon); ok {
		return id
	}
	kept := bytes.Clone(mon) // views may refer to it
	id, _ := c.monitors.Intern(kept, c.viewOf(kept))
	return id
}

func (c *compiled[S, M, C]) internSlot(s Slot[S]) uint32 {
	key := c.encodeSlot(nil, &s)
	if id, ok := c.slots.Lookup(key); ok {
		return id
	}
	if s.Up {
		c.requireState(s.State)
	}
	kept := s // a slot that is known already stays off the heap
	c.describeSlot(&kept, key)
	id, fresh := c.slots.Intern(key, &kept)
	if fresh {
		c.slots.Charge(slotBytes(key))
	}
	return id
}

// slotBytes estimates the memory of a decoded slot from its key: it is a few times as large.
func slotBytes(key []byte) int { return 4 * len(key) }

// describeSlot fills in the fields that follow from the state of a slot. The key is its encoding.
func (c *compiled[S, M, C]) describeSlot(s *Slot[S], key []byte) {
	s.id = c.Identity(s.State)
	s.live = s.Up && !c.Stopped(s.State)
	s.View = nil
	if s.live && c.View != nil {
		s.View = c.View(s.State)
	}
	if !bytes.Equal(c.encodeSlot(nil, s), key) {
		c.blame(key, s.live)
	}
}

func (c *compiled[S, M, C]) Initial(add func([]uint32)) { add(c.begin()) }

func (c *compiled[S, M, C]) Properties() []checker.Property {
	properties := make([]checker.Property, len(c.System.Properties))
	for i, p := range c.System.Properties {
		properties[i] = p.Property
	}
	return properties
}

// Classes are the kinds of actions at each node.
func (c *compiled[S, M, C]) Classes() []checker.Class {
	var classes []checker.Class
	for kind := range actionKinds {
		for _, node := range c.Nodes {
			classes = append(
				classes,
				checker.Class{
					Name: className(kind, node.Name), Finite: !kind.fair(),
					Fair: kind.fair() && !c.optional(kind, node.Name), Optional: c.optional(kind, node.Name),
				},
			)
		}
	}
	return classes
}

func (c *compiled[S, M, C]) MemoryBytes() uint64 {
	bytes := c.orbits.memory() + c.inboxes.index.memory.Load() + c.outcomes.memory.Load() + c.batches.memory.Load()
	for _, p := range c.places {
		bytes += p.index.memory.Load()
	}
	for _, table := range []interface{ MemoryBytes() uint64 }{
		c.slots, c.envelopes, c.monitors, c.inputs, c.seen, c.results, c.stepMemo, c.arriveMemo, c.watchMemo,
	} {
		bytes += table.MemoryBytes()
	}
	return bytes
}
