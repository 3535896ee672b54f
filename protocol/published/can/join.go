package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

func (n *node) start(incarnation uint16) {
	n.Self.ID.Incarnation = incarnation
	n.Out.Persist = appendIdentity(nil, n.Self.ID, n.Self.Coord)
}

// restart begins a new incarnation: the crashed incarnation stays dead, and others take its zone
// over.
func (n *node) restart(persisted []byte) {
	id, coord, err := decodeIdentity(persisted)
	if err != nil || id.Incarnation == 1<<16-1 {
		n.Ignore(n.Self.ID, "the persisted identity cannot be used")
		return
	}
	n.State = New(id.Address, coord)
	n.start(id.Incarnation + 1)
}

func (n *node) command(c Command) {
	switch {
	case c.Kind == CommandCreate && n.Phase == Outside:
		n.create()
	case c.Kind == CommandJoin && n.Phase <= Joining && !c.Contact.IsNobody():
		n.Phase, n.Contact = Joining, c.Contact
		n.retry()
	case c.Kind == CommandLeave && n.Phase == Member:
		n.Leave = true
		n.retry()
	default:
		n.Ignore(n.Self.ID, "not possible now")
	}
}

func (n *node) create() {
	n.Phase = Member
	n.Self.Zone, n.Self.Instance = n.cfg.Space.Whole(), FirstInstance
	n.Event(EventCreate, n.Self.ID, 0, "")
}

// retry begins the entire join process, or the leave, once more.
func (n *node) retry() {
	switch {
	case n.Phase == Joining:
		n.send(n.Contact, Join{Joiner: n.Self.ID, Coord: n.Self.Coord})
	case n.Phase == Member && n.Leave:
		n.asProposer().request(Gamma{Kind: Merge})
	}
}

// join routes a new node greedily to the zone that contains its coordinate, whose owner is L.
func (n *node) join(m Join) {
	switch {
	case m.Joiner.IsNobody() || m.Joiner == n.Self.ID || !n.cfg.Space.Whole().Contains(m.Coord):
		n.Ignore(m.Joiner, "senseless join")
	case n.Phase == Member && n.Self.Zone.Contains(m.Coord):
		n.admit(m)
	default:
		next, ok := n.nextHop(m.Coord)
		if !ok || m.Hops >= n.cfg.HopLimit {
			n.send(m.Joiner, Refuse{})
			return
		}
		m.Hops++
		n.send(next, m)
	}
}

// nextHop returns the direct neighbour nearest to the point, provided that it is nearer than the
// node.
func (n *node) nextHop(p space.Point) (protocol.NodeID, bool) {
	if n.Phase != Member {
		return protocol.NodeID{}, false
	}
	next, nearest := protocol.NodeID{}, n.Self.Zone.Distance(p)
	for _, r := range n.Direct() {
		if d := r.Zone.Distance(p); d < nearest {
			next, nearest = r.ID, d
		}
	}
	return next, !next.IsNobody()
}

func (n *node) admit(m Join) {
	_, known := table(n.Nodes).find(m.Joiner)
	if _, gone := n.findTombstone(m.Joiner); known || gone {
		n.Ignore(m.Joiner, "join of a member or of a zombie")
		return
	}
	keep, ok := n.cfg.Space.Split(n.Self.Splits, n.Self.Coord, m.Coord)
	if !ok {
		n.send(m.Joiner, Refuse{})
		return
	}
	n.asProposer().request(Gamma{Kind: Split, Joiner: m.Joiner, Coord: m.Coord, Keep: keep})
}

// refused waits for the drawn delay, which is pending already.
func (n *node) refused(from protocol.NodeID) {
	if n.Phase != Joining {
		n.Ignore(from, "no request is open")
		return
	}
	n.Event(EventRetry, from, 0, Split.String())
}

// giveHalf hands the new zone over: zone, split list and L's view of the neighbourhood, in one
// message that is sent once.
func (n *node) giveHalf(joined Record) {
	var nodes []Record
	for _, r := range append(n.Known(), n.Self.Record) {
		if r.ID != joined.ID {
			nodes = append(nodes, r)
		}
	}
	slices.SortFunc(nodes, func(a, b Record) int { return a.ID.Compare(b.ID) })
	n.send(joined.ID, Handover{Joined: joined, Nodes: nodes})
}

func (n *node) handover(from protocol.NodeID, m Handover) {
	switch {
	case n.Phase != Joining:
		n.Ignore(from, "no request is open")
		return
	case m.Joined.ID != n.Self.ID || m.Joined.Coord != n.Self.Coord || !m.Joined.Zone.Contains(n.Self.Coord):
		n.Ignore(from, "senseless hand-over")
		return
	}
	n.Phase, n.Contact = Member, protocol.NodeID{}
	n.Self = Entry{Record: m.Joined}
	for _, r := range m.Nodes {
		n.offer(r)
	}
	n.Event(EventJoined, from, 0, "")
}
