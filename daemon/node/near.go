package node

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
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
	latencyKept   = time.Minute      // after which a wanted latency is measured again
	farKept       = 10 * time.Second // the same for a node that seems to be far
	echoPatience  = 250 * time.Millisecond
	shareAfter    = 50 * time.Millisecond
)

// nearby is the view that this node has given its cores of other nodes, and the latencies that it
// has measured.
type nearby struct {
	*life.Runtime
	*config.Settings
	members *member.Members

	entered   bool              // the node has had a zone
	seen      []protocol.NodeID // at the last look
	named     []protocol.NodeID // to the cores
	differs   time.Duration     // since when the seen nodes differ from the named ones; 0: they are equal
	again     time.Duration     // when near nodes outside the cluster are named again
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

// latency is the measured latency to an incarnation of a node.
type latency struct {
	micros uint32
	until  time.Duration // it counts
	wanted bool          // the cores wait for it
	again  bool          // they have asked once more meanwhile
}

// look names the near nodes to the cores: all nodes that are known, since the cores measure them.
func (n *nearby) look() {
	near := n.members.Alive()
	for _, id := range near {
		n.members.Meet(id)
	}
	if n.members.IsMember() && !n.entered {
		n.entered = true
		n.Loop.Command(life.LeaseID, lease.Command{Kind: lease.CommandEntered})
		n.Log.Info("the node is in the grid", "socket", config.Socket(n.Options.Folder))
	}
	if n.members.IsMember() && n.toName(near) {
		n.named, n.again = near, n.Clock()+nearRepeat
		n.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandNear, Near: near})
	}
	maps.DeleteFunc(n.latencies, func(id protocol.NodeID, _ latency) bool { return n.members.IsDead(id) })
	n.members.SaveCards()
	n.After(lookEvery, n.look)
}

// toName reports whether it is time to name the near nodes to the cores. While nodes come and go,
// that waits for a quiet moment, but not for long: each time, whole clusters form again.
func (n *nearby) toName(near []protocol.NodeID) bool {
	settled := slices.Equal(near, n.seen)
	n.seen = near
	if slices.Equal(near, n.named) {
		n.differs = 0
		return n.Clock() >= n.again && n.apart(near)
	}
	if n.differs == 0 {
		n.differs = n.Clock()
	}
	return settled || n.Clock() >= n.differs+nearRepeat
}

// apart reports whether a node that is near is not in the cluster, which has room for it, or not of
// those to run jobs with: it was out of reach, or had no free place. The cores leave it to the
// application to name it again.
func (n *nearby) apart(near []protocol.NodeID) bool {
	s := n.Peer.State()
	c, _ := s.Refine.Advertised()
	return slices.ContainsFunc(near, func(id protocol.NodeID) bool {
		if !slices.Contains(c.Members, id) {
			return len(c.Members) < n.Config.Grid.ClusterSize
		}
		return !slices.ContainsFunc(s.Tasks.Cluster, func(q reptask.Neighbour) bool { return q.ID == id })
	})
}

// phases are the names of the phases of membership.
var phases = map[can.Phase]string{
	can.Outside: "outside", can.Drawing: "drawing", can.Joining: "joining", can.Member: api.MemberPhase,
	can.Leaving: "leaving", can.Departed: "departed",
}

func phaseName(p can.Phase) string { return phases[p] }

// measure measures the latency to a node, unless that was done a moment ago. All clusters of a node
// need the same latencies at about the same time, and again whenever a node comes or goes: a known
// latency is given to all of them at once, too.
func (n *nearby) measure(to protocol.NodeID) {
	l := n.latencies[to]
	if l.wanted {
		l.again = true
		n.latencies[to] = l
		return
	}
	l.wanted, l.again = true, false
	n.latencies[to] = l
	if n.Clock() < l.until {
		n.After(shareAfter, func() { n.give(to) })
		return
	}
	n.line = append(n.line, sampling{to: to, shortest: math.MaxInt64})
	n.nextSample()
}

// give passes the measured latency to a node to the cores.
func (n *nearby) give(to protocol.NodeID) {
	l := n.latencies[to]
	if l.wanted && l.until > 0 {
		l.wanted = false
		n.latencies[to] = l
		n.Loop.Measured(life.PeerID, to, l.micros)
	}
}

// nextSample sends the next echoes. Few are under way: many of them would wait for the processor,
// not the network.
func (n *nearby) nextSample() {
	for len(n.line) > 0 && n.sampling < samplesAtOnce {
		s := n.line[0]
		n.line = n.line[1:]
		if n.members.IsDead(s.to) {
			delete(n.latencies, s.to)
			continue
		}
		n.sampling++
		n.sample(s)
	}
}

// sample takes the shortest of some round trips, one after the other: the others waited for a
// processor, too. If all did, the node seems far, and there are some more. Nodes that are silent or
// seem far keep no others waiting.
func (n *nearby) sample(s sampling) {
	free := sync.OnceFunc(func() { n.sampling--; n.nextSample() })
	n.After(echoPatience, free)
	begin := n.Clock()
	rpc.Echo.Ask(n.Calls, rpc.Daemon(s.to).Within(sampleTimeout), rpc.None{}, func(_ rpc.None, err error) {
		defer func() { free(); n.nextSample() }()
		if err == nil {
			s.number, s.shortest = s.number+1, min(s.shortest, n.Clock()-begin)
		}
		micros := uint32(s.shortest.Microseconds() / 2)
		far := micros > n.Config.Grid.DiameterMicros
		switch {
		case err != nil && s.number == 0: // the core has a timer for that
			l := n.latencies[s.to]
			delete(n.latencies, s.to)
			if l.again {
				n.Later(func() { n.measure(s.to) })
			}
		case err == nil && s.number < samples && !far:
			n.line = slices.Insert(n.line, 0, s)
		case err == nil && s.number < samples:
			n.line = append(n.line, s)
		case err == nil && far && s.number < farSamples:
			n.After(farPause, func() { n.line = append(n.line, s); n.nextSample() })
		default:
			kept := latencyKept
			if far {
				kept = farKept
			}
			n.latencies[s.to] = latency{micros: micros, wanted: true, until: n.Clock() + kept}
			n.give(s.to)
		}
	})
}
