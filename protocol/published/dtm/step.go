package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// Step is one node: it returns the next state and the output for an input. It is pure.
func Step(s dtm.State, in dtm.Input) (dtm.State, dtm.Output) {
	n := node{State: s}
	n.Search.Answers, n.Search.Awaits = slices.Clone(s.Search.Answers), slices.Clone(s.Search.Awaits)
	n.Search.Latencies, n.Branches = slices.Clone(s.Search.Latencies), slices.Clone(s.Branches)
	switch in.Kind {
	case protocol.Start:
		n.ID.Incarnation = 1
		n.Out.Persist = protocol.AppendNodeID(nil, n.ID)
	case protocol.Command:
		n.command(in.Command)
	case protocol.Measured:
		if n.Phase == dtm.Joining {
			n.measured(in.From, in.Measure)
		}
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	}
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	dtm.State
	protocol.Effects[dtm.Message]
}

func (n *node) send(to protocol.NodeID, m dtm.Message) { n.Send(n.ID, to, m) }

func (n *node) command(c dtm.Command) {
	switch {
	case c.Kind == dtm.CommandJoin && n.Phase == dtm.Outside && len(c.Nodes) == 0:
		n.Phase, n.Version = dtm.Member, 1
		n.Event(dtm.EventJoined, protocol.NodeID{}, 0, "")
	case c.Kind == dtm.CommandJoin && n.Phase == dtm.Outside:
		n.Phase, n.Search.Members = dtm.Joining, c.Nodes
		n.advance()
	case c.Kind == dtm.CommandLeave && n.Phase == dtm.Member:
		n.leave()
	}
}

func (n *node) deliver(from protocol.NodeID, m dtm.Message) {
	switch m := m.(type) {
	case dtm.Look:
		if n.Phase == dtm.Member {
			n.send(from, dtm.Report{Version: 1, View: dtm.View{Label: n.Label(), Children: n.Children()}})
		}
	case dtm.Report:
		if n.Phase == dtm.Joining {
			n.reported(from, m)
		}
	case dtm.Attach:
		if n.Phase == dtm.Member {
			n.adopt(dtm.Child{Host: from, At: m.At, Length: m.Length})
			n.send(from, dtm.Position{Label: n.Label()})
		}
	case dtm.Position:
		n.positioned(from, m)
	case dtm.Left:
		n.Branches = slices.DeleteFunc(n.Branches, func(b dtm.Branch) bool { return b.Host == from })
	case dtm.Claim:
		n.Branches = slices.DeleteFunc(n.Branches, func(b dtm.Branch) bool { return b.Host == m.Former })
		n.adopt(dtm.Child{Host: from, At: m.At, Length: m.Length})
	}
	if len(n.Branches) == 0 {
		n.Branches = nil
	}
}

// adopt takes a child.
func (n *node) adopt(c dtm.Child) {
	at, there := slices.BinarySearchFunc(n.Branches, c.Host, func(b dtm.Branch, id protocol.NodeID) int {
		return b.Host.Compare(id)
	})
	if there {
		n.Branches[at].Child = c
		return
	}
	n.Branches = slices.Insert(n.Branches, at, dtm.Branch{Child: c, Acked: 1})
}

// positioned takes the anchor's label, or the new place that an anchor has for the host when it
// leaves: then the label is the host's own, and the children are the inherited ones.
func (n *node) positioned(from protocol.NodeID, m dtm.Position) {
	switch {
	case len(m.Label) == 0:
		return
	case n.Phase == dtm.Joining && n.Search.Anchor == from:
		asked := n.Search.Asked
		n.Segment = dtm.Segment{Anchor: from, At: asked.At, Length: asked.Length}
		n.Phase, n.Search, n.Version = dtm.Member, dtm.Search{}, 1
		n.Event(dtm.EventJoined, from, 0, "")
	case n.Phase == dtm.Member && m.Label[0].Host == n.ID:
		heir := len(m.Label) == len(n.Above)
		n.Segment = dtm.Segment{At: m.Label[0].At, Length: m.Label[0].Length}
		for _, c := range m.Children {
			n.adopt(c)
		}
		m.Label = m.Label[1:]
		if len(m.Label) > 0 {
			n.Anchor = m.Label[0].Host
		}
		if heir && len(m.Label) > 0 {
			n.send(n.Anchor, dtm.Claim{Former: from, At: n.At, Length: n.Length})
		}
	case n.Phase != dtm.Member || from != n.Anchor:
		return
	}
	n.Heard = 1
	if len(m.Label) == 0 {
		m.Label = nil
	}
	if slices.Equal(n.Above, m.Label) {
		return
	}
	n.Above = m.Label
	for _, b := range n.Branches {
		n.send(b.Host, dtm.Position{Label: n.Label()})
	}
}

// leave gives each child its new place: the child nearest the leaf takes over the rest of the
// segment, and the others.
func (n *node) leave() {
	children := n.Children()
	if len(children) == 0 && !n.Anchor.IsNobody() {
		n.send(n.Anchor, dtm.Left{})
	}
	moved := dtm.Leave(n.Segment, children)
	heir := dtm.Heir(children)
	for i, c := range children {
		above := n.Above
		var inherited []dtm.Child
		if i != heir {
			h := moved[heir]
			above = append(dtm.Label{{Host: children[heir].Host, At: h.At, Length: h.Length}}, n.Above...)
		} else {
			for k, other := range children {
				if k != heir {
					inherited = append(inherited, dtm.Child{Host: other.Host, At: moved[k].At, Length: moved[k].Length})
				}
			}
		}
		place := dtm.Hop{Host: c.Host, At: moved[i].At, Length: moved[i].Length}
		n.send(c.Host, dtm.Position{Label: append(dtm.Label{place}, above...), Children: inherited})
	}
	n.State = dtm.State{ID: n.ID, Phase: dtm.Departed}
	n.Event(dtm.EventLeft, protocol.NodeID{}, 0, "")
}
