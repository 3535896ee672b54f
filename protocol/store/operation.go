package store

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Kind is the kind of an operation.
type Kind uint8

// The operations of a client.
const (
	Get           Kind = iota
	Put                // sets Value; 0 removes the item
	CompareAndSet      // sets Value if the present value is Expect
	Lookup             // asks which node owns the point
)

// changes reports whether it matters how often the operation is executed.
func (k Kind) changes() bool { return k == Put || k == CompareAndSet }

// Operation is an operation on one register. A register that was never put holds 0.
type Operation struct {
	ID     uint32 // unique among the operations of one node's incarnation
	Kind   Kind
	Key    space.Point
	Value  uint32
	Expect uint32
}

// Key returns the point of a name.
func Key(s space.Space, name string) (p space.Point) {
	for k := range s.Dims {
		h := protocol.Hash(append(protocol.AppendUint(nil, uint64(k)), name...))
		p[k] = int32(h % uint64(s.Size[k]))
	}
	return p
}

// Command is a command of the application: one for the map, or an operation of a client.
type Command struct {
	Map       bool // Change is set, else Operation
	Change    can.Command
	Operation Operation
}

// CommandMap returns a command for the map.
func CommandMap(c can.Command) Command { return Command{Map: true, Change: c} }

// CommandOperation returns the command that begins a client's operation.
func CommandOperation(o Operation) Command { return Command{Operation: o} }
