package node

import (
	"maps"
	"math"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/rpc"
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
	latencyKept   = time.Minute      // after which a node that is to be measured is measured anew
	farKept       = 10 * time.Second // the same of one that seems to be far
	echoPatience  = 250 * time.Millisecond
	shareAfter    = 50 * time.Millisecond
)

// nearby is what the node has told its cores of the others, and what it has measured.
type nearby struct {
	departed  map[protocol.Address]rpc.Departure // the latest lives that have left in order
	seen      []protocol.NodeID                  // at the last look
	named     []protocol.NodeID                  // to the cores
	differs   time.Duration                      // since when others are seen than were named; 0: none are
	again     time.Duration                      // when nodes that are near and not in the cluster are named again
	latencies map[protocol.NodeID]latency
	line      []sampling // echoes to send
	sampling  int        // how many keep others waiting
}

// sampling is a node that is being measured.
type sampling struct {
	to       protocol.NodeID
	number   int // of round trips
	shortest time.Duration
}

// latency is what was measured of a life of a node.
type latency struct {
	micros uint32
	until  time.Duration // it counts
	wanted bool          // the cores wait for it
	again  bool          // they have asked once more meanwhile
}

// member reports whether the node has a zone.
func (n *Node) member() bool {
	s := n.peer.State()
	return s.Can.Phase == can.Member
}

// takesJobs reports whether jobs can run here.
func (n *Node) takesJobs() bool {
	return n.member() && !n.drain.leaving && n.mayNot() == "" && n.fitness.noTasks == ""
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
	if n.member() && n.toName(near) {
		n.near.named, n.near.again = near, n.clock()+nearRepeat
		n.loop.Command(peerID, peer.Command{Kind: peer.CommandNear, Near: near})
	}
	maps.DeleteFunc(n.near.latencies, func(id protocol.NodeID, _ latency) bool { return n.dead(id) })
	n.saveCards()
	n.after(lookEvery, n.look)
}

// toName reports whether it is time to name the near nodes to the cores. While nodes come and go,
// that waits until none has for a moment, but not for long: each time, whole clusters form anew.
func (n *Node) toName(near []protocol.NodeID) bool {
	settled := slices.Equal(near, n.near.seen)
	n.near.seen = near
	if slices.Equal(near, n.near.named) {
		n.near.differs = 0
		return n.clock() >= n.near.again && n.apart(near)
	}
	if n.near.differs == 0 {
		n.near.differs = n.clock()
	}
	return settled || n.clock() >= n.near.differs+nearRepeat
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
		l.again = true
		n.near.latencies[to] = l
		return
	}
	l.wanted, l.again = true, false
	n.near.latencies[to] = l
	if n.clock() < l.until {
		n.after(shareAfter, func() { n.give(to) })
		return
	}
	n.near.line = append(n.near.line, sampling{to: to, shortest: math.MaxInt64})
	n.nextSample()
}

// give tells the cores what was measured of a node.
func (n *Node) give(to protocol.NodeID) {
	l := n.near.latencies[to]
	if l.wanted && l.until > 0 {
		l.wanted = false
		n.near.latencies[to] = l
		n.loop.Measured(peerID, to, l.micros)
	}
}

// nextSample sends the next echoes. Few are under way: what a crowd of them waits for is the
// processor, not the network.
func (n *Node) nextSample() {
	for len(n.near.line) > 0 && n.near.sampling < samplesAtOnce {
		s := n.near.line[0]
		n.near.line = n.near.line[1:]
		if n.dead(s.to) {
			delete(n.near.latencies, s.to)
			continue
		}
		n.near.sampling++
		n.sample(s)
	}
}

// sample takes the shortest of some round trips, one after the other: the others waited for a
// processor, too. If all did, the node seems far, and there are some more. Nodes that are silent or
// seem far keep no others waiting.
func (n *Node) sample(s sampling) {
	free := sync.OnceFunc(func() { n.near.sampling--; n.nextSample() })
	n.after(echoPatience, free)
	begin := n.clock()
	rpc.Echo.Ask(n.calls, rpc.Daemon(s.to).Within(sampleTimeout), rpc.None{}, func(_ rpc.None, err error) {
		defer func() { free(); n.nextSample() }()
		if err == nil {
			s.number, s.shortest = s.number+1, min(s.shortest, n.clock()-begin)
		}
		micros := uint32(s.shortest.Microseconds() / 2)
		far := micros > n.config.Grid.DiameterMicros
		switch {
		case err != nil && s.number == 0: // the core has a timer for that
			l := n.near.latencies[s.to]
			delete(n.near.latencies, s.to)
			if l.again {
				n.later(func() { n.measure(s.to) })
			}
		case err == nil && s.number < samples && !far:
			n.near.line = slices.Insert(n.near.line, 0, s)
		case err == nil && s.number < samples:
			n.near.line = append(n.near.line, s)
		case err == nil && far && s.number < farSamples:
			n.after(farPause, func() { n.near.line = append(n.near.line, s); n.nextSample() })
		default:
			kept := latencyKept
			if far {
				kept = farKept
			}
			n.near.latencies[s.to] = latency{micros: micros, wanted: true, until: n.clock() + kept}
			n.give(s.to)
		}
	})
}
