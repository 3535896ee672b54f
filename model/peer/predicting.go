package peer

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	dtmmodel "github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// The latencies of models in which nodes predict. They are those of a tree, in which some nodes are
// far from all others.
const (
	nearMicros = 10
	farMicros  = 1000
)

// predicting are runs in which nodes are in a tree that predicts which nodes are near. Other runs
// have no tree.
func predicting() []scenario {
	into := func(members string) peer.Command {
		return peer.Command{Kind: peer.CommandTree, Near: named(members)}
	}
	return []scenario{
		{
			name: "predict", doc: "A, B and C join the tree one after the other; C is far from the others",
			nodes: 3, tree: &tree{far: "C", outside: "ABC"},
			asks: []ask{{"A", into("")}, {"B", into("A")}, {"C", into("A")}},
		},
		{
			name: "predict-join", doc: "C joins the tree; all three are near each other",
			nodes: 3, tree: &tree{outside: "C"}, asks: []ask{{"C", into("AB")}}, deep: true,
		},
		{
			name: "predict-leave", doc: "B leaves, over whose segment A and C are in the tree",
			nodes: 3, tree: &tree{}, leavers: "B", sees: []string{"Left", "Shrunk"},
		},
		{
			name: "predict-crash", doc: "A, the root of the tree, may crash; C is far from the others",
			nodes: 3, tree: &tree{far: "C"}, crashers: "A", budget: model.Budget{Crash: 1}, sees: []string{"Shrunk"},
		},
		{
			name: "predict-drift", doc: "B, which was far, fails, comes back as another node, and is near",
			nodes: 2, tree: &tree{far: "B", nearer: true}, crashers: "B", returns: "B",
			budget: model.Budget{Crash: 1, Restart: 1},
			again:  []ask{{"B", into("A")}}, sees: []string{"Rejoined"},
		},
	}
}

func named(names string) (all []protocol.NodeID) {
	for i := range len(names) {
		all = append(all, id(names[i]))
	}
	return all
}

// micros is the result of a measurement between two nodes. A node that comes nearer does so in its
// second incarnation.
func (s *scenario) micros(a, b protocol.NodeID) uint32 {
	far := func(id protocol.NodeID) bool {
		return s.tree != nil && strings.Contains(s.tree.far, model.NodeName(int(id.Address))) &&
			!(s.tree.nearer && id.Incarnation > 1)
	}
	if far(a) || far(b) {
		return farMicros
	}
	return nearMicros
}

// trees are the commands by which nodes come into the tree before the run: through all before them.
func (s *scenario) trees() (all []model.PreludeCommand[peer.Command]) {
	members := ""
	for i := range s.nodes {
		name := model.NodeName(i)
		if strings.Contains(s.tree.outside, name) {
			continue
		}
		command := peer.Command{Kind: peer.CommandTree, Near: named(members)}
		all = append(all, model.PreludeCommand[peer.Command]{Node: i, Command: command})
		members += name
	}
	return all
}

// Predicts reports whether all candidates of a node for its cluster are nodes that its tree
// predicts to be near. Nodes that leave or are outside the tree are not compared.
func Predicts(cfg *peer.Config, s *peer.State) bool {
	if s.Tree == nil || s.Leaving || s.Tree.Phase != dtm.Member {
		return true
	}
	predicted := peer.Predicted(cfg, s)
	return !slices.ContainsFunc(s.Refine.Candidates, func(c refine.Candidate) bool {
		return c.Status != refine.Dropped && !slices.Contains(predicted, c.ID)
	})
}

// Placed reports whether a node does not look for its place in the tree.
func Placed(s *peer.State) bool { return s.Tree.Phase != dtm.Joining }

// Candidates returns the candidates of a node for its cluster.
func Candidates(s *peer.State) (ids []protocol.NodeID) {
	for _, c := range s.Refine.Candidates {
		if c.Status != refine.Dropped {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// predictions lists the properties of models in which nodes predict.
func (o oracle) predictions(s *scenario) []model.Property[peer.State, peer.Message] {
	clustered := "all nodes are in the tree, and a node advertises a cluster of at least two"
	all := []model.Property[peer.State, peer.Message]{
		o.ofNode("PredictedOnly"),
		property(checker.Quiescent, "PredictedAll", "when quiescent, nodes of the tree within the diameter are candidates",
			func(g *globalState) bool { return s.predictedAll(g, o.config.Refine.DiameterMicros) }),
		property(checker.Quiescent, "Placed", "when quiescent, no node looks for its place in the tree",
			each(Placed)),
	}
	if s.tree.outside == "" {
		return all // it is so from the beginning
	}
	return append(all, property(checker.Sometimes, "Clustered", clustered, func(g *globalState) bool {
		large := false
		for n := range live(g) {
			if n.Tree.Phase != dtm.Member {
				return false
			}
			large = large || len(n.Tasks.Cluster) > 1
		}
		return large
	}))
}

// predictedAll compares candidates with true latencies: these are those of a tree.
func (s *scenario) predictedAll(g *globalState, diameter uint32) bool {
	in := func(n *peer.State) bool { return n.Tree.Phase == dtm.Member }
	for n := range live(g) {
		var near []protocol.NodeID
		for other := range live(g) {
			if in(n) && in(other) && other.ID() != n.ID() && s.micros(n.ID(), other.ID()) <= diameter {
				near = append(near, other.ID())
			}
		}
		if !slices.Equal(near, Candidates(n)) {
			return false
		}
	}
	return true
}

// dueTree is as in package model/dtm.
func dueTree(g *globalState, node int, t protocol.Timer) model.Due {
	switch t.Kind {
	case dtm.AnswerTimer:
		return unless(touches(g, peer.TreeLayer, node) || slices.ContainsFunc(g.Slots[node].Measuring, g.Running),
			model.Useful)
	case dtm.RetryTimer:
		return unless(!noneInFlight(g, peer.TreeLayer) || searches(g), model.Now)
	case dtm.MissedTimer:
		return failure(g, t.Peer)
	case dtm.HealTimer:
		for n := range live(g) {
			if n.Tree != nil && dtmmodel.Awaits(n.Tree, t.Peer) {
				return model.Never // the heir will claim the place
			}
		}
		return model.Useful
	}
	return unless(touches(g, peer.TreeLayer, node), model.Useful)
}

// searches reports whether a node is in the middle of a search or of a leave.
func searches(g *globalState) bool {
	for n := range live(g) {
		if n.Tree == nil {
			continue
		}
		s := &n.Tree.Search
		asks := len(s.Awaits) > 0 || !s.Look.IsNobody() || !s.Anchor.IsNobody()
		leaves := n.Tree.Departure.Stage != dtm.Staying && n.Tree.Departure.Stage != dtm.Resting
		if n.Tree.Phase == dtm.Joining && asks || leaves || !n.Tree.Lock.Holder.IsNobody() {
			return true
		}
	}
	return false
}
