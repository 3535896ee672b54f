package driver

import (
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// CoreID names a core of a node: its kind, and which of that kind.
type CoreID struct {
	Kind  uint8
	By    protocol.NodeID // with Epoch: the attempt that the core is for; zero if there is one of the kind
	Epoch uint32
}

// Write has the bytes that a core persists, in place of the earlier ones.
type Write struct {
	Core  CoreID
	Bytes []byte
}

// Environment is the interface of the loop to the machine. Methods are called from within Turn and
// must not call the loop.
type Environment interface {
	// Commit makes the writes durable, all or none, and returns when they are.
	Commit(writes []Write) error

	// Send hands bytes for a core of another node to the network.
	Send(to protocol.NodeID, core CoreID, payload []byte)

	// Begin and End say that a core sets or cancels a timer that stands for a process. After End the
	// caller calls Loop.Stopped once the process has ended, also if there was none.
	Begin(core CoreID, timer protocol.Timer)
	End(core CoreID, timer protocol.Timer)

	// Measure begins to measure the latency to a node.
	Measure(core CoreID, peer protocol.NodeID)

	// Event passes on an event of a core.
	Event(core CoreID, event protocol.Event)

	// Between draws a number from low to high, each with the same probability.
	Between(low, high uint32) uint32
}

// Recorder receives each input before its step, and the output after it, in canonical encodings.
type Recorder interface {
	Begin(core CoreID, at time.Duration, state []byte) // a core is added, in this state
	Input(core CoreID, at time.Duration, input []byte)
	Output(core CoreID, output []byte)
	End(core CoreID) // a core is removed
}

// State is the canonical encoding of a core's state.
type State struct {
	Core  CoreID
	Bytes []byte
}
