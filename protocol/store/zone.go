package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// yield gives away what the node's own round took from its zone, in the step that decides the
// round: from then on the node does not serve that part. A zone shrinks only by a round of its
// owner. The outcome of the round lists the receivers. Where the zone changed by a round of another
// node, this node is not in its own round and lists no receiver.
func (n *node) yield(before *can.State) {
	former := before.Self.Zone
	for _, r := range n.CAN.Change.Commit.Changed {
		share := former.Intersect(r.Zone)
		if r.ID == n.ID() {
			continue
		}
		g := Gift{To: r.ID, Round: n.CAN.Round, Zone: share, Leaving: n.CAN.Phase != can.Member}
		g.Items, n.Items = within(n.Items, share)
		for _, a := range n.Awaits {
			if a.Zone.Overlaps(share) {
				g.Needs = append(g.Needs, a.Source)
			}
		}
		n.Gifts = append(n.Gifts, g)
		n.Event(EventGiven, g.To, g.Round, "")
	}
}

// gain notes what was added to the node's zone. If a live owner gave it, by a split or a merge, the
// node awaits its items. If the owner failed, they are lost: then the round is this node's own.
func (n *node) gain(before *can.State, in can.Input) {
	if n.CAN.Phase != can.Member {
		return
	}
	part, ok := added(before.Self.Zone, n.CAN.Self.Zone)
	m, committed := in.Message.(can.Commit)
	switch {
	case !ok:
	case committed:
		n.Awaits = append(n.Awaits, Await{Source{in.From, m.Round}, part})
	case before.Phase == can.Member:
		n.Event(EventLost, n.CAN.Change.Commit.Gone, n.CAN.Self.Version, "")
	}
}

// added returns the part that a zone gained. The zone is new, or was extended on one side.
func added(before, after space.Zone) (space.Zone, bool) {
	if before.Empty() {
		return after, true
	}
	for k := range after.Low {
		part := after
		switch {
		case after.Low[k] < before.Low[k]:
			part.High[k] = before.Low[k]
			return part, true
		case after.High[k] > before.High[k]:
			part.Low[k] = before.High[k]
			return part, true
		}
	}
	return space.Zone{}, false
}

// hint returns a node that is nearer to a key than this one: the node that was given it, the node
// that is known to own it, or the next hop.
func (s *State) hint(key space.Point) protocol.NodeID {
	for _, g := range slices.Backward(s.Gifts) {
		if g.Zone.Contains(key) {
			return g.To
		}
	}
	for _, r := range s.CAN.Known {
		if r.Zone.Contains(key) && !s.CAN.IsDead(r.ID) {
			return r.ID
		}
	}
	next, _ := can.NextHop(&s.CAN, key)
	return next
}
