package node

import (
	"context"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol/peer"
)

// drainEvery is how often a node that leaves looks whether it has left.
const drainEvery = 50 * time.Millisecond

// Drain makes the node leave the grid: it takes no new tasks, and waits for what runs on it and for
// the jobs that were handed in here. Then it leaves the map, and the daemon ends. When the time is
// over, the daemon ends anyway; 0 is no limit.
func (u users) Drain(ctx context.Context, limit time.Duration) error {
	_, err := on(ctx, u.Node, func() (struct{}, error) {
		u.leave(limit)
		return struct{}{}, nil
	})
	return err
}

func (n *Node) leave(limit time.Duration) {
	if limit > 0 {
		n.after(limit, func() { n.left = true })
	}
	if n.leaving {
		return
	}
	n.leaving = true
	n.log.Info("the node leaves", "limit", limit)
	n.whenIdle()
}

// whenIdle leaves the map once no job that was handed in here is open, nor one about which this
// daemon decides.
func (n *Node) whenIdle() {
	if slices.ContainsFunc(n.table.Live(), n.mine) {
		n.after(drainEvery, n.whenIdle)
		return
	}
	n.loop.Command(peerID, peer.Command{Kind: peer.CommandLeave})
	n.whenLeft()
}

func (n *Node) whenLeft() {
	s := n.peer.State()
	if s.Gone() {
		n.log.Info("the node has left the grid")
		n.left = true
		return
	}
	n.after(drainEvery, n.whenLeft)
}
