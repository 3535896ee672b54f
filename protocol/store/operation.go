package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Kind is what an operation does.
type Kind uint8

// The operations of a client.
const (
	Get           Kind = iota
	Put                // sets Value; 0 takes the item away
	CompareAndSet      // sets Value if the present value is Expect
	Lookup             // asks who owns the point
)

// changes reports whether it matters how often the operation is executed.
func (k Kind) changes() bool { return k == Put || k == CompareAndSet }

// Operation is an operation on one register. A register that was never put holds 0.
type Operation struct {
	ID     uint32 // unique among the operations of one node's life
	Kind   Kind
	Key    space.Point
	Value  uint32
	Expect uint32
}

// Key returns the point at which something of that name is kept.
func Key(s space.Space, name string) (p space.Point) {
	for k := range s.Dims {
		h := protocol.Hash(append(protocol.AppendUint(nil, uint64(k)), name...))
		p[k] = int32(h % uint64(s.Size[k]))
	}
	return p
}

// Command is a command of the application: to the map, or an operation of a client.
type Command struct {
	Map       bool // Change counts, else Operation
	Change    can.Command
	Operation Operation
}

// CommandMap asks the map for something.
func CommandMap(o can.Command) Command { return Command{Map: true, Change: o} }

// CommandOperation lets a client's operation begin.
func CommandOperation(o Operation) Command { return Command{Operation: o} }
