package drive

import "github.com/canvass-grid/canvass/protocol"

// Effects are the services of the environment for a node. M is the core's message type. A method
// must not call back into the node, but for Stop.
type Effects[M any] interface {
	// Persist makes the bytes durable, in place of those before, and returns when they are.
	Persist(state []byte)

	// Send hands an envelope to the network, which may drop, duplicate, delay and reorder it.
	Send(envelope protocol.Envelope[M])

	// Cancel forgets a timer. It may not be pending: it has fired, or was never set.
	Cancel(timer protocol.Timer)

	// Set starts a timer, or starts it afresh if it is pending, with a duration that is drawn from the
	// range.
	Set(timer protocol.SetTimer)

	// Measure begins to measure the latency to a node, in place of a measurement that is under way.
	Measure(peer protocol.NodeID)

	// Choose draws a number below n, each with the same probability.
	Choose(n uint32) uint32

	// Event passes on an event to the application, the log and the history.
	Event(event protocol.Event)
}
