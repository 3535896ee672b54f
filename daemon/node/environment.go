package node

import (
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/protocol"
)

// environment is the loop's view of the node. Work that needs the loop again runs after the turn.
type environment struct{ *Node }

// Commit makes what the cores persist durable.
func (n environment) Commit(writes []driver.Write) error {
	var puts []disk.Put
	for _, w := range writes {
		if w.Core.Kind == life.CustodyCore && len(w.Bytes) == 0 {
			puts = append(puts, n.forget(w.Core)...)
		} else {
			puts = append(puts, disk.Put{Bucket: disk.Cores, Key: life.CoreKey(w.Core), Value: w.Bytes})
		}
	}
	puts = append(puts, n.Table.Puts()...) // a copy of a record is written with the state of its core
	return n.Write(puts...)
}

// Send hands a message to the links.
func (n environment) Send(to protocol.NodeID, core driver.CoreID, payload []byte) {
	kind, frame := life.CoreFrame, life.AppendCore(core, payload)
	if core.Kind == life.CustodyCore {
		kind, frame = life.JobFrame, life.AppendJob(core, payload, n.copyFor(core, payload))
		to.Incarnation = 0 // a later incarnation, at which the job rests, is woken by it
	}
	send := func() { n.Links.Send(to, member.ChannelOf(core), kind, frame) }
	if n.Links == nil { // the first step of the life, which gives the links its number
		n.Later(send)
		return
	}
	send()
}

// Begin has nothing to do: the event of the same step names the attempt.
func (n environment) Begin(driver.CoreID, protocol.Timer) {}

// End ends the process of the task that runs.
func (n environment) End(driver.CoreID, protocol.Timer) { n.Later(n.attempts.EndTask) }

// Measure measures the latency to a node.
func (n environment) Measure(_ driver.CoreID, to protocol.NodeID) {
	n.Later(func() { n.near.measure(to) })
}

// Event passes an event to the hooks.
func (n environment) Event(core driver.CoreID, e protocol.Event) {
	n.Later(func() {
		for _, h := range n.hooks {
			if h.kind == anyCore || h.kind == core.Kind {
				h.onEvent(core, e)
			}
		}
	})
}

// A hook follows the events of a kind of cores for a part of the daemon.
type hook struct {
	kind    uint8
	onEvent func(driver.CoreID, protocol.Event)
}

// anyCore is the kind of a hook that follows the events of all cores.
const anyCore uint8 = 0

// hang hangs the parts of the daemon on the cores. Each event goes to the hooks in this order.
func (n *Node) hang() {
	n.hooks = []hook{
		{anyCore, n.News.Tell},
		{life.MusterCore, n.attempts.OnMuster},
		{life.LeaseCore, n.Leases.OnLease},
		{life.CustodyCore, n.onCustody},
		{life.PeerCore, n.attempts.OnPeer},
		{life.PeerCore, n.owned.onTask},
		{life.PeerCore, n.submissions.onSearch},
		{life.PlacementCore, n.submissions.onPlacement},
		{life.PeerCore, n.Leases.OnMap},
		{life.PeerCore, n.breaches.OnPeer},
	}
}

// Between draws a number.
func (n environment) Between(low, high uint32) uint32 {
	return n.Machine.Between(low, high)
}
