package can

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// CommandKind is the kind of a request of an application to its node.
type CommandKind uint8

// The commands of an application.
const (
	CommandCreate CommandKind = iota // become the first member of a new network
	CommandJoin                      // join the network that Contact is in
	CommandLeave                     // leave, having handed the zone over
)

// Command is a command of the application.
type Command struct {
	Kind    CommandKind
	Contact protocol.NodeID // CommandJoin
}

func (n *node) start(incarnation uint16) {
	n.Self.ID.Incarnation = incarnation
	n.Out.Persist = appendIdentity(nil, n.Self.ID, n.Self.Coord)
}

// restart begins a new incarnation: the crashed incarnation stays dead, and others take its zone
// over.
func (n *node) restart(persisted []byte) {
	id, coord, err := decodeIdentity(persisted)
	if err != nil || id.Incarnation == 1<<16-1 || !n.cfg.Space.Whole().Contains(coord) {
		n.Ignore(n.Self.ID, "the persisted identity cannot be used")
		return
	}
	n.State = State{Self: Record{ID: id, Coord: coord}}
	n.start(id.Incarnation + 1)
}

func (n *node) onCommand(c Command) {
	switch {
	case c.Kind == CommandCreate && n.Phase == Outside,
		c.Kind == CommandJoin && (n.Phase == Outside || n.Phase == Joining):
		n.Contact = c.Contact
		n.enter()
	case c.Kind == CommandLeave && n.Phase == Member:
		n.Leave = true
		n.retry()
	default:
		n.Ignore(n.Self.ID, "not possible now")
	}
}

// enter begins to join, or creates the network if there is no contact. In a space with virtual
// dimensions the coordinates in them are drawn first.
func (n *node) enter() {
	if s := n.cfg.Space; s.Virtual > 0 && n.Phase == Outside {
		n.Phase = Drawing
		n.Out.Choose = uint32(s.Size[s.Dims-1])
		return
	}
	if n.Contact.IsNobody() {
		n.Phase = Member
		n.Self.Zone, n.Self.Version = n.cfg.Space.Whole(), 1
		n.Event(EventCreate, n.Self.ID, 0, "")
		return
	}
	n.Phase = Joining
	n.send(n.Contact, Join{Joiner: n.Self.ID, Coord: n.Self.Coord})
}

func (n *node) onDrawn(choice uint32) {
	s := n.cfg.Space
	if n.Phase != Drawing || choice >= uint32(s.Size[s.Dims-1]) {
		n.Ignore(n.Self.ID, "nothing to draw")
		return
	}
	n.Self.Coord = s.Spread(n.Self.Coord, choice)
	n.enter()
}

// onJoin routes a join request greedily to the owner of the coordinate, which proposes to split its
// zone.
func (n *node) onJoin(m Join) {
	switch {
	case m.Joiner.IsNobody() || m.Joiner == n.Self.ID || !n.cfg.Space.Whole().Contains(m.Coord):
		n.Ignore(m.Joiner, "senseless join")
	case n.Self.Zone.Contains(m.Coord):
		n.asProposer().admit(m)
	default:
		next, ok := NextHop(&n.State, m.Coord)
		if !ok || m.Hops >= n.cfg.HopLimit {
			n.send(m.Joiner, Refuse{})
			return
		}
		m.Hops++
		n.send(next, m)
	}
}

// NextHop returns the direct neighbour whose zone is nearest to the point, provided that it is
// nearer than the node's own. A node that is no member has no neighbours.
func NextHop(s *State, p space.Point) (protocol.NodeID, bool) {
	next, nearest := protocol.NodeID{}, s.Self.Zone.Distance(p)
	for i := range s.Known {
		r := &s.Known[i]
		if d := r.Zone.Distance(p); d < nearest && s.isDirect(r) {
			next, nearest = r.ID, d
		}
	}
	return next, !next.IsNobody()
}

func (n proposer) admit(m Join) {
	if n.Change.Stage != Stable && n.Change.Commit.Kind == Split && n.Change.Subject == m.Joiner {
		return // a copy: the round is under way
	}
	_, known := table(n.Known).find(m.Joiner)
	if known || n.IsDead(m.Joiner) {
		n.Ignore(m.Joiner, "join of a member or of a zombie")
		return
	}
	if _, ok := n.cfg.Space.Split(n.Self.Splits, n.Self.Coord, m.Coord); !ok {
		n.send(m.Joiner, Refuse{Occupied: true})
		return
	}
	if !n.request(Split, m.Joiner, m.Coord) {
		n.send(m.Joiner, Refuse{})
	}
}

// onRefuse reports the delay to the application. The retry timer is pending already.
func (n *node) onRefuse(from protocol.NodeID, m Refuse) {
	if n.Phase != Joining || !n.Promise.Proposer.IsNobody() {
		n.Ignore(from, "no request is open")
		return
	}
	detail := Split.String()
	if m.Occupied {
		detail = DetailOccupied
	}
	n.Event(EventRetry, from, 0, detail)
}

// retry repeats a delayed request. A join begins again, with other coordinates in the virtual
// dimensions if there are any, since the former ones may be taken.
func (n *node) retry() {
	failed, duty := n.duty()
	switch {
	case n.Phase == Joining && n.Promise.Proposer.IsNobody():
		n.Phase = Outside
		n.enter()
	case duty:
		n.asProposer().takeOver(failed)
	case n.Phase == Member && n.Leave:
		n.asProposer().leave()
	}
}

func (n proposer) leave() {
	if !n.Busy() && len(n.Known) == 0 {
		n.Leave = false
		n.Event(EventRetry, n.Self.ID, 0, DetailLast)
		return
	}
	n.request(Merge, n.Self.ID, n.Self.Coord)
}
