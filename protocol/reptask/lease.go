package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// A lease has two stages. LeaseTimer: a peer was silent for a lease and is suspected. Hosts drop
// its tasks, and idle attempts replace it. But tasks that it may still run count as running, and
// the node becomes silent towards it. So if the peer lives, its own lease runs out, and then those
// of its hosts. RegrantTimer: by now that has happened.

// onExpired is the first stage.
func (n *node) onExpired(peer protocol.NodeID) {
	n.Event(EventExpired, peer, 0, "")
	i, _ := slices.BinarySearchFunc(n.Silent, peer, protocol.NodeID.Compare) // a silent peer has no LeaseTimer
	n.Silent = slices.Insert(n.Silent, i, peer)
	n.Cluster = slices.DeleteFunc(slices.Clone(n.Cluster), func(q Neighbour) bool { return q.ID == peer })
	for _, t := range slices.Clone(n.Tasks) {
		if t.Rep == peer {
			n.asHost().drop(t.Attempt())
		}
	}
	for _, r := range slices.Clone(n.Roles) {
		n.asRepresentative().miss(r.Attempt(), peer)
	}
	n.Silent = n.awaited(n.Silent)
	for i := range n.Roles {
		if r := &n.Roles[i]; r.Owner == peer {
			n.asRepresentative().onOwnerExpired(r)
		}
	}
}

// onVacant is the second stage: the peer holds nothing of this node.
func (n *node) onVacant(peer protocol.NodeID) {
	n.Event(EventVacant, peer, 0, "")
	n.endSilence(peer)
	for _, r := range slices.Clone(n.Roles) {
		if r.Phase == Stopping {
			n.asRepresentative().removeMember(n.roleOf(r.Job), peer)
		}
		if r.Bond == Asking && r.Owner == peer {
			n.send(peer, n.roleOf(r.Job).adoptMessage())
		}
	}
	for i := range n.Owned {
		n.asOwner().goOnWithout(&n.Owned[i], peer)
	}
}

// endSilence ends the silence towards a peer.
func (n *node) endSilence(peer protocol.NodeID) {
	n.Silent = slices.DeleteFunc(n.Silent, func(id protocol.NodeID) bool { return id == peer })
}

// isMute reports whether a message is withheld from a peer because the node is silent towards it.
// Adopt is never withheld. The former owner of a job may be silent itself, since it represents a
// job of this node. Two such nodes would wait for each other's leases to run out, and both would
// grant again what still runs. If the peer lives, its answer ends both silences.
func (s *State) isMute(to protocol.NodeID, m Message) bool {
	return m.Kind != Adopt && slices.Contains(s.Silent, to)
}

// awaited returns the peers for which this node must wait before it continues: representatives of
// attempts that it granted, and hosts of tasks that it started and wants stopped.
func (s *State) awaited(peers []protocol.NodeID) []protocol.NodeID {
	return slices.DeleteFunc(peers, func(id protocol.NodeID) bool {
		return !slices.ContainsFunc(s.Owned, func(o Owned) bool { return o.State <= JobRevoking && o.Rep == id }) &&
			!slices.ContainsFunc(s.Roles, func(r Role) bool {
				return r.Phase == Stopping && r.member(id) != nil
			})
	})
}
