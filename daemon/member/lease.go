package member

import (
	"fmt"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Leases are the lease of this incarnation, and the consequences of the leases of others for it.
type Leases struct {
	*life.Runtime
	*config.Settings
	Members  *Members
	Breaches *Breaches
	Restore  func()                   // goes on with the jobs on the disk
	OnDeath  func(id protocol.NodeID) // of another life

	contact   protocol.NodeID // through which the node enters the map first
	joins     int
	extended  time.Duration // the deadline of tasks
	lastDeath time.Duration // when it was last notified of a death; 0: never
}

// AddLease puts the leases into the loop. Their timers come before all others.
func (l *Leases) AddLease() error {
	persisted, err := l.Store.Get(disk.Cores, life.CoreKey(life.LeaseID))
	if err != nil {
		return err
	}
	l.Loop.First = life.LeaseID
	l.Lease = driver.Add(l.Loop, life.LeaseID, &lease.Core{Config: l.Config.Grid.Lease()},
		driver.Traits[lease.State, lease.Message]{Self: func(s lease.State) protocol.NodeID { return s.Self }},
		lease.New(l.ID.Address), persisted)
	l.Loop.Over = func() bool { return l.Lease.State().Phase == lease.Fenced }
	l.Loop.Withhold = func(_ driver.CoreID, t protocol.Timer) bool { return isSuspicion(t) && !l.certain(t) }
	return nil
}

// isSuspicion reports whether a timer suspects a node, which needs a certificate.
func isSuspicion(t protocol.Timer) bool {
	switch layer, own := peer.LayerOf(t); layer {
	case peer.CanLayer:
		return own.Kind == can.MissedTimer
	case peer.RefineLayer:
		return own.Kind == refine.MissedTimer
	}
	return false
}

// certain reports whether the node that a timer suspects is certified dead. If not, the witnesses
// are asked.
func (l *Leases) certain(t protocol.Timer) bool {
	_, own := peer.LayerOf(t)
	if l.Members.IsDead(own.Peer) {
		return true
	}
	l.Breaches.suspected(own.Peer)
	l.Members.Suspect(own.Peer)
	return false
}

// askAgain is the time after which the witnesses are asked about a node again.
const askAgain = 500 * time.Millisecond

// suspectLimit is of how many nodes it is known when the witnesses were asked about them.
const suspectLimit = 4096

// OnMap ends the life when the map has given its zone away.
func (l *Leases) OnMap(_ driver.CoreID, e protocol.Event) {
	if e.Name == peer.CanLayer.String()+":"+can.EventFenced {
		l.Fail(l.Fenced(life.FenceMap, "the map has given its zone away"))
	}
}

// OnLease follows the events of the leases.
func (l *Leases) OnLease(_ driver.CoreID, e protocol.Event) {
	switch e.Name {
	case lease.EventFounded:
		l.Log.Info("the grid is founded", "generation", e.Number)
		l.Restore()
		l.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandCreate})
	case lease.EventLeased:
		l.Log.Info("leased", "generation", e.Number, "contact", e.Peer.String())
		l.contact = e.Peer
		l.Restore()
		l.join()
	case lease.EventFenced:
		l.Fail(l.Fenced(e.Detail, l.fenceText(e.Detail)))
	case lease.EventIdentity:
		l.Fail(fmt.Errorf("%w: node %v: a witness has met another process with this identity; %s",
			life.ErrIdentity, l.Self, TwoFolders))
	case lease.EventDead:
		l.died(e.Peer)
	}
}

// fenceText is the sentence for a reason of the lease core to end an incarnation.
func (l *Leases) fenceText(reason string) string {
	if reason == life.FenceExpired {
		return fmt.Sprintf("it could not renew its lease with a majority of the witnesses %s in time", l.witnessNames())
	}
	return reason
}

