package node

import (
	"cmp"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/placement"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

type placementInstance = driver.Instance[placement.State, placement.Message, placement.Command]

// submissions drive the core of package placement, which decides when a job of this node is
// submitted to the grid. They pass reports of custodians and of the grid to the core, and obey it.
type submissions struct {
	*life.Runtime
	core    *placementInstance
	jobs    map[uint32]*keptJob // by their numbers in the core
	tickets map[uint32]*keptJob // by the tickets of their latest submissions
	numbers uint32              // the latest number of a job
}

func newSubmissions(r *life.Runtime) *submissions {
	return &submissions{Runtime: r, jobs: map[uint32]*keptJob{}, tickets: map[uint32]*keptJob{}}
}

// placementConfig is that of the core: a daemon has no more jobs than its table has room for.
func placementConfig() placement.Config {
	c := placement.DefaultConfig()
	c.JobLimit = placement.JobMost
	return c
}

// begin puts the core into the loop, once the node has its identity.
func (sub *submissions) begin() { sub.add(placement.New(sub.Self)) }

func (sub *submissions) add(made placement.State) {
	sub.core = driver.Add(sub.Loop, life.PlacementID, &placement.Core{Config: placementConfig()},
		driver.Traits[placement.State, placement.Message]{
			Self: func(s placement.State) protocol.NodeID { return s.Self },
		}, made, nil)
}

func (sub *submissions) command(c placement.Command) { sub.Loop.Command(life.PlacementID, c) }

// turnsOfNode is how many jobs of a daemon wait in the grid at once for each node of the grid:
// enough to keep each node busy, were they all of this daemon. A job that waits there costs
// messages all the time, at its owner, its representative and its hosts.
const turnsOfNode = 8

// turnsOf is the number of turns of a daemon in a grid of some nodes.
func turnsOf(nodes int) int { return max(int(placement.DefaultConfig().TurnsLeast), turnsOfNode*nodes) }

// resize passes the number of nodes of the grid to the core, if its turns depend on that.
func (sub *submissions) resize(nodes int) {
	if turns := uint32(turnsOf(nodes)); turns != sub.core.State().Turns {
		sub.command(placement.Command{Kind: placement.CommandTurns, Turns: turns})
	}
}

// want has the present try of a job submitted, after a pause. A job that is held is submitted when
// it is released, and an array never: its elements are.
func (sub *submissions) want(k *keptJob, pause time.Duration) {
	r := k.record
	if r.Spec.Array != nil || r.Requested != "" || r.Held || r.Open() != nil {
		return
	}
	sub.dropTicket(k)
	if k.number == 0 {
		sub.numbers++
		k.number = sub.numbers
	}
	sub.jobs[k.number] = k
	rest := min((pause+driver.Tick-1)/driver.Tick, time.Duration(placementConfig().RestMax))
	sub.command(placement.Command{
		Kind: placement.CommandWants, Job: k.number, Try: k.decided().Try,
		Stamp: uint64(r.Changes[0].At.UnixMicro()), Rest: uint32(rest),
	})
}

// permitted notes that an attempt has the permit. Another node or an earlier incarnation may have
// made its submission.
func (sub *submissions) permitted(k *keptJob, a custody.Attempt) {
	c := placement.Command{Kind: placement.CommandPermitted, Job: k.number}
	if k.asked.Attempt() == a && k.asked.Ticket == k.ticket {
		c.Ticket = k.ticket
	}
	sub.command(c)
}

// lapse notes that an attempt was refused the permit: its submission has come to nothing.
func (sub *submissions) lapse(k *keptJob, a rpc.JobAttempt) {
	if a.Ticket == k.ticket {
		sub.command(placement.Command{Kind: placement.CommandEnded, Ticket: k.ticket})
	}
}

// stop gives the submission of a job up that is held, or that is to end.
func (sub *submissions) stop(k *keptJob) {
	sub.command(placement.Command{Kind: placement.CommandStop, Job: k.number})
}

// leave lets the core forget a job that has ended, or that another custodian decides about. An
// attempt that runs goes on, and only this node can have its owner end it.
func (sub *submissions) leave(k *keptJob) {
	if k.record.Open() == nil {
		sub.command(placement.Command{Kind: placement.CommandDrop, Job: k.number})
	}
}

// drop forgets a job that is kept here no longer.
func (sub *submissions) drop(k *keptJob) {
	sub.command(placement.Command{Kind: placement.CommandDrop, Job: k.number})
	delete(sub.jobs, k.number)
	sub.dropTicket(k)
}

// dropTicket forgets the ticket of a job: attempts of that submission do not find their job any
// more.
func (sub *submissions) dropTicket(k *keptJob) {
	delete(sub.tickets, k.ticket)
	k.ticket = 0
}

// nodeDied notes that a node has died.
func (sub *submissions) nodeDied(id protocol.NodeID) {
	sub.command(placement.Command{Kind: placement.CommandDead, Node: id})
}

// ownerOf is the owner of a job that waits in the grid, if it is known.
func (sub *submissions) ownerOf(k *keptJob) (owner protocol.NodeID) {
	s := sub.core.State()
	if j := s.Job(k.number); j != nil && j.Phase == placement.Placed {
		owner = j.Owner
	}
	return owner
}

// onPlacement obeys the core.
func (sub *submissions) onPlacement(_ driver.CoreID, e protocol.Event) {
	s := sub.core.State()
	switch e.Name {
	case placement.EventSubmit:
		if j := s.Of(e.Number); j != nil && sub.jobs[j.Number] != nil {
			sub.handOut(sub.jobs[j.Number], e.Number)
		}
	case placement.EventOwned:
		if k := sub.tickets[e.Number]; k != nil {
			sub.Table.Own(k.record, e.Peer)
		}
	case placement.EventRevoke:
		rpc.Cancel.Ask(sub.Calls, rpc.Only(e.Peer), e.Number, nil)
	case placement.EventAsk:
		sub.askOwner(e.Peer, e.Number)
	case placement.EventWait:
		j, k := s.Job(e.Number), sub.jobs[e.Number]
		if j != nil && k != nil && j.Phase == placement.Waiting {
			sub.waits(k, turnNote)
		}
	case placement.EventRest:
		if k := sub.jobs[e.Number]; k != nil && e.Detail == placement.Vain {
			sub.waits(k, cmp.Or(k.vain, noOwner))
		}
	}
}

// Notes about a job that waits for its turn, or after a search without a result.
const (
	turnNote = "it waits for its turn: other jobs go to the grid first"
	noOwner  = "no node has taken it in time"
)

// waits notes why a job waits here.
func (sub *submissions) waits(k *keptJob, why string) {
	if r := k.record; !r.State.Final() && (r.Note != why || !r.Owner.IsNobody()) {
		sub.Table.Own(r, protocol.NodeID{})
		sub.Table.Noted(r, why)
	}
}

// handOut hands a job to the grid.
func (sub *submissions) handOut(k *keptJob, ticket uint32) {
	r := k.record
	sub.dropTicket(k)
	k.ticket, k.vain = ticket, ""
	sub.tickets[ticket] = k
	if r.Note == turnNote {
		r.Note = ""
	}
	sub.Table.Submitted(r)
	sub.Loop.Command(life.PeerID, peer.Command{
		Kind: peer.CommandSubmit, Ticket: ticket, Submitted: uint64(r.Changes[0].At.UnixMicro()),
		Spec: reptask.Spec{
			Size: uint32(r.Spec.Tasks), Over: overOf(r.Spec.Tasks),
			Requirement: space.Point{0, 0, int32(sub.Machine.Between(0, config.VirtualSize-1))},
		},
	})
}

// overOf is the over-provisioning of a job: half as many dependents more, if it is parallel.
func overOf(size int) reptask.Over {
	if size == 1 {
		return reptask.OverNone
	}
	return reptask.OverNone * 3 / 2
}

// ownsPatience is how long an owner is asked whether it has a submission.
const ownsPatience = 5 * time.Second

// askOwner asks an owner whether it still has a submission. An attempt that could not find out its
// job ends the job at its owner without a report to the custodians.
func (sub *submissions) askOwner(owner protocol.NodeID, ticket uint32) {
	waits := func() bool { return sub.tickets[ticket] != nil }
	rpc.Owns.Ask(sub.Calls, rpc.Daemon(owner).Within(ownsPatience).While(waits), ticket, func(owns bool, err error) {
		if err == nil && !owns {
			sub.lost(ticket, "its owner has ended it without an outcome")
		}
	})
}

// lost notes that a search has found no owner, or that no owner has the submission.
func (sub *submissions) lost(ticket uint32, why string) {
	if k := sub.tickets[ticket]; k != nil {
		k.vain = why
		sub.command(placement.Command{Kind: placement.CommandLost, Ticket: ticket})
	}
}

// onSearch follows the searches for owners.
func (sub *submissions) onSearch(_ driver.CoreID, e protocol.Event) {
	switch e.Name {
	case peer.EventOwned:
		sub.command(placement.Command{Kind: placement.CommandOwned, Ticket: e.Number, Node: e.Peer})
	case peer.EventLost:
		report := rpc.LostReport{Submission: rpc.Submission{Entry: e.Peer, Number: e.Number}, Why: e.Detail}
		if e.Peer != sub.Self {
			rpc.Lost.Ask(sub.Calls, rpc.Only(e.Peer), report, nil)
			return
		}
		sub.lost(e.Number, e.Detail)
	case peer.EventUnmatched:
		sub.lost(e.Number, sub.unmatched(e))
	}
}

// unmatched is the reason why a search has found no owner.
func (sub *submissions) unmatched(e protocol.Event) string {
	switch k := sub.tickets[e.Number]; {
	case e.Detail != peer.Nobody.String():
		return "a search for a node has ended: " + e.Detail
	case k != nil && k.record.Spec.Tasks == 1:
		return "no node of the grid takes jobs now" // nodes that leave come back
	}
	return "no cluster is large enough" // clusters grow
}

// answerOrder is the job that was submitted to the grid under a ticket of this incarnation.
func (sub *submissions) answerOrder(_ protocol.NodeID, t rpc.Submission) (rpc.Binding, error) {
	k := sub.tickets[t.Number]
	if k == nil || t.Entry != sub.Self {
		return rpc.Binding{}, fmt.Errorf("node %v has no job with ticket %d of %v", sub.Self, t.Number, t.Entry)
	}
	s, _ := k.state()
	r := k.record
	return rpc.Binding{
		Job: r.Custody, Custodians: r.Custodians, Try: s.Disk.Record.Try, ID: r.ID, Spec: r.Spec,
	}, nil
}

// answerLost takes the report of a daemon that a submission has no owner.
func (sub *submissions) answerLost(_ protocol.NodeID, l rpc.LostReport) (rpc.None, error) {
	if l.Entry == sub.Self {
		sub.lost(l.Number, l.Why)
	}
	return rpc.None{}, nil
}

// answerEnded takes the report of an owner that it has cancelled a submission.
func (sub *submissions) answerEnded(_ protocol.NodeID, l rpc.LostReport) (rpc.None, error) {
	if l.Entry == sub.Self {
		sub.command(placement.Command{Kind: placement.CommandEnded, Ticket: l.Number})
	}
	return rpc.None{}, nil
}
