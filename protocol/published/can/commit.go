package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// commitPhase is Algorithm 8, CommitPhase(γ) on L, with the instance number that Algorithm 6 passes
// to it. The subject is for the event only.
func (n proposer) commitPhase(subject protocol.NodeID, g Gamma, i uint32) {
	n.Event(EventDecide, subject, i, g.Kind.String())
	n.Self.Status = Stable             // Algorithm 8, line 1
	n.execute(n.Self.ID, g)            // Algorithm 8, line 2
	for _, r := range n.neighbours() { // Algorithm 8, line 3
		n.send(r, Commit{Gamma: g, Instance: i}) // Algorithm 8, line 4
	} // Algorithm 8, line 5
}

// commit is Algorithm 9, Commit(γ, i) on R from L. Nothing in it asks whether L is BUSY for R.
func (n *node) commit(l protocol.NodeID, m Commit) {
	at, known := table(n.Nodes).find(l)
	if !known || m.Instance != n.Nodes[at].Instance { // Algorithm 9, line 1
		n.Ignore(l, "commit of another instance")
		return
	}
	n.Nodes[at].Status = Stable // Algorithm 9, line 2
	n.Event(EventExecute, l, m.Instance, m.Gamma.Kind.String())
	n.execute(l, m.Gamma) // Algorithm 9, line 3
} // Algorithm 9, line 4

// execute executes a command of L in the node's own view of L, at L itself and at its replicas
// alike.
func (n *node) execute(l protocol.NodeID, g Gamma) {
	switch {
	case g.Kind == Split && g.Joiner != n.Self.ID:
		n.executeSplit(l, g)
	case g.Kind == Merge && l == n.Self.ID:
		n.leave()
	case g.Kind == Merge:
		n.executeMerge(l)
	}
}

// executeSplit cuts L's zone in two. L also hands the new zone over to the joiner.
func (n *node) executeSplit(l protocol.NodeID, g Gamma) {
	self := l == n.Self.ID
	record := &n.Self.Record
	if !self {
		record = &(*table)(&n.Nodes).at(l).Record
	}
	joined := cut(Record{
		ID: g.Joiner, Coord: g.Coord, Zone: record.Zone, Splits: record.Splits, Instance: FirstInstance,
	}, g.Keep.Opposite())
	*record = cut(*record, g.Keep)
	if self {
		n.countChange()
		n.giveHalf(joined)
	}
	if i, known := table(n.Nodes).find(joined.ID); known && n.Nodes[i].Zone.Empty() {
		joined.Instance = max(joined.Instance, n.Nodes[i].Instance) // it has proposed already
	}
	n.offer(joined)
}

// executeMerge removes L, and lets those across its takeover face grow. A node that grows notifies
// its neighbours, new ones included.
func (n *node) executeMerge(l protocol.NodeID) {
	at, _ := table(n.Nodes).find(l)
	departed := n.Nodes[at].Record
	n.remove(departed)
	for i, e := range n.Nodes {
		if taker, ok := merged(e.Record, departed); ok {
			n.Nodes[i].Record = taker
		}
	}
	if taker, ok := merged(n.Self.Record, departed); ok {
		n.Self.Record = taker
		n.countChange()
		n.sendUpdates()
	}
}

// countChange counts a change of the node's own zone, if the instance number counts them. "Each
// node A keeps an instance number": no replica counts for another node.
func (n *node) countChange() {
	if n.cfg.Readings.InstancePerChange {
		n.Self.Instance++
	}
}

// leave executes a node's own MERGE: it has no zone and no neighbours any more.
func (n *node) leave() {
	n.Event(EventLeft, n.Self.ID, n.Self.Instance, "")
	n.Phase, n.Leave, n.Nodes = Departed, false, nil
	n.Self.Zone, n.Self.Splits = space.Zone{}, nil
}
