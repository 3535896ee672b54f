package node

import (
	"fmt"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

type leaseInstance = driver.Instance[lease.State, lease.Message, lease.Command]

// addLease puts the leases into the loop. Their timers come before all others.
func (n *Node) addLease() error {
	persisted, err := n.store.Get(disk.Cores, coreKey(leaseID))
	if err != nil {
		return err
	}
	n.loop.First = leaseID
	n.lease = driver.Add(n.loop, leaseID, &lease.Core{Config: n.config.Grid.Lease()},
		driver.Traits[lease.State, lease.Message]{Self: func(s lease.State) protocol.NodeID { return s.Self }},
		lease.New(n.id.Address), persisted)
	n.loop.Over = func() bool { return n.lease.State().Phase == lease.Fenced }
	n.loop.Withhold = func(_ driver.CoreID, t protocol.Timer) bool { return isSuspicion(t) && !n.certain(t) }
	return nil
}

// isSuspicion reports that a timer takes a node for failed, which needs a certificate.
func isSuspicion(t protocol.Timer) bool {
	switch layer, own := peer.LayerOf(t); layer {
	case peer.CanLayer:
		return own.Kind == can.MissedTimer
	case peer.RefineLayer:
		return own.Kind == refine.MissedTimer
	}
	return false
}

// certain reports that the node for whose silence a timer stands is certified dead. If not, the
// witnesses are asked.
func (n *Node) certain(t protocol.Timer) bool {
	_, own := peer.LayerOf(t)
	if n.dead(own.Peer) {
		return true
	}
	n.breaches.suspected(own.Peer)
	n.suspect(own.Peer)
	return false
}

// dead reports that a life of a node is over, by certificate, or because a later one has begun.
func (n *Node) dead(id protocol.NodeID) bool {
	if id.IsNobody() || id == n.self {
		return false
	}
	s := n.lease.State()
	return s.IsDead(id) || n.latest(id) != id
}

// fate says what has become of a life of a node, or nothing if it lives.
func (n *Node) fate(id protocol.NodeID) string {
	switch s := n.lease.State(); {
	case !n.dead(id):
		return ""
	case s.IsDead(id):
		return "was declared dead"
	}
	return "has begun another life"
}

// askAgain is the time after which the witnesses are asked about a node again.
const askAgain = 500 * time.Millisecond

// suspect asks the witnesses about a node that is or was in the grid. One that has no lease yet
// would lose its life by the question.
func (n *Node) suspect(id protocol.NodeID) {
	if id != n.self && n.mayAsk(id) {
		n.later(func() { n.loop.Command(leaseID, lease.Command{Kind: lease.CommandAsk, Node: id}) })
	}
}

// mayAsk reports whether the witnesses are to be asked about a node, and notes that they are.
func (n *Node) mayAsk(id protocol.NodeID) bool {
	if last, asked := n.suspected[id]; asked && n.clock()-last < askAgain {
		return false
	}
	if len(n.suspected) >= suspectLimit {
		clear(n.suspected)
	}
	n.suspected[id] = n.clock()
	return true
}

// suspectLimit is of how many nodes it is known when the witnesses were asked about them.
const suspectLimit = 4096

// onMap ends the life when the map has given its zone away.
func (n *Node) onMap(_ driver.CoreID, e protocol.Event) {
	if e.Name == peer.CanLayer.String()+":"+can.EventFenced {
		n.fail(n.fenced(fenceMap, "the map has given its zone away"))
	}
}

// onLease follows the events of the leases.
func (n *Node) onLease(_ driver.CoreID, e protocol.Event) {
	switch e.Name {
	case lease.EventFounded:
		n.log.Info("the grid is founded", "generation", e.Number)
		n.restore()
		n.loop.Command(peerID, peer.Command{Kind: peer.CommandCreate})
	case lease.EventLeased:
		n.log.Info("leased", "generation", e.Number, "contact", e.Peer.String())
		n.contact = e.Peer
		n.restore()
		n.join()
	case lease.EventFenced:
		n.fail(n.fenced(e.Detail, n.fenceText(e.Detail)))
	case lease.EventIdentity:
		n.fail(fmt.Errorf("%w: node %v: a witness knows another process with this identity; %s",
			ErrIdentity, n.self, twoFolders))
	case lease.EventDead:
		n.died(e.Peer)
	}
}

// fenceText says why the leases end a life, for a reason of theirs.
func (n *Node) fenceText(reason string) string {
	if reason == fenceExpired {
		return fmt.Sprintf("it could not renew its lease with a majority of the witnesses %s in time", n.witnessNames())
	}
	return reason
}

// died lets what waits for the end of a node go on: the timers that stand for its silence are due.
func (n *Node) died(id protocol.NodeID) {
	delete(n.suspected, id)
	n.breaches.died(id, n.clock())
	n.bereft = n.clock()
	n.log.Info("a node is dead", "node", id.String())
	for _, t := range []protocol.Timer{
		peer.TimerOf(peer.CanLayer, protocol.Timer{Kind: can.MissedTimer, Peer: id}),
		peer.TimerOf(peer.RefineLayer, protocol.Timer{Kind: refine.MissedTimer, Peer: id}),
		peer.TimerOf(peer.TaskLayer, protocol.Timer{Kind: reptask.LeaseTimer, Peer: id}),
	} {
		if _, pending := n.loop.Due(peerID, t); pending {
			n.loop.Fire(peerID, t)
		}
	}
	n.cancelOwned(func(c peer.Client) bool { return c.Entry == id }) // nobody else knows which jobs these are
	n.auditor.bereaved(id)
}

// deadline is when the lease of this node runs out; false if it has none.
func (n *Node) deadline() (at time.Duration, leased bool) {
	for parity := range uint32(2) {
		due, pending := n.loop.Due(leaseID, lease.ExpireTimer(parity))
		if pending && (!leased || due < at) {
			at, leased = due, true
		}
	}
	return at, leased
}

// extend gives the tasks as long as the lease lasts.
func (n *Node) extend() {
	if at, leased := n.deadline(); leased && at > n.extended {
		n.extended = at
		n.host.Extend(at)
	}
}

// expire ends the life if the time is over that its tasks were given: their shims have ended them.
// The lease may still be renewed then, if this node is the only witness and was stopped: nobody
// could condemn it. But it would tell that its tasks had failed.
func (n *Node) expire() {
	if n.extended > 0 && n.clock() >= n.extended {
		n.fail(n.fenced(fenceExpired, n.fenceText(fenceExpired)))
	}
}

// overdue reports that the lease ran out while something else was done.
func (n *Node) overdue() bool {
	at, leased := n.deadline()
	return leased && n.member() && n.clock() >= at
}

// mayNot says why this node may run nothing, or nothing if it may.
func (n *Node) mayNot() string {
	if n.lease.State().Phase == lease.Leased {
		return ""
	}
	return fmt.Sprintf("This daemon has no lease, so it runs nothing: it needs an answer of %d of the witnesses %s.",
		len(n.config.Grid.Witnesses)/2+1, n.witnessNames())
}

// witnessNames lists the witnesses.
func (n *Node) witnessNames() string {
	var names []string
	for _, a := range n.config.Grid.Witnesses {
		names = append(names, protocol.NodeID{Address: a, Incarnation: 1}.String())
	}
	return strings.Join(names, ", ")
}

// leaseLeft is how long the lease lasts.
func (n *Node) leaseLeft() time.Duration {
	if at, pending := n.deadline(); pending && n.lease.State().Phase == lease.Leased {
		return max(0, at-n.clock())
	}
	return 0
}

// channelOf is the channel of a core: leases do not wait behind anything else.
func channelOf(core driver.CoreID) transport.Channel {
	if core.Kind == leaseCore {
		return transport.ChannelLease
	}
	return transport.ChannelCore
}
