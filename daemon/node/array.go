package node

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// coordinate goes on with an array at its primary: it lets elements begin, as many as the grid has
// room for, and ends the array when all of it has ended. The attempt of an array stands for that.
func (n *Node) coordinate(k *keeping, c custody.Record) {
	r := k.record
	switch {
	case c.Attempt.IsNone():
		n.table.Begin(r)
		n.order(k, custody.Command{
			Kind: custody.CommandPermit, Try: c.Try, Hosts: []protocol.NodeID{n.self},
			Attempt: custody.Attempt{By: n.self, Epoch: c.Try},
		})
		return
	case n.table.Settle(r):
		n.order(k, custody.Command{Kind: custody.CommandOutcome, Try: c.Try, Attempt: c.Attempt, Outcome: r.Digest()})
		return
	}
	room := max(roomMin, roomOfNode*(len(n.alive())+1))
	for e := n.table.Spawn(r, room); e != nil; e = n.table.Spawn(r, room) {
		n.accept(n.addKeeping(e, nil))
	}
	for _, e := range n.table.Elements(r) {
		if e.State.Final() {
			continue
		}
		k := n.keepingOf(e)
		if s, begun := k.state(); begun && s.Disk.View.Number == 0 && s.Wanted == 0 {
			n.accept(k) // a former primary of the array has died before it was taken
		}
		if r.Wish != "" {
			n.end(k, r.Wish, r.Why)
		}
	}
}

// How many elements of an array are with the grid at once, unless the array says fewer.
const (
	roomMin    = 8
	roomOfNode = 4
)
