package node

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// noteClient keeps where a job came from that this node owns from now on. The core forgets it when
// the job ends.
func (n *Node) noteClient(number uint32) {
	s := n.peer.State()
	for _, c := range s.Clients {
		if c.Number == number {
			n.clients[number] = c
		}
	}
	if number > clientLimit { // numbers grow by one
		delete(n.clients, number-clientLimit)
	}
}

func (n *Node) answerClient(_ protocol.NodeID, j ownedJob) (any, error) {
	c, known := n.clients[j.Number]
	if !known || j.Owner != n.self {
		return nil, fmt.Errorf("node %v does not know job %d of owner %v", n.self, j.Number, j.Owner)
	}
	return ticket{Entry: c.Entry, Number: c.Ticket}, nil
}

// answerOrder says which job was submitted to the grid with a ticket of this life.
func (n *Node) answerOrder(_ protocol.NodeID, t ticket) (any, error) {
	k := n.tickets[t.Number]
	if k == nil || t.Entry != n.self {
		return nil, fmt.Errorf("node %v has no job with ticket %d of %v", n.self, t.Number, t.Entry)
	}
	s, _ := k.state()
	r := k.record
	return binding{Job: r.Custody, Custodians: r.Custodians, Try: s.Disk.Record.Try, ID: r.ID, Spec: r.Spec}, nil
}

// submitLater hands a job to the grid for another try: at once, or after the pause that its last
// attempt asks for.
func (n *Node) submitLater(k *keeping) {
	k.ticket = 0
	try := k.decided().Try
	pause, _ := k.record.Again()
	if pause == 0 {
		n.submit(k)
		return
	}
	n.after(pause, func() {
		if k.leads() && k.decided().Try == try && k.ticket == 0 {
			n.submit(k)
		}
	})
}

// submit hands a job to the grid.
func (n *Node) submit(k *keeping) {
	r := k.record
	if !k.leads() || r.Spec.Array != nil || r.State.Final() || r.Wish != "" || r.Held || r.Open() != nil {
		return
	}
	if n.tickets[k.ticket] == k {
		delete(n.tickets, k.ticket)
	}
	n.lastTicket++
	k.ticket = n.lastTicket
	n.tickets[k.ticket] = k
	n.table.Submitted(r)
	n.loop.Command(peerID, peer.Command{
		Kind: peer.CommandSubmit, Ticket: k.ticket, Submitted: uint64(r.Changes[0].At.UnixMicro()),
		Spec: reptask.Spec{
			Size: uint32(r.Spec.Tasks), Over: overOf(r.Spec.Tasks),
			Requirement: space.Point{0, 0, rand.Int32N(virtualSize)},
		},
	})
	ticket := k.ticket
	n.after(ownPatience, func() {
		if k.ticket == ticket && r.Owner.IsNobody() {
			n.submit(k)
		}
	})
}

// overOf is the over-provisioning of a job: half as many dependents more, if it is parallel.
func overOf(size int) reptask.Over {
	if size == 1 {
		return reptask.OverNone
	}
	return reptask.OverNone * 3 / 2
}

// again hands a job to the grid again, later each time.
func (n *Node) again(k *keeping, why string) {
	r := k.record
	n.table.Own(r, protocol.NodeID{})
	n.table.Noted(r, why)
	n.waits[r.ID]++
	pause := min(backOffMax, backOffMin<<min(n.waits[r.ID], 10))
	ticket := k.ticket
	n.after(pause, func() {
		if k.ticket == ticket {
			n.submit(k)
		}
	})
}

// submitted returns the job that this life has submitted with a ticket, if it still decides about
// it and waits for an attempt.
func (n *Node) submitted(ticket uint32) *keeping {
	if k := n.tickets[ticket]; k != nil && k.leads() && k.record.Open() == nil {
		return k
	}
	return nil
}

// placed follows what the grid says of jobs that look for an owner.
func (n *Node) placed(e protocol.Event) {
	if e.Name == peer.EventLost {
		report := lostReport{ticket{e.Peer, e.Number}, e.Detail}
		if e.Peer != n.self {
			n.askLife(e.Peer, "lost", report, nil, func(json.RawMessage, error) {})
			return
		}
		n.lost(report)
		return
	}
	k := n.submitted(e.Number)
	if k == nil {
		return
	}
	r := k.record
	switch {
	case e.Name == peer.EventOwned:
		n.table.Own(r, e.Peer)
		if r.State.Final() || r.Wish != "" || r.Held {
			n.revoke(k)
		}
	case r.State.Final():
	case e.Detail == peer.Nobody.String() && r.Spec.Tasks == 1:
		n.end(k, jobs.Unplaced, "no node of the grid is large enough")
	case e.Detail == peer.Nobody.String():
		n.again(k, "no cluster is large enough") // clusters grow
	default:
		n.again(k, "a search for a node has ended: "+e.Detail)
	}
}

// lostReport tells the daemon that submitted a job that it found no owner, or that its owner has
// given it up.
type lostReport struct {
	ticket
	Why string `json:"why"`
}

func (n *Node) answerLost(_ protocol.NodeID, l lostReport) (any, error) {
	n.lost(l)
	return nil, nil
}

func (n *Node) lost(l lostReport) {
	if k := n.submitted(l.Number); k != nil && l.Entry == n.self && !k.record.State.Final() {
		n.again(k, l.Why)
	}
}

// ownedEnds tells the daemon that submitted a job that its owner has ended it.
func (n *Node) ownedEnds(e protocol.Event) {
	c, known := n.clients[e.Number]
	if !known || e.Peer != n.self {
		return
	}
	report := lostReport{ticket{c.Entry, c.Ticket}, "no cluster had room for it"}
	name := "lost"
	if e.Name == tasks(reptask.EventCancelled) {
		name, report.Why = "ended", ""
	}
	n.askLife(c.Entry, name, report, nil, func(json.RawMessage, error) {})
}

// answerEnded hands a job to the grid again that its owner has cancelled while it was held.
func (n *Node) answerEnded(_ protocol.NodeID, l lostReport) (any, error) {
	if k := n.submitted(l.Number); k != nil && l.Entry == n.self && !k.record.State.Final() {
		n.table.Own(k.record, protocol.NodeID{})
		k.ticket = 0
		n.submit(k)
	}
	return nil, nil
}

// revoke asks the owner of the latest submission of a job to cancel it.
func (n *Node) revoke(k *keeping) {
	if !k.record.Owner.IsNobody() && k.ticket != 0 {
		n.askLife(k.record.Owner, "cancel", k.ticket, nil, func(json.RawMessage, error) {})
	}
}

func (n *Node) answerCancel(from protocol.NodeID, ticket uint32) (any, error) {
	for number, c := range n.clients {
		if c.Entry == from && c.Ticket == ticket {
			n.loop.Command(peerID, peer.Command{Kind: peer.CommandCancel, Ticket: number})
		}
	}
	return nil, nil
}
