package node

import (
	"maps"
	"slices"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// How many of the jobs that a daemon decides about wait in the grid at once: enough to keep each
// node busy, were they all. A job that waits there costs messages all the time, at its owner, its
// representative and its hosts.
const (
	turnsMin    = 32
	turnsOfNode = 8
)

// turnNote is what is said of a job that waits for its turn.
const turnNote = "it waits for its turn: older jobs go to the grid first"

// window is the jobs that this daemon decides about and that wait. A job gives its turn away while
// it pauses after a search that found no node, so that one which no cluster can hold keeps no
// others from running.
type window struct {
	taken map[*keeping]bool // handed to the grid; those that wait there no longer are sorted out late
	line  []*keeping        // the others, the oldest first
}

// turnsOf is how many turns a daemon has in a grid of so many nodes.
func turnsOf(nodes int) int { return max(turnsMin, turnsOfNode*nodes) }

// wants reports whether a job waits for a node.
func (n *Node) wants(k *keeping) bool {
	r := k.record
	return k.leads() && r.Spec.Array == nil && !r.State.Final() && r.Wish == "" && !r.Held && r.Open() == nil
}

// place is where a job stands in the line, or would stand.
func (w *window) place(k *keeping) (i int, found bool) {
	return slices.BinarySearchFunc(w.line, k, func(a, b *keeping) int { return jobs.Older(a.record, b.record) })
}

// inLine reports whether a job waits for its turn.
func (n *Node) inLine(k *keeping) bool {
	_, found := n.window.place(k)
	return found
}

// queue lets a job wait for its turn, which may be now.
func (n *Node) queue(k *keeping) {
	i, found := n.window.place(k)
	if !found {
		n.window.line = slices.Insert(n.window.line, i, k)
	}
	n.nextTurns()
	if r := k.record; !n.window.taken[k] && r.Note != turnNote {
		n.table.Own(r, protocol.NodeID{})
		n.table.Noted(r, turnNote)
	}
}

// nextTurns hands jobs to the grid whose turn has come.
func (n *Node) nextTurns() {
	if len(n.window.line) == 0 && len(n.window.taken) < turnsMin {
		return
	}
	maps.DeleteFunc(n.window.taken, func(k *keeping, _ bool) bool { return !n.wants(k) })
	if len(n.window.line) == 0 {
		return
	}
	limit := turnsOf(len(n.alive()) + 1)
	for len(n.window.line) > 0 && len(n.window.taken) < limit {
		k := n.window.line[0]
		n.window.line = slices.Delete(n.window.line, 0, 1)
		if n.wants(k) {
			n.window.taken[k] = true
			n.handOut(k)
		}
	}
}

// yield gives the turn of a job away.
func (n *Node) yield(k *keeping) {
	delete(n.window.taken, k)
	n.nextTurns()
}

// dropTurn forgets a job that is kept here no longer.
func (n *Node) dropTurn(k *keeping) {
	n.window.line = slices.DeleteFunc(n.window.line, func(q *keeping) bool { return q == k })
	n.yield(k)
}
