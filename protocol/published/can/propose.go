package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// propose is Algorithm 5, Propose(i_L) on R from L.
func (n *node) propose(l protocol.NodeID, i uint32) {
	if t, gone := n.findTombstone(l); gone && i <= n.Gone[t].Instance {
		n.Ignore(l, "zombie")
		return
	}
	if at, known := table(n.Nodes).find(l); known && n.cfg.InstanceNumbers && i < n.Nodes[at].Instance {
		n.Ignore(l, "outdated proposal") // section 6.1 discards information of an older instance
		return
	}
	var except protocol.NodeID
	if n.cfg.Readings.ExceptProposer {
		except = l
	}
	yes := true // Algorithm 5, lines 3 and 4
	switch {    // Algorithm 5, line 1
	case n.anyBusy(except):
		yes = false // Algorithm 5, line 2
		n.Event(EventRefuse, l, i, "busy")
	case n.takeoverFailed():
		yes = false // Algorithm 5, line 2
		n.Event(EventRefuse, l, i, "takeover failed")
	default:
		n.Event(EventPromise, l, i, "")
	} // Algorithm 5, line 5
	entry := (*table)(&n.Nodes).at(l)
	entry.Status = Busy                         // Algorithm 5, line 6
	entry.Instance = i                          // Algorithm 5, line 7
	n.send(l, ProposeOK{Yes: yes, Instance: i}) // Algorithm 5, line 8
}

// takeoverFailed reports whether takeover(R) is failed: whether what lies across the node's
// takeover face is not covered by nodes that it knows. A node without a takeover face has no
// node to take over for.
func (n *node) takeoverFailed() bool {
	_, face, ok := takeoverFace(n.Self.Record)
	if !ok {
		return false
	}
	across := n.Self.Zone.Beyond(face).Intersect(n.cfg.Space.Whole())
	return !space.Covered(across, zones(n.Known()))
}
