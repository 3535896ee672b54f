package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// past is the state of the monitor.
type past struct {
	witnesses []remembered // by place
	dead      []protocol.NodeID
	founders  []mark // Number: a generation
	members   []mark // nodes other than founders that have entered. Number: the generation
	broken    breach
	rules     uint32 // of the contract, that were broken
	seen      witness
}

// remembered has the actions of a witness, even forgotten ones.
type remembered struct {
	granted []mark            // the latest round of each address. Number: the round
	former  []mark            // the same, as of the end of its earlier incarnation
	said    []protocol.NodeID // lives of which it said that they are over
	closed  uint32            // the last generation with which it closed a grid; 0: none
}

// mark is an incarnation with a number.
type mark struct {
	id     protocol.NodeID
	number uint32
}

// breach is a property that a step has broken.
type breach uint32

const (
	deadStays breach = 1 << iota
	closedStays
	oneFounder
	entersThroughMembers
)

// witness is something that must happen in some run.
type witness uint32

const (
	leased    witness = 1 << iota // a node enters a generation that another founded
	founded                       // a node founds a generation
	refounded                     // a generation after the first is founded
	certified                     // a death is certified
	spared                        // a question ends without a certificate
	expired                       // a lease expires
	outlawed                      // a majority refuses an incarnation for good
	copied                        // a process is notified that another has its identity
	outvoted                      // a witness grants in a generation older than a promised one
)

// monitor collects the facts. It records the facts behind the grace of a witness only if witnesses
// may restart.
type monitor struct {
	agent    *Agent
	restarts bool
	nodes    []node // as the run finds them
}

func (m monitor) Initial() []byte {
	p := &past{witnesses: make([]remembered, len(m.agent.Addresses))}
	for place, n := range m.nodes {
		for _, g := range n.State.Core.Witness.Grants {
			if m.restarts {
				p.witnesses[place].grant(mark{g.Holder, g.Round})
			}
		}
		if c := &n.State.Core; isFounder(c) {
			p.founders = insert(p.founders, mark{c.Self, c.Generation})
		} else if c.Entered {
			p.members = insert(p.members, mark{c.Self, c.Generation})
		}
	}
	return p.encode()
}

func (monitor) View(mon []byte) any { return decodePast(mon) }

func (monitor) Wants(event string) bool {
	switch event {
	case contract.Event, EventBegin, EventElected, EventSaid, EventEntered, lease.EventGranted, lease.EventLeased,
		lease.EventFounded, lease.EventFenced, lease.EventIdentity, lease.EventDead, lease.EventAlive, lease.EventRegrid,
		lease.EventPromise:
		return true
	}
	return false
}

func (m monitor) Observe(mon []byte, node int, after Site, events []protocol.Event) []byte {
	p := decodePast(mon)
	for _, e := range events {
		m.note(p, &p.witnesses[node], &after.Core, e)
	}
	return p.encode()
}

func (m monitor) note(p *past, w *remembered, s *lease.State, e protocol.Event) {
	switch e.Name {
	case contract.Event:
		p.rules |= 1 << e.Number
	case EventBegin:
		w.former = slices.Clone(w.granted)
	case lease.EventGranted:
		if s.Witness.Promised > s.Witness.Generation {
			p.seen |= outvoted
		}
		if slices.Contains(w.said, e.Peer) {
			p.broken |= deadStays
		}
		w.open(p, s.Witness.Generation)
		if m.restarts {
			w.grant(mark{e.Peer, e.Number})
		}
	case lease.EventPromise:
		w.open(p, e.Number)
	case lease.EventRegrid:
		w.closed = e.Number
	case EventSaid:
		w.say(p, e)
	case EventElected:
		p.elect(mark{s.Self, e.Number})
	case lease.EventFounded:
		p.seen |= founded
		if e.Number > 1 {
			p.seen |= refounded
		}
	case lease.EventLeased:
		p.seen |= leased
		contact := mark{e.Peer, e.Number}
		if !slices.Contains(p.members, contact) && !slices.Contains(p.founders, contact) {
			p.broken |= entersThroughMembers
		}
	case EventEntered:
		p.members = insert(p.members, mark{s.Self, s.Generation})
	case lease.EventDead:
		p.seen |= certified
		if !slices.Contains(p.dead, e.Peer) {
			p.dead = append(p.dead, e.Peer)
			slices.SortFunc(p.dead, protocol.NodeID.Compare)
		}
	case lease.EventAlive:
		p.seen |= spared
	case lease.EventIdentity:
		p.seen |= copied
	case lease.EventFenced:
		if e.Detail == "expired" {
			p.seen |= expired
		} else {
			p.seen |= outlawed
		}
	}
}

