package peer

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Predicted returns the nodes that a node's tree predicts to be candidates for its cluster: those
// of the largest set around it that is predicted to be within the diameter, or some of them if the
// set is larger than a cluster may be. The list is sorted. It is empty without Config.Predicts, and
// while the node is not in the tree.
func Predicted(cfg *Config, s *State) []protocol.NodeID {
	if s.Tree == nil {
		return nil
	}
	// Lengths in the tree are halves of measured latencies.
	return s.Tree.Candidates(2*int64(cfg.Refine.DiameterMicros), cfg.Refine.SizeBound)
}

// predict makes the predicted nodes the candidates of the refinement, and strikes off the others,
// if the node's data about the tree has changed. A node that is out of the tree keeps its
// candidates: measurements decide which of them stay in its cluster.
func (n *node) predict(before *dtm.State) {
	if n.Leaving || n.Tree.Phase != dtm.Member || sameView(before, n.Tree) {
		return
	}
	predicted := Predicted(n.cfg, &n.State)
	var add, drop []protocol.NodeID
	for _, id := range predicted {
		if !slices.ContainsFunc(n.Refine.Candidates, func(c refine.Candidate) bool {
			return c.ID == id && c.Status != refine.Dropped
		}) {
			add = append(add, id)
		}
	}
	for _, c := range n.Refine.Candidates {
		if c.Status != refine.Dropped && !slices.Contains(predicted, c.ID) {
			drop = append(drop, c.ID)
		}
	}
	if len(drop) > 0 { // first, so that there is room
		n.solicit(refine.CommandDrop, drop)
	}
	if len(add) > 0 {
		n.solicit(refine.CommandAdd, add)
	}
}

// sameView reports whether a node's data about the tree is unchanged.
func sameView(a, b *dtm.State) bool {
	return a.Phase == b.Phase && a.Segment == b.Segment && slices.Equal(a.Above, b.Above) &&
		slices.EqualFunc(a.Links, b.Links, func(x, y dtm.Link) bool {
			return x.Peer == y.Peer && slices.EqualFunc(x.Heard, y.Heard, slices.Equal[dtm.Label])
		})
}

// setNear takes the application's predictions of near nodes. If nodes predict, it can only have the
// refinement ask candidates with free places again.
func (n *node) setNear(ids []protocol.NodeID) {
	if n.Tree == nil {
		n.solicit(refine.CommandAdd, ids)
		return
	}
	predicted := Predicted(n.cfg, &n.State)
	again := slices.DeleteFunc(slices.Clone(ids), func(id protocol.NodeID) bool { return !slices.Contains(predicted, id) })
	if len(again) == 0 {
		n.Ignore(n.ID(), "not predicted to be near")
		return
	}
	n.solicit(refine.CommandAdd, again)
}

// solicit gives the refinement a command about candidates.
func (n *node) solicit(kind refine.CommandKind, ids []protocol.NodeID) {
	n.stepRefine(refine.Input{Kind: protocol.Command, Command: refine.Command{Kind: kind, Nodes: ids}})
}
