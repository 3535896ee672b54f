package node

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

const (
	ownPatience = 10 * time.Second // without an owner for so long, a job is submitted to the grid again
	clientLimit = 4096             // jobs of which an owner remembers where they came from
	backOffMin  = 100 * time.Millisecond
	backOffMax  = 5 * time.Second
)

// methods are the questions that this daemon answers.
func (n *Node) methods() map[string]handler {
	return map[string]handler{
		"echo":    method(func(protocol.NodeID, any) (any, error) { return nil, nil }),
		"client":  method(n.answerClient),
		"order":   method(n.answerOrder),
		"permit":  method(n.answerPermit),
		"outcome": method(n.answerOutcome),
		"unfit":   method(n.answerUnfit),
		"gone":    method(n.answerGone),
		"cancel":  method(n.answerCancel),
		"ended":   method(n.answerEnded),
		"lost":    method(n.answerLost),
		"output":  method(n.answerOutput),
		"halt":    method(n.answerHalt),
		"rank":    method(n.answerRank),
		"blob":    method(n.answerBlob),
		"content": method(n.answerContent),
		"forget":  method(n.answerForget),
		"regrid":  method(n.answerRegrid),
		"report":  method(func(protocol.NodeID, any) (any, error) { return n.report(), nil }),
	}
}

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

// job returns a job by its ticket. One that nobody knows was handed in to a former life of the
// store, or never.
func (n *Node) job(ticket uint32) (*jobs.Record, error) {
	if r := n.table.Ticket(ticket); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("node %v has no job with ticket %d", n.self, ticket)
}

func (n *Node) answerOrder(_ protocol.NodeID, ticket uint32) (any, error) {
	r, err := n.job(ticket)
	if err != nil {
		return nil, err
	}
	return order{r.ID, r.Spec}, nil
}

func (n *Node) answerPermit(_ protocol.NodeID, p permitRequest) (any, error) {
	r, err := n.job(p.Ticket)
	if err != nil {
		return false, nil
	}
	a := p.attempt()
	fresh := r.Open() == nil
	granted, err := n.table.Permit(r, a)
	switch {
	case err != nil:
		return nil, errLater
	case !granted && r.Open() != nil:
		return nil, errLater // until the hosts of the other attempt have said that it is gone
	case !granted && r.Held && r.Wish == "" && !r.State.Final():
		return nil, errLater // its owner cancels it
	}
	if granted && fresh {
		delete(n.waits, r.ID)
		n.watchTimeout(r)
	}
	return granted, nil
}

// attempt is the attempt as a record has it.
func (p *permitRequest) attempt() jobs.Attempt {
	return jobs.Attempt{By: p.By, Epoch: p.Epoch, Representative: p.Representative, Hosts: p.Hosts}
}

func (n *Node) answerOutcome(_ protocol.NodeID, o outcome) (any, error) {
	r, err := n.job(o.Ticket)
	if err != nil {
		return nil, err
	}
	if len(o.Statuses) != len(o.Hosts) {
		return nil, fmt.Errorf("%d statuses of %d hosts", len(o.Statuses), len(o.Hosts))
	}
	for rank, host := range o.Hosts {
		if why := n.unfits[unfitKey{r.ID, o.By, o.Epoch, host}]; why != "" && o.Statuses[rank].Unfit {
			o.Statuses[rank].Error = why
		}
	}
	open := r.Open() != nil
	if err := n.table.Deposit(r, o.attempt(), o.Statuses); err != nil {
		return nil, errLater
	}
	if pause, again := r.Again(); open && again && r.Open() == nil && !r.State.Final() {
		ticket := r.Ticket
		n.after(pause, func() {
			if r.Ticket == ticket {
				n.submit(r)
			}
		})
	}
	return nil, nil
}

// unfitKey names a host of an attempt.
type unfitKey struct {
	job   string
	by    protocol.NodeID
	epoch uint32
	host  protocol.NodeID
}

func (n *Node) answerUnfit(from protocol.NodeID, u unfitReport) (any, error) {
	r, err := n.job(u.Ticket)
	if err != nil {
		return nil, nil
	}
	n.unfits[unfitKey{r.ID, u.By, u.Epoch, from}] = u.Why
	return nil, n.table.Noted(r, u.Why)
}

