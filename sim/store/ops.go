package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
	"github.com/canvass-grid/canvass/sim"
)

// The operations of the scenarios of this package.
const (
	opJoin  = "join"  // a node outside joins; Arg: the contact, an index of the members
	opLeave = "leave" // a member leaves
	opQuit  = "quit"  // the owner of the Arg-th key leaves
	opCrash = "crash" // a node fails; if Arg is not 0, the owner of the Arg-th key
	// The owner of a key fails after the next event of a certain kind at any node. Arg: the kind, 8
	// bits; the key, 8; microseconds of delay.
	opBereave = "bereave"
	// A client's operation at a member, the first from Node on. Arg: see argument.
	opGet    = "get"
	opPut    = "put"
	opCAS    = "cas"
	opLookup = "lookup"
)

// calls are the clients' operations, weighted by repetition.
var calls = []string{opGet, opGet, opPut, opPut, opCAS, opLookup}

var kinds = map[string]store.Kind{
	opGet:    store.Get,
	opPut:    store.Put,
	opCAS:    store.CompareAndSet,
	opLookup: store.Lookup,
}

// argument packs the number of the key, the value and the expected value of an operation. The value
// is also the number of the operation.
func argument(key, value, expect uint64) uint64 { return key | value<<8 | expect<<32 }

func (r *run) schedule() error {
	number := func(op sim.Op) (uint64, bool) {
		_, call := kinds[op.Do]
		return op.Arg >> 8 & (1<<24 - 1), call
	}
	if err := r.Plan.Distinct("operation number", number); err != nil {
		return err
	}
	err := r.Schedule(map[string]func(sim.Op){
		opJoin: r.join, opLeave: r.leave, opQuit: r.quit, opCrash: r.crash, opBereave: r.ownerFaults.Add, opGet: r.call,
		opPut: r.call, opCAS: r.call, opLookup: r.call,
	})
	r.Every(redirection, r.redirect)
	return err
}

func (r *run) join(op sim.Op) {
	members := r.oracle.canMap.Members()
	if r.Live(op.Node) || len(members) == 0 {
		return
	}
	if r.Persisted(op.Node) == nil {
		r.Start(op.Node)
	} else {
		r.Restart(op.Node)
	}
	r.command(op.Node, can.Command{Kind: can.CommandJoin, Contact: members[op.Arg%uint64(len(members))]})
}

func (r *run) command(node int, o can.Command) { r.Command(node, store.CommandMap(o)) }

// redirect gives joiners whose contact is gone another contact, as their applications would.
func (r *run) redirect() {
	r.oracle.canMap.Redirect(r.Now(), func(node int, contact protocol.NodeID) {
		r.command(node, can.Command{Kind: can.CommandJoin, Contact: contact})
	})
}

func (r *run) leave(op sim.Op) {
	if r.oracle.canMap.MayLeave(op.Node) {
		r.command(op.Node, can.Command{Kind: can.CommandLeave})
	}
}

func (r *run) quit(op sim.Op) {
	op.Node = r.owner(op)
	r.leave(op)
}

// owner is the live node that owns the key of an operation, or the operation's own node.
func (r *run) owner(op sim.Op) int {
	for i := range r.Len() {
		if op.Arg > 0 && r.Live(i) && r.State(i).Owns(r.key(op.Arg-1)) {
			return i
		}
	}
	return op.Node
}

func (r *run) crash(op sim.Op) {
	node := r.owner(op)
	if r.oracle.canMap.MayCrash(node) {
		r.oracle.canMap.Fail(node)
		r.Crash(node)
	}
}

// key is the key with that number.
func (r *run) key(number uint64) space.Point { return r.oracle.keys[number%uint64(len(r.oracle.keys))] }

// call lets a client of a member start an operation.
func (r *run) call(op sim.Op) {
	node := op.Node
	for i := range r.Len() {
		if node = (op.Node + i) % r.Len(); r.Live(node) && r.State(node).CAN.Phase == can.Member {
			break
		}
	}
	if !r.Live(node) {
		return
	}
	value, expect := uint32(op.Arg>>8&(1<<24-1)), uint32(op.Arg>>32)
	o := store.Operation{ID: value, Kind: kinds[op.Do], Key: r.key(op.Arg & 255)}
	switch o.Kind {
	case store.Put:
		o.Value = value
	case store.CompareAndSet:
		o.Value, o.Expect = value, expect
	}
	r.oracle.call(r.State(node).ID(), o)
	r.Command(node, store.CommandOperation(o))
}
