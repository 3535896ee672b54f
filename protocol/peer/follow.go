package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// follow gives the task layer the cluster that the node advertises, if it has changed.
func (n *node) follow(before *State) {
	if !n.refined {
		return
	}
	cluster := membersOf(&n.Refine)
	if slices.Equal(cluster, membersOf(&before.Refine)) {
		return
	}
	var neighbours []reptask.Neighbour
	for _, id := range cluster {
		neighbours = append(neighbours, reptask.Neighbour{ID: id})
	}
	n.setCluster(neighbours)
}

// regain returns members of the cluster to the task layer that it has dropped as silent, and that
// the application now names as near. It keeps the first of two entries of a node.
func (n *node) regain(near []protocol.NodeID) {
	neighbours := slices.Clone(n.Tasks.Cluster)
	for _, id := range membersOf(&n.Refine) {
		if slices.Contains(near, id) {
			neighbours = append(neighbours, reptask.Neighbour{ID: id})
		}
	}
	n.setCluster(neighbours)
}

// setCluster gives the task layer a cluster.
func (n *node) setCluster(neighbours []reptask.Neighbour) {
	command := reptask.Command{Kind: reptask.CommandCluster, Cluster: neighbours}
	n.stepTasks(reptask.Input{Kind: protocol.Command, Command: command})
}

// setQueues gives the task layer the queue lengths that members of its cluster have reported.
// Reports of other nodes change nothing: they have left the cluster, or are suspected.
func (n *node) setQueues(queues []reptask.Queue) {
	neighbours := slices.Clone(n.Tasks.Cluster)
	for _, q := range queues {
		at, found := slices.BinarySearchFunc(neighbours, q.Node, func(a reptask.Neighbour, id protocol.NodeID) int {
			return a.ID.Compare(id)
		})
		if found {
			neighbours[at].Length = q.Length
		}
	}
	n.setCluster(neighbours)
}

// membersOf returns the cluster that a node advertises, or the node alone if there is none.
func membersOf(s *refine.State) []protocol.NodeID {
	if c, ok := s.Advertised(); ok {
		return c.Members
	}
	return []protocol.NodeID{s.ID}
}

// leave begins to leave. The node leaves its clusters, so no node counts on it for new jobs, and it
// takes no new tasks. It leaves the tree, so that no node is predicted to be near by it.
func (n *node) leave() {
	if n.Leaving {
		n.Ignore(n.ID(), "leaving already")
		return
	}
	n.Leaving = true
	n.stepRefine(refine.Input{Kind: protocol.Command, Command: refine.Command{Kind: refine.CommandLeave}})
	n.stepTasks(reptask.Input{Kind: protocol.Command, Command: reptask.Command{Kind: reptask.CommandLeave}})
	if n.Tree != nil {
		n.stepTree(dtm.Input{Kind: protocol.Command, Command: dtm.Command{Kind: dtm.CommandLeave}})
	}
}

// drain leaves the CAN as soon as the node is out of the tree and has no task, role or open job.
// While it has one, other nodes reach it by its place in the CAN.
func (n *node) drain() {
	if n.Tree != nil && n.Tree.Phase != dtm.Departed {
		return
	}
	if n.Leaving && !n.Can.Leave && n.Can.Phase == can.Member && n.Tasks.Drained() {
		n.stepCan(can.Input{Kind: protocol.Command, Command: can.Command{Kind: can.CommandLeave}})
	}
}
