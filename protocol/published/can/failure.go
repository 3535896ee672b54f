package can

import "github.com/canvass-grid/canvass/protocol"

// failed is the regular mechanism of a CAN: the references to the node are removed, an outstanding
// command included, and each node across its takeover face takes over, alone and at once, and then
// notifies its neighbours.
func (n *node) failed(id protocol.NodeID) {
	n.Event(EventFailed, id, 0, "")
	at, _ := table(n.Nodes).find(id)
	failed := n.Nodes[at].Record
	n.remove(failed)
	taker, ok := merged(n.Self.Record, failed)
	if !ok {
		return
	}
	n.Self.Record = taker
	n.Self.Instance++
	n.Event(EventTakeover, id, n.Self.Instance, "")
	n.sendUpdates()
}
