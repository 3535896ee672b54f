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
func (sub *submissions) wants(k *keeping) bool {
	r := k.record
	return k.leads() && r.Spec.Array == nil && !r.State.Final() && r.Wish == "" && !r.Held && r.Open() == nil
}

// place is where a job stands in the line, or would stand.
func (w *window) place(k *keeping) (i int, found bool) {
	return slices.BinarySearchFunc(w.line, k, func(a, b *keeping) int { return jobs.Older(a.record, b.record) })
}

// inLine reports whether a job waits for its turn.
func (sub *submissions) inLine(k *keeping) bool {
	_, found := sub.window.place(k)
	return found
}

// queue lets a job wait for its turn, which may be now.
func (sub *submissions) queue(k *keeping) {
	i, found := sub.window.place(k)
	if !found {
		sub.window.line = slices.Insert(sub.window.line, i, k)
	}
	sub.nextTurns()
	if r := k.record; !sub.window.taken[k] && r.Note != turnNote {
		sub.Table.Own(r, protocol.NodeID{})
		sub.Table.Noted(r, turnNote)
	}
}

// nextTurns hands jobs to the grid whose turn has come.
func (sub *submissions) nextTurns() {
	if len(sub.window.line) == 0 && len(sub.window.taken) < turnsMin {
		return
	}
	maps.DeleteFunc(sub.window.taken, func(k *keeping, _ bool) bool { return !sub.wants(k) })
	if len(sub.window.line) == 0 {
		return
	}
	limit := turnsOf(len(sub.others()) + 1)
	for len(sub.window.line) > 0 && len(sub.window.taken) < limit {
		k := sub.window.line[0]
		sub.window.line = slices.Delete(sub.window.line, 0, 1)
		if sub.wants(k) {
			sub.window.taken[k] = true
			sub.handOut(k)
		}
	}
}

// yield gives the turn of a job away.
func (sub *submissions) yield(k *keeping) {
	delete(sub.window.taken, k)
	sub.nextTurns()
}

// dropTurn forgets a job that is kept here no longer.
func (sub *submissions) dropTurn(k *keeping) {
	sub.window.line = slices.DeleteFunc(sub.window.line, func(q *keeping) bool { return q == k })
	sub.yield(k)
}
