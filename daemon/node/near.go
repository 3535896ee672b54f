package node

import (
	"encoding/json"
	"maps"
	"math"
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
	lookEvery     = 250 * time.Millisecond
	nearRepeat    = 5 * time.Second
	samples       = 5
	samplesAtOnce = 8 // nodes that are measured
	sampleTimeout = 3 * time.Second
	farSamples    = 20 // of a node that seems to be far
	farPause      = 100 * time.Millisecond
	latencyKept   = time.Minute // after which a node that is to be measured is measured anew
	shareAfter    = 50 * time.Millisecond
)

// nearby is what the node has told its cores of the others, and what it has measured.
type nearby struct {
	seen      []protocol.NodeID // at the last look
	named     []protocol.NodeID // to the cores
	again     time.Duration     // when nodes that are near and not in the cluster are named again
	latencies map[protocol.NodeID]latency
	line      []protocol.NodeID // to be measured
	sampling  int               // how many are being measured
}

// latency is what was measured of a life of a node.
type latency struct {
	micros uint32
	until  time.Duration // it counts
	wanted bool          // the cores wait for it
}

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
		n.entered, n.near.again = true, n.clock()+nearRepeat
		n.loop.Command(leaseID, lease.Command{Kind: lease.CommandEntered})
		n.log.Info("the node is in the grid", "socket", Socket(n.options.Folder))
	}
	if n.member() && n.toName(near) {
		n.near.named, n.near.again = near, n.clock()+nearRepeat
		n.loop.Command(peerID, peer.Command{Kind: peer.CommandNear, Near: near})
	}
	maps.DeleteFunc(n.near.latencies, func(id protocol.NodeID, _ latency) bool { return n.dead(id) })
	n.saveCards()
	n.after(lookEvery, n.look)
}

// toName reports whether to name to the cores who is near. While nodes come and go, that waits until
// none has for a moment, but not for long: each time, whole clusters form anew.
func (n *Node) toName(near []protocol.NodeID) bool {
	settled := slices.Equal(near, n.near.seen)
	n.near.seen = near
	again := n.clock() >= n.near.again
	if !slices.Equal(near, n.near.named) {
		return again || settled
	}
	return again && n.apart(near)
}

// apart reports whether a node that is near is not in the cluster, which has room for it, or not of
// those to run jobs with: it was out of reach, or had no free place. The cores leave it to the
// application to name it again.
func (n *Node) apart(near []protocol.NodeID) bool {
	s := n.peer.State()
	c, _ := s.Refine.Advertised()
	return slices.ContainsFunc(near, func(id protocol.NodeID) bool {
		if !slices.Contains(c.Members, id) {
			return len(c.Members) < n.config.Grid.ClusterSize
		}
		return !slices.ContainsFunc(s.Tasks.Cluster, func(q reptask.Neighbour) bool { return q.ID == id })
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

// measure measures the latency to a node, unless that was done a moment ago. All clusters of a node
// want to know the same latencies at about the same time, and anew whenever a node comes or goes:
// what is known is given to all of them at once, too.
func (n *Node) measure(to protocol.NodeID) {
	l := n.near.latencies[to]
	if l.wanted {
		return
	}
	l.wanted = true
	n.near.latencies[to] = l
	if n.clock() < l.until {
		n.after(shareAfter, func() { n.give(to) })
		return
	}
	n.near.line = append(n.near.line, to)
	n.nextSample()
}

// give tells the cores what was measured of a node.
func (n *Node) give(to protocol.NodeID) {
	l := n.near.latencies[to]
	if l.wanted {
		l.wanted = false
		n.near.latencies[to] = l
		n.loop.Measured(peerID, to, l.micros)
	}
}

// nextSample measures the next nodes. Few are at a time: what a crowd of echoes waits for is the
// processor, not the network.
func (n *Node) nextSample() {
	for len(n.near.line) > 0 && n.near.sampling < samplesAtOnce {
		to := n.near.line[0]
		n.near.line = n.near.line[1:]
		n.near.sampling++
		n.sample(to, 1, time.Duration(math.MaxInt64))
	}
}

// sample takes the shortest of some round trips, one after the other: the others waited for a
// processor, too. If all did, the node seems far, and there are some more.
func (n *Node) sample(to protocol.NodeID, number int, shortest time.Duration) {
	begin := n.clock()
	n.ask(to, "echo", nil, sampleTimeout, nil, func(_ json.RawMessage, err error) {
		shortest = min(shortest, n.clock()-begin)
		micros := uint32(shortest.Microseconds() / 2)
		again := func() { n.sample(to, number+1, shortest) }
		switch far := micros > n.config.Grid.DiameterMicros; {
		case err != nil: // the core has a timer for that
			delete(n.near.latencies, to)
		case number < samples:
			again()
			return
		case far && number < farSamples:
			n.after(farPause, again)
			return
		default:
			n.near.latencies[to] = latency{micros: micros, wanted: true, until: n.clock() + latencyKept}
			n.give(to)
		}
		n.near.sampling--
		n.nextSample()
	})
}
