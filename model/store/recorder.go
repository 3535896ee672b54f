package store

import (
	"slices"

	"github.com/canvass-grid/canvass/model/linear"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

// Recorder turns what a driver of package protocol/store sees into histories for package
// model/linear. The driver reports, in the order in which things happen, the operations that it
// starts, the events of each step, and crashes. The recorder also notes which node owns each of the
// points that it watches.
type Recorder struct {
	operations []recorded
	open       map[operationID]int // index in operations of the unfinished ones
	free       map[protocol.NodeID][]int
	clients    int

	states  map[protocol.NodeID]*store.State // the latest state of each running node
	keys    []space.Point                    // in use, in the order of their first operations
	losses  []linear.Operation
	dead    map[protocol.NodeID]bool
	late    map[gift]bool // handovers to dead nodes that are already recorded
	watched []space.Point
	owns    map[ownedPoint]bool
	changes []linear.Operation
}

// operationID names an operation in the whole network.
type operationID struct {
	node protocol.NodeID
	id   uint32
}

// gift names a handover: giver, receiver, and the giver's round.
type gift struct {
	from, to protocol.NodeID
	round    uint32
}

type ownedPoint struct {
	point space.Point
	node  protocol.NodeID
}

// recorded is an operation with its data so far.
type recorded struct {
	linear.Operation
	lookup bool
}

// NewRecorder returns an empty recorder that watches the owners of the given points.
func NewRecorder(watched ...space.Point) *Recorder {
	return &Recorder{
		open: map[operationID]int{}, free: map[protocol.NodeID][]int{},
		states: map[protocol.NodeID]*store.State{}, dead: map[protocol.NodeID]bool{}, late: map[gift]bool{},
		owns: map[ownedPoint]bool{}, watched: slices.Clone(watched),
	}
}

// Call records that a client of the node calls an operation. It comes before the step in which the
// node takes the command. The recorder makes clients as it needs them: each has one operation at a
// time, and no further one after an operation that stays open.
func (r *Recorder) Call(time int64, node protocol.NodeID, op store.Operation) {
	if !slices.Contains(r.keys, op.Key) {
		r.keys = append(r.keys, op.Key)
	}
	client := r.clients
	if free := r.free[node]; len(free) > 0 {
		client, r.free[node] = free[0], free[1:]
	} else {
		r.clients++
	}
	o := recorded{lookup: op.Kind == store.Lookup, Operation: linear.Operation{Client: client, Call: time, Open: true}}
	if o.Input = registerInput(op); o.lookup {
		o.Input = linear.OwnershipInput{Point: keyText(op.Key)}
	}
	r.open[operationID{node, op.ID}] = len(r.operations)
	r.operations = append(r.operations, o)
}

// Step records the events of a step of the node, and the state after it.
func (r *Recorder) Step(time int64, node protocol.NodeID, after store.State, events []protocol.Event) {
	r.states[node] = &after
	for _, g := range after.Gifts {
		if name := (gift{node, g.To, g.Round}); r.dead[g.To] && !r.late[name] {
			r.late[name] = true
			r.lose(time, g.Zone.Contains)
		}
	}
	for i, e := range events {
		switch e.Name {
		case store.EventAnswered:
			if o := r.end(node, e.Number); o != nil {
				o.Return, o.Open = time, false
				o.Output = answer(o.lookup, events[i:])
				r.free[node] = append(r.free[node], o.Client)
			}
		case store.EventRejected:
			if o := r.end(node, e.Number); o != nil {
				o.Return, o.Open, o.Rejected = time, false, true
				r.free[node] = append(r.free[node], o.Client)
			}
		case store.EventUnknown:
			r.end(node, e.Number)
		}
	}
	for _, p := range r.watched {
		r.own(time, ownedPoint{p, node}, after.Owns(p))
	}
}

// end returns an operation that has not ended yet, for its end to be noted.
func (r *Recorder) end(node protocol.NodeID, id uint32) *recorded {
	i, ok := r.open[operationID{node, id}]
	if !ok {
		return nil
	}
	delete(r.open, operationID{node, id})
	return &r.operations[i]
}

func answer(lookup bool, events []protocol.Event) any {
	if lookup {
		return linear.OwnershipOutput{Node: events[0].Peer.String()}
	}
	out := linear.RegisterOutput{OK: events[0].Detail == store.DetailOK}
	if len(events) > 1 && events[1].Name == store.EventValue {
		out.Value = events[1].Number
	}
	return out
}

func (r *Recorder) own(time int64, at ownedPoint, owns bool) {
	if r.owns[at] == owns {
		return
	}
	r.owns[at] = owns
	kind := linear.Release
	if owns {
		kind = linear.Acquire
	}
	r.changes = append(r.changes, linear.Operation{
		Call: time, Return: time, Input: linear.OwnershipInput{Kind: kind, Point: keyText(at.point), Node: at.node.String()},
	})
}

// Crash records that the node crashes. The operations of its clients stay open. The items that the
// node kept or was about to receive may be lost. So may items that other nodes give to it before
// they notice the crash.
func (r *Recorder) Crash(time int64, node protocol.NodeID) {
	r.dead[node] = true
	for id, s := range r.states {
		for _, g := range s.Gifts {
			if g.To == node {
				r.late[gift{id, node, g.Round}] = true // the crash itself loses it
			}
		}
	}
	r.lose(time, func(key space.Point) bool { return r.exposed(key, node) })
	for _, p := range r.watched {
		r.own(time, ownedPoint{p, node}, false)
	}
	delete(r.free, node)
	delete(r.states, node)
}

// lose records which of the keys in use may be lost.
func (r *Recorder) lose(time int64, lost func(key space.Point) bool) {
	for _, key := range r.keys {
		if lost(key) {
			lose := linear.RegisterInput{Kind: linear.Lose, Key: keyText(key)}
			r.losses = append(r.losses, linear.Operation{Call: time, Open: true, Input: lose})
		}
	}
}

// exposed reports whether the item of the key is lost if the node crashes.
func (r *Recorder) exposed(key space.Point, node protocol.NodeID) bool {
	for id, s := range r.states {
		if id == node && s.Keeps(key) || s.GivesTo(key, node) {
			return true
		}
	}
	return false
}

// Crashed reports whether any node crashed. Then the specification of the registers is
// [linear.RegisterWithLoss], not [linear.Register].
func (r *Recorder) Crashed() bool { return len(r.dead) > 0 }

// Registers returns the history of the registers so far.
func (r *Recorder) Registers() []linear.Operation {
	history := r.having(false)
	for i, loss := range r.losses {
		loss.Client = r.clients + i
		history = append(history, loss)
	}
	return history
}

// Ownership returns the history of the watched points so far, with the lookups of any.
func (r *Recorder) Ownership() []linear.Operation {
	history := slices.Clone(r.changes)
	for i := range history {
		history[i].Client = r.clients
	}
	return append(history, r.having(true)...)
}

func (r *Recorder) having(lookup bool) []linear.Operation {
	var history []linear.Operation
	for _, o := range r.operations {
		if o.lookup == lookup {
			history = append(history, o.Operation)
		}
	}
	return history
}
