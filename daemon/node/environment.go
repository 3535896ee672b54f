package node

import (
	"math/rand/v2"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// environment is what the loop sees of the node. What needs the loop again runs after the turn.
type environment struct{ *Node }

// Commit makes what the cores persist durable.
func (n environment) Commit(writes []driver.Write) error {
	var puts []disk.Put
	for _, w := range writes {
		puts = append(puts, disk.Put{Bucket: disk.Cores, Key: coreKey(w.Core), Value: w.Bytes})
	}
	return n.store.Commit(puts...)
}

// Send hands a message to the links.
func (n environment) Send(to protocol.NodeID, core driver.CoreID, payload []byte) {
	n.links.Send(to, transport.ChannelCore, coreFrame, appendCore(core, payload))
}

// Begin has nothing to do: the event of the same step names the attempt.
func (n environment) Begin(driver.CoreID, protocol.Timer) {}

// End ends the process of the task that runs.
func (n environment) End(driver.CoreID, protocol.Timer) { n.later(n.endTask) }

// Measure measures the latency to a node.
func (n environment) Measure(_ driver.CoreID, to protocol.NodeID) { n.later(func() { n.measure(to) }) }

// Event passes an event to what depends on it, and to the users.
func (n environment) Event(core driver.CoreID, e protocol.Event) {
	n.later(func() {
		n.tell(core, e)
		if core.Kind == musterCore {
			n.mustered(core, e)
		} else {
			n.happened(e)
		}
	})
}

// Between draws a number.
func (n environment) Between(low, high uint32) uint32 {
	return low + uint32(rand.Uint64N(uint64(high-low)+1))
}