// died resumes work that waited for the end of a node: the timers that stand for its silence are
// due.
func (l *Leases) died(id protocol.NodeID) {
	delete(l.Members.suspected, id)
	l.Breaches.died(id, l.Clock())
	l.lastDeath = l.Clock()
	l.Log.Info("a node is dead", "node", id.String())
	for _, t := range []protocol.Timer{
		peer.TimerOf(peer.CanLayer, protocol.Timer{Kind: can.MissedTimer, Peer: id}),
		peer.TimerOf(peer.RefineLayer, protocol.Timer{Kind: refine.MissedTimer, Peer: id}),
		peer.TimerOf(peer.TaskLayer, protocol.Timer{Kind: reptask.LeaseTimer, Peer: id}),
	} {
		if _, pending := l.Loop.Due(life.PeerID, t); pending {
			l.Loop.Fire(life.PeerID, t)
		}
	}
	l.OnDeath(id)
}

// deadline is when the lease of this node runs out; false if it has none.
func (l *Leases) deadline() (at time.Duration, leased bool) {
	for parity := range uint32(2) {
		due, pending := l.Loop.Due(life.LeaseID, lease.ExpireTimer(parity))
		if pending && (!leased || due < at) {
			at, leased = due, true
		}
	}
	return at, leased
}

// Extend gives the tasks as long as the lease lasts.
func (l *Leases) Extend() {
	if at, leased := l.deadline(); leased && at > l.extended {
		l.extended = at
		l.Host.Extend(at)
	}
}

// Expire ends the incarnation when the time of its tasks is over: their shims have ended them. The
// lease may still be renewed then, if this node is the only witness and was stopped: no node could
// condemn it. But it would report that its tasks had failed.
func (l *Leases) Expire() {
	if l.extended > 0 && l.Clock() >= l.extended {
		l.Fail(l.Fenced(life.FenceExpired, l.fenceText(life.FenceExpired)))
	}
}

// overdue reports whether the lease ran out while something else was done.
func (l *Leases) overdue() bool {
	at, leased := l.deadline()
	return leased && l.Members.IsMember() && l.Clock() >= at
}

// MayNot is the reason why this node may run nothing, or empty.
func (l *Leases) MayNot() string {
	if l.Lease.State().Phase == lease.Leased {
		return ""
	}
	return fmt.Sprintf("This daemon has no lease, so it runs nothing: it needs an answer of %d of the witnesses %s.",
		len(l.Config.Grid.Witnesses)/2+1, l.witnessNames())
}

// witnessNames lists the witnesses.
func (l *Leases) witnessNames() string {
	var names []string
	for _, a := range l.Config.Grid.Witnesses {
		names = append(names, protocol.NodeID{Address: a, Incarnation: 1}.String())
	}
	return strings.Join(names, ", ")
}

// LeaseLeft is how long the lease lasts.
func (l *Leases) LeaseLeft() time.Duration {
	if at, pending := l.deadline(); pending && l.Lease.State().Phase == lease.Leased {
		return max(0, at-l.Clock())
	}
	return 0
}

// ChannelOf is the channel of a core: leases do not wait behind anything else.
func ChannelOf(core driver.CoreID) transport.Channel {
	if core.Kind == life.LeaseCore {
		return transport.ChannelLease
	}
	return transport.ChannelCore
}

// Write makes puts durable. A write that outlasts the lease ends the incarnation: nothing may leave
// that was decided while there was a lease.
func (l *Leases) Write(puts ...disk.Put) error {
	if err := l.Store.Commit(puts...); err != nil {
		return err
	}
	if l.overdue() {
		return l.Fenced(life.FenceWrite, "the lease has run out during a write to the disk")
	}
	return nil
}

// join asks a node that is in the grid for a zone, until there is one.
func (l *Leases) join() {
	if l.Members.IsMember() {
		return
	}
	contacts := append([]protocol.NodeID{l.contact}, l.Members.Alive()...)
	contact := contacts[l.joins%len(contacts)]
	l.joins++
	l.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandJoin, Contact: contact})
	l.After(joinRepeat, l.join)
}

// joinRepeat is the time after which a join is tried with another contact.
const joinRepeat = time.Second

// SinceDeath is how long ago this node was last notified of a death; 0: never.
func (l *Leases) SinceDeath() time.Duration {
	if l.lastDeath == 0 {
		return 0
	}
	return max(1, l.Clock()-l.lastDeath)
}

// TwoFolders is the remedy when two daemons were started with one identity.
const TwoFolders = "its folder was copied or set back, and another daemon may run with it: keep one folder, " +
	"remove the other one, and join again for a second node"
