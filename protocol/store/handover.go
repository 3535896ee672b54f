package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// concerns reports whether the items of an awaited handover belong to this node or to one of its
// gifts.
func (s *State) concerns(a Await) bool {
	mine := a.Zone.Overlaps(s.CAN.Self.Zone) // a node that is no member has the empty zone
	return mine || slices.ContainsFunc(s.Gifts, func(g Gift) bool { return slices.Contains(g.Needs, a.Source) })
}

// due reports whether a gift can be sent: it is complete, and its receiver has acknowledged the
// round and so awaits it.
func (s *State) due(g Gift) bool {
	if s.CAN.Change.Stage != can.Stable && s.CAN.Round == g.Round && slices.Contains(s.CAN.Change.Waiting, g.To) {
		return false
	}
	return !slices.ContainsFunc(s.Awaits, func(a Await) bool { return slices.Contains(g.Needs, a.Source) })
}

// sendGifts sends the gifts that are due and wanted.
func (n *node) sendGifts(wanted func(Gift) bool) {
	for _, g := range n.Gifts {
		if !n.due(g) || !wanted(g) {
			continue
		}
		m := Give{Round: g.Round, Items: g.Items, Leaving: g.Leaving}
		if g.Leaving {
			m.Left = slices.Clone(n.Left)
			for _, d := range n.Decided {
				if d.Verdict != Refused {
					m.Decided = append(m.Decided, d)
				}
			}
		}
		n.send(g.To, m)
	}
}

// onGive adds the items of a part of the zone, once. The sender has this node's acknowledgement of
// the round. So if this node does not await the items, it has them already or gave them up as lost.
func (n *node) onGive(from protocol.NodeID, m Give) {
	n.send(from, GiveOK{Round: m.Round})
	source := Source{from, m.Round}
	i := slices.IndexFunc(n.Awaits, func(a Await) bool { return a.Source == source })
	if i < 0 {
		n.Ignore(from, "no such handover is awaited")
		return
	}
	part := n.Awaits[i].Zone
	n.Awaits = slices.Delete(n.Awaits, i, i+1)
	items, _ := within(m.Items, part)
	items = n.passOn(source, items)
	for _, it := range items {
		if n.Owns(it.Key) {
			n.Items = setItem(n.Items, it.Key, it.Value)
		}
	}
	if m.Leaving {
		n.inherit(from, m)
	}
	n.Event(EventReceived, from, m.Round, "")
	n.serveOwn()
}

// passOn puts items into the gifts that wait for them, and returns the others.
func (n *node) passOn(source Source, items []Item) []Item {
	for i := range n.Gifts {
		g := &n.Gifts[i]
		if !slices.Contains(g.Needs, source) {
			continue
		}
		var passed []Item
		passed, items = within(items, g.Zone)
		g.Items = slices.Clone(g.Items)
		for _, it := range passed {
			g.Items = setItem(g.Items, it.Key, it.Value)
		}
	}
	return items
}

// inherit takes over the decisions of a leaver. From now on this node can answer for it. A decision
// of the leaver replaces a refusal by this node.
func (n *node) inherit(from protocol.NodeID, m Give) {
	for _, d := range m.Decided {
		if own := n.decision(d.Client, d.ID); own == nil || own.Verdict == Refused {
			n.decide(d)
		}
	}
	for _, id := range append(slices.Clone(m.Left), from) {
		if !slices.Contains(n.Left, id) {
			n.Left = append(n.Left, id)
		}
	}
	n.Left = n.Left[max(0, len(n.Left)-n.cfg.LeftLimit):]
}

// onGiveOK ends a handover.
func (n *node) onGiveOK(from protocol.NodeID, m GiveOK) {
	i := slices.IndexFunc(n.Gifts, func(g Gift) bool { return g.To == from && g.Round == m.Round })
	if i < 0 {
		n.Ignore(from, "no such handover")
		return
	}
	n.Gifts = slices.Delete(n.Gifts, i, i+1)
	n.Event(EventDelivered, from, m.Round, "")
}

// onFailed handles the failure of a peer. Items that it was to give are lost, gifts to it are void,
// and its successor must be asked what it was asked.
func (n *node) onFailed(id protocol.NodeID) {
	for _, a := range n.Awaits {
		if a.From == id {
			n.Event(EventLost, id, a.Round, "")
		}
	}
	n.Awaits = slices.DeleteFunc(n.Awaits, func(a Await) bool { return a.From == id })
	n.Gifts = slices.DeleteFunc(n.Gifts, func(g Gift) bool { return g.To == id })
	for i := range n.Pending {
		if p := &n.Pending[i]; p.Target == id {
			n.orphan(p)
		}
	}
	n.serveOwn()
}
