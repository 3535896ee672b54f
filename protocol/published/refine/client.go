package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// solicited is a solicitation, as the client's state has it.
func (n *node) solicited(head protocol.NodeID, sought int) {
	c := &n.Client
	switch c.Phase {
	case ClientIdle:
		n.Ignore(head, "the client is IDLE")
	case ClientWait:
		n.algorithm3(head, sought)
	case ClientMeasure:
		n.send(head, Message{Kind: Defer}) // "instructing the suitor to defer the solicitation to a later time"
	case ClientSteady:
		_, known := c.suitor(head)
		if again := known && n.cfg.Readings.Once; c.committed() >= n.cfg.Memberships && !again {
			n.send(head, Message{Kind: Reject}) // "already committed to its full allocation of clusters"
			return
		}
		c.Phase = ClientWait
		n.algorithm3(head, sought)
	}
}

// waited is the timeout of WAIT, and the last lines of Algorithm 3.
func (n *node) waited() {
	c := &n.Client
	if len(c.Suitors) == 0 {
		return // "the client merely resets the timeout and remains in the WAIT state"
	}
	c.Phase = ClientMeasure
	c.Measured = nil
	for i := range c.Suitors { // for all suitor in suitors do accept(to, suitor)
		c.Suitors[i].Accepted = true
		n.send(c.Suitors[i].Head, Message{Kind: Accept})
		n.Event(EventAccept, c.Suitors[i].Head, 0, "")
	}
	for _, r := range c.Suitors {
		n.measure(insert(r.Members, r.Head))
	}
	n.report()
}

// measure begins to measure nodes that are not measured yet: "a client measures inter-node latency
// to all nodes in its unfiltered cluster".
func (n *node) measure(ids []protocol.NodeID) {
	c := &n.Client
	for _, id := range ids {
		done := slices.ContainsFunc(c.Measured, func(l Latency) bool { return l.Peer == id })
		if id == n.Self || done || slices.Contains(c.Awaited, id) {
			continue
		}
		c.Awaited = insert(c.Awaited, id)
		n.Out.Measure = append(n.Out.Measure, id)
	}
}

func (n *node) clientMeasured(peer protocol.NodeID, micros uint32) {
	c := &n.Client
	c.Awaited = remove(c.Awaited, peer)
	at := func(l Latency, id protocol.NodeID) int { return l.Peer.Compare(id) }
	i, has := slices.BinarySearchFunc(c.Measured, peer, at)
	if !has {
		c.Measured = slices.Insert(c.Measured, i, Latency{Peer: peer, Micros: micros})
	}
	n.report()
}

// report ends the measurements of a client: it "forwards this information to any concerned head".
func (n *node) report() {
	c := &n.Client
	if c.Phase != ClientMeasure || len(c.Awaited) > 0 {
		return
	}
	for _, r := range c.Suitors {
		n.send(r.Head, Message{Kind: Report, Latencies: slices.Clone(c.Measured)})
	}
	n.settle()
}

// settle is the way from MEASURE to STEADY: "once all measurements are complete and the client
// receives the final confirmation message from each head".
func (n *node) settle() {
	c := &n.Client
	open := slices.ContainsFunc(c.Suitors, func(r Suitor) bool { return r.Asked })
	if c.Phase == ClientMeasure && len(c.Awaited) == 0 && !open {
		c.Phase = ClientSteady
	}
}

// updated records the update of a suitor.
func (n *node) updated(head protocol.NodeID, m Message) {
	r, ok := n.Client.suitor(head)
	if !ok {
		n.Ignore(head, "an update of no suitor")
		return
	}
	r.Sought, r.Denied = m.Sought, m.Denied
	if !r.Committed {
		r.Members = m.Members
	}
	if n.Client.Phase == ClientMeasure && r.Accepted {
		n.measure(m.Members)
	}
}

// confirmed is the final confirmation message of a head.
func (n *node) confirmed(head protocol.NodeID, m Message) {
	if _, ok := n.Client.suitor(head); !ok {
		n.Ignore(head, "a confirmation of no suitor")
		return
	}
	for i := range n.Client.Suitors {
		if r := &n.Client.Suitors[i]; r.Head == head {
			r.Asked, r.Committed, r.Members, r.Round = false, true, m.Members, m.Round
		}
	}
	n.Event(EventCommit, head, m.Round, "")
	n.settle()
}

// denied is the denial message of a head.
func (n *node) denied(head protocol.NodeID) {
	if _, ok := n.Client.suitor(head); !ok {
		n.Ignore(head, "a denial of no suitor")
		return
	}
	n.abandon(head)
}

// abandon takes a head off the list of suitors.
func (n *node) abandon(head protocol.NodeID) {
	n.Client.Suitors = slices.DeleteFunc(n.Client.Suitors, func(r Suitor) bool { return r.Head == head })
	n.settle()
}
