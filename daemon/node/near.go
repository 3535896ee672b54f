package node

import (
	"encoding/json"
	"net"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

const (
	lookEvery     = 500 * time.Millisecond
	nearRepeat    = 5 * time.Second
	samples       = 5
	sampleTimeout = 5 * time.Second
)

// member reports whether the node has a zone.
func (n *Node) member() bool {
	s := n.peer.State()
	return s.Can.Phase == can.Member
}

// look tells the cores which nodes are near: all that are known, since the cores measure them.
func (n *Node) look() {
	near := n.alive()
	for _, id := range near {
		n.lives[id.Address] = id.Incarnation
	}
	if n.member() && !n.entered {
		n.entered = true
		n.loop.Command(leaseID, lease.Command{Kind: lease.CommandEntered})
		n.log.Info("the node is in the grid", "socket", Socket(n.options.Folder))
	}
	if n.member() && (!slices.Equal(near, n.near) || n.clock() >= n.nearAgain && n.apart(near)) {
		n.near, n.nearAgain = near, n.clock()+nearRepeat
		n.loop.Command(peerID, peer.Command{Kind: peer.CommandNear, Near: near})
	}
	n.saveCards()
	n.after(lookEvery, n.look)
}

// apart reports whether a node that is near is not in the cluster, or not of those to run jobs
// with: it was out of reach, or had no free place. The cores leave it to the application to name
// it again.
func (n *Node) apart(near []protocol.NodeID) bool {
	s := n.peer.State()
	c, _ := s.Refine.Advertised()
	return slices.ContainsFunc(near, func(id protocol.NodeID) bool {
		runs := func(q reptask.Neighbour) bool { return q.ID == id }
		return !slices.Contains(c.Members, id) || !slices.ContainsFunc(s.Tasks.Cluster, runs)
	})
}

// alive returns the nodes that are known, and not known to be dead.
func (n *Node) alive() []protocol.NodeID { return slices.DeleteFunc(n.known(), n.dead) }

// known returns the latest lives of all other nodes that are known, sorted.
func (n *Node) known() (ids []protocol.NodeID) {
	for _, card := range n.links.Cards() {
		if card.Incarnation > 0 && card.Address != n.self.Address {
			ids = append(ids, protocol.NodeID{Address: card.Address, Incarnation: card.Incarnation})
		}
	}
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return ids
}

// phases are the names of the phases of membership.
var phases = map[can.Phase]string{
	can.Outside: "outside", can.Drawing: "drawing", can.Joining: "joining", can.Member: memberPhase,
	can.Leaving: "leaving", can.Departed: "departed",
}

const memberPhase = "member"

func phaseName(p can.Phase) string { return phases[p] }

// machineOf is the host of a node's endpoint.
func (n *Node) machineOf(id protocol.NodeID) string {
	for _, card := range n.links.Cards() {
		if card.Address == id.Address {
			if host, _, err := net.SplitHostPort(card.Endpoint); err == nil {
				return host
			}
		}
	}
	return "-"
}

// measure takes the median of some round trips, one after the other.
func (n *Node) measure(to protocol.NodeID) { n.sample(to, nil) }

func (n *Node) sample(to protocol.NodeID, taken []time.Duration) {
	begin := n.clock()
	n.ask(to, "echo", nil, sampleTimeout, nil, func(_ json.RawMessage, err error) {
		if err != nil {
			return // the core has a timer for that
		}
		taken = append(taken, n.clock()-begin)
		if len(taken) < samples {
			n.sample(to, taken)
			return
		}
		slices.Sort(taken)
		n.loop.Measured(peerID, to, uint32(taken[samples/2].Microseconds()/2))
	})
}
