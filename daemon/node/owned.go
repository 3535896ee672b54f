package node

import (
	"fmt"
	"maps"
	"slices"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// clientLimit is how many ended jobs an owner remembers the submissions of, in addition to the open
// jobs.
const clientLimit = 4096

// owned are the jobs that this node owns in the grid, by the submissions that they came from.
type owned struct {
	*life.Runtime
	clients map[uint32]peer.Client
}

// onTask follows the events of jobs that this node owns.
func (o *owned) onTask(_ driver.CoreID, e protocol.Event) {
	switch e.Name {
	case life.TaskEvent(reptask.EventSubmit):
		o.noteClient(e.Number)
	case life.TaskEvent(reptask.EventCancelled), life.TaskEvent(reptask.EventFailed):
		o.reportEnd(e)
	}
}

// noteClient keeps the submission of a job that this node owns from now on. The core forgets it
// when the job ends, and hosts may still ask then. The latest of the ended jobs are kept.
func (o *owned) noteClient(number uint32) {
	open := o.Peer.State().Clients
	for _, c := range open {
		if c.Number == number {
			o.clients[number] = c
		}
	}
	forgetClients(o.clients, open, number)
}

// forgetClients forgets the submissions of jobs that ended long before the latest one, if there are
// too many.
func forgetClients(clients map[uint32]peer.Client, open []peer.Client, latest uint32) {
	if len(clients) > 2*clientLimit { // numbers grow by one
		maps.DeleteFunc(clients, func(number uint32, _ peer.Client) bool {
			return number+clientLimit < latest && !isOpen(open, number)
		})
	}
}

// isOpen reports whether a job is among the open ones of its owner.
func isOpen(open []peer.Client, number uint32) bool {
	return slices.ContainsFunc(open, func(c peer.Client) bool { return c.Number == number })
}

// reportEnd notifies the daemon that submitted a job that its owner has ended it.
func (o *owned) reportEnd(e protocol.Event) {
	c, known := o.clients[e.Number]
	if !known || e.Peer != o.Self {
		return
	}
	method := rpc.Lost
	report := rpc.LostReport{
		Submission: rpc.Submission{Entry: c.Entry, Number: c.Ticket}, Why: "no cluster had room for it",
	}
	if e.Name == life.TaskEvent(reptask.EventCancelled) {
		method, report.Why = rpc.Ended, ""
	}
	method.Ask(o.Calls, rpc.Only(c.Entry), report, nil)
}

// answerClient is the submission that a job of an owner came from.
func (o *owned) answerClient(_ protocol.NodeID, j rpc.OwnedJob) (rpc.Submission, error) {
	c, known := o.clients[j.Number]
	if !known || j.Owner != o.Self {
		return rpc.Submission{}, fmt.Errorf("node %v does not know job %d of owner %v", o.Self, j.Number, j.Owner)
	}
	return rpc.Submission{Entry: c.Entry, Number: c.Ticket}, nil
}

// answerOwns reports whether this node has an open job of a submission of the daemon that asks.
func (o *owned) answerOwns(from protocol.NodeID, ticket uint32) (bool, error) {
	return slices.ContainsFunc(o.Peer.State().Clients, func(c peer.Client) bool {
		return c.Entry == from && c.Ticket == ticket
	}), nil
}

// answerCancel cancels the job of a submission of the daemon that asks.
func (o *owned) answerCancel(from protocol.NodeID, ticket uint32) (rpc.None, error) {
	o.cancelOwned(func(c peer.Client) bool { return c.Entry == from && c.Ticket == ticket })
	return rpc.None{}, nil
}

// cancelOwned cancels open jobs that this node owns.
func (o *owned) cancelOwned(which func(peer.Client) bool) {
	for _, c := range o.Peer.State().Clients {
		if which(c) {
			o.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandCancel, Ticket: c.Number})
		}
	}
}