// grant notes the latest round that a witness granted to an address.
func (w *remembered) grant(g mark) {
	at := slices.IndexFunc(w.granted, func(x mark) bool { return x.id.Address == g.id.Address })
	switch {
	case at < 0:
		w.granted = insert(w.granted, g)
	case compare(w.granted[at], g) < 0:
		w.granted[at] = g
	}
}

// say records a verdict. A verdict that an incarnation is over is never followed by another.
func (w *remembered) say(p *past, e protocol.Event) {
	known := slices.Contains(w.said, e.Peer)
	switch {
	case e.Number == 0 && known:
		p.broken |= deadStays
	case e.Number == 1 && !known:
		w.said = append(w.said, e.Peer)
		slices.SortFunc(w.said, protocol.NodeID.Compare)
	}
}

// open notes that the witness grants in a generation, or promises it. A closed generation stays
// closed, and so do those before it.
func (w *remembered) open(p *past, generation uint32) {
	if generation <= w.closed {
		p.broken |= closedStays
	}
}

func (p *past) elect(f mark) {
	for _, known := range p.founders {
		if known.number == f.number && known.id != f.id {
			p.broken |= oneFounder
		}
	}
	p.founders = insert(p.founders, f)
}

func compare(a, b mark) int {
	if c := a.id.Compare(b.id); c != 0 {
		return c
	}
	return int(a.number) - int(b.number)
}

// insert adds a mark to a sorted set.
func insert(all []mark, m mark) []mark {
	at, found := slices.BinarySearchFunc(all, m, compare)
	if found {
		return all
	}
	return slices.Insert(all, at, m)
}

// encode returns the canonical encoding.
func (p *past) encode() []byte {
	var dst []byte
	number := func(v uint32) { dst = protocol.AppendUint(dst, uint64(v)) }
	ids := func(all []protocol.NodeID) {
		number(uint32(len(all)))
		for _, id := range all {
			dst = protocol.AppendNodeID(dst, id)
		}
	}
	marks := func(all []mark) {
		number(uint32(len(all)))
		for _, m := range all {
			dst = protocol.AppendNodeID(dst, m.id)
			number(m.number)
		}
	}
	number(uint32(len(p.witnesses)))
	for _, w := range p.witnesses {
		marks(w.granted)
		marks(w.former)
		ids(w.said)
		number(w.closed)
	}
	ids(p.dead)
	marks(p.founders)
	marks(p.members)
	number(uint32(p.broken))
	number(p.rules)
	number(uint32(p.seen))
	return dst
}

func decodePast(src []byte) *past {
	r := protocol.NewReader(src)
	number := func() uint32 { return uint32(r.Uint(1<<32 - 1)) }
	marks := func() []mark {
		return protocol.List(r, func() mark { return mark{r.NodeID(), number()} })
	}
	ids := func() []protocol.NodeID { return protocol.List(r, r.NodeID) }
	return &past{
		witnesses: protocol.List(r, func() remembered { return remembered{marks(), marks(), ids(), number()} }),
		dead:      ids(), founders: marks(), members: marks(),
		broken: breach(number()), rules: number(), seen: witness(number()),
	}
}