// answerGone counts the hosts of an attempt that run nothing of it any more.
func (n *Node) answerGone(from protocol.NodeID, a attemptName) (any, error) {
	r, err := n.job(a.Ticket)
	if err != nil {
		return nil, nil
	}
	open := r.Open()
	if open == nil || open.By != a.By || open.Epoch != a.Epoch {
		return nil, nil
	}
	n.hostGone(r, from)
	return nil, nil
}

// settled ends a job that is to end and that no node has. It reports whether no node may have it.
func (n *Node) settled(r *jobs.Record) bool {
	if r.Wish != "" {
		n.keep(n.table.End(r, r.Wish, r.Why))
	}
	return r.State.Final() || r.Held
}

// submit hands a job to the grid.
func (n *Node) submit(r *jobs.Record) {
	if n.settled(r) {
		return
	}
	if err := n.table.Resubmit(r, n.self); err != nil {
		n.fail(err)
		return
	}
	n.loop.Command(peerID, peer.Command{
		Kind: peer.CommandSubmit, Ticket: r.Ticket, Submitted: uint64(r.Changes[0].At.UnixMicro()),
		Spec: reptask.Spec{
			Size: uint32(r.Spec.Tasks), Over: overOf(r.Spec.Tasks),
			Requirement: space.Point{0, 0, rand.Int32N(virtualSize)},
		},
	})
	ticket := r.Ticket
	n.after(ownPatience, func() {
		if r.Ticket == ticket && r.Owner.IsNobody() {
			n.submit(r)
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
func (n *Node) again(r *jobs.Record, why string) {
	r.Owner = protocol.NodeID{}
	n.keep(n.table.Noted(r, why))
	if n.settled(r) {
		return
	}
	n.waits[r.ID]++
	pause := min(backOffMax, backOffMin<<min(n.waits[r.ID], 10))
	ticket := r.Ticket
	n.after(pause, func() {
		if r.Ticket == ticket && r.Open() == nil {
			n.submit(r)
		}
	})
}

// placed follows what the grid says of jobs that look for an owner.
func (n *Node) placed(e protocol.Event) {
	if e.Name == peer.EventLost {
		if e.Peer != n.self {
			n.ask(e.Peer, "lost", lostReport{e.Number, e.Detail}, time.Minute, nil, func(json.RawMessage, error) {})
			return
		}
		n.lost(e.Number, e.Detail)
		return
	}
	r := n.table.Ticket(e.Number)
	if r == nil {
		return
	}
	if r.State.Final() {
		if e.Name == peer.EventOwned { // it has no permit, and only takes a place in a queue
			n.ask(e.Peer, "cancel", e.Number, time.Minute, nil, func(json.RawMessage, error) {})
		}
		return
	}
	switch {
	case e.Name == peer.EventOwned:
		n.keep(n.table.Own(r, e.Peer))
		if r.Wish != "" || r.Held {
			n.revoke(r)
		}
	case e.Detail == peer.Nobody.String() && r.Spec.Tasks == 1:
		n.keep(n.table.End(r, jobs.Unplaced, "no node of the grid is large enough"))
	case e.Detail == peer.Nobody.String():
		n.again(r, "no cluster is large enough") // clusters grow
	default:
		n.again(r, "a search for a node has ended: "+e.Detail)
	}
}

// lostReport tells the daemon that took a job that it found no owner, or that its owner gave it up.
type lostReport struct {
	Ticket uint32 `json:"ticket"`
	Why    string `json:"why"`
}

func (n *Node) answerLost(_ protocol.NodeID, l lostReport) (any, error) {
	n.lost(l.Ticket, l.Why)
	return nil, nil
}

func (n *Node) lost(ticket uint32, why string) {
	if r := n.table.Ticket(ticket); r != nil && r.Open() == nil {
		n.again(r, why)
	}
}

// ownedEnds tells the daemon that took a job that its owner has ended it.
func (n *Node) ownedEnds(e protocol.Event) {
	c, known := n.clients[e.Number]
	if !known || e.Peer != n.self {
		return
	}
	report := lostReport{c.Ticket, "no cluster had room for it"}
	name := "lost"
	if e.Name == tasks(reptask.EventCancelled) {
		name, report.Why = "ended", ""
	}
	n.ask(c.Entry, name, report, time.Minute, nil, func(json.RawMessage, error) {})
}

func (n *Node) answerEnded(_ protocol.NodeID, l lostReport) (any, error) {
	r := n.table.Ticket(l.Ticket)
	switch {
	case r == nil || r.State.Final():
		return nil, nil
	case r.Wish != "":
		return nil, n.table.End(r, r.Wish, cmp.Or(l.Why, r.Why))
	}
	n.keep(n.table.Disown(r)) // it was held
	if r.Open() == nil {
		n.submit(r)
	}
	return nil, nil
}

// revoke asks the owner of a job to cancel it.
func (n *Node) revoke(r *jobs.Record) {
	if r.Owner.IsNobody() {
		return // once it has an owner, or has found none
	}
	n.ask(r.Owner, "cancel", r.Ticket, 0, func() bool { return !r.State.Final() }, func(json.RawMessage, error) {})
}

func (n *Node) answerCancel(from protocol.NodeID, ticket uint32) (any, error) {
	for number, c := range n.clients {
		if c.Entry == from && c.Ticket == ticket {
			n.loop.Command(peerID, peer.Command{Kind: peer.CommandCancel, Ticket: number})
		}
	}
	return nil, nil
}

// watchTimeout ends the attempt of a job that runs for too long.
func (n *Node) watchTimeout(r *jobs.Record) {
	if r.Spec.Timeout <= 0 {
		return
	}
	attempts := len(r.Attempts)
	n.after(r.Spec.Timeout-n.wall().Sub(r.Last().Begin), func() {
		if len(r.Attempts) == attempts && r.Open() != nil {
			n.giveUp(r, "an attempt ran for "+r.Spec.Timeout.String())
		}
	})
}

// watchDeadline ends a job whose time is over.
func (n *Node) watchDeadline(r *jobs.Record) {
	if r.Spec.Deadline > 0 {
		n.after(r.Spec.Deadline-n.wall().Sub(r.Changes[0].At), func() {
			n.giveUp(r, "its deadline of "+r.Spec.Deadline.String()+" is over")
		})
	}
}

// giveUp ends a job, if it has not ended, as one that timed out.
func (n *Node) giveUp(r *jobs.Record, why string) {
	if r.State.Final() || r.Wish != "" {
		return
	}
	n.keep(n.end(r, jobs.TimedOut, why))
}

// end makes a job end as cancelled or timed out. It has ended when the grid has. Tasks that run get
// the signal and the time that the job wants; then the owner cancels it, which kills them.
func (n *Node) end(r *jobs.Record, s jobs.State, why string) error {
	if err := n.table.Want(r, s, why); err != nil {
		return err
	}
	open := r.Open()
	switch {
	case r.Spec.Array != nil:
		for _, e := range n.table.Elements(r) {
			if !e.State.Final() {
				n.keep(n.end(e, s, why))
			}
		}
	case open != nil:
		halted := attemptName{r.Ticket, open.By, open.Epoch}
		same := func() bool { return r.Open() != nil && r.Open().By == halted.By && r.Open().Epoch == halted.Epoch }
		n.ask(open.Representative, "halt", halted, 0, same, func(json.RawMessage, error) {})
		n.after(r.Spec.GraceOf()+haltPatience, func() {
			if same() {
				n.revoke(r)
			}
		})
	case r.Owner.IsNobody():
		n.settled(r) // no attempt gets a permit any more
	default:
		n.revoke(r)
	}
	return nil
}

// haltPatience is how long the tasks of a job may take to end, beyond their grace.
const haltPatience = 2 * time.Second

func (n *Node) answerHalt(_ protocol.NodeID, h attemptName) (any, error) {
	if a := n.attempts[musterID(h.By, h.Epoch)]; a != nil {
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandHalt, Reason: muster.Cancelled})
	}
	return nil, nil
}

// accept gives a job to the grid that was taken.
func (n *Node) accept(r *jobs.Record) {
	n.watchDeadline(r)
	switch {
	case r.Spec.Array != nil:
		n.admitElements(r)
	default:
		n.submit(r)
	}
}

// admitElements lets elements of an array begin, as many as the grid has room for.
func (n *Node) admitElements(r *jobs.Record) {
	room := max(roomMin, roomOfNode*(len(n.alive())+1))
	for {
		e, err := n.table.Spawn(r, room)
		n.keep(err)
		if e == nil || err != nil {
			return
		}
		n.accept(e)
	}
}

// How many elements of an array are with the grid at once, unless the array says fewer.
const (
	roomMin    = 8
	roomOfNode = 4
)
