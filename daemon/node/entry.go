package node

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
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

func (n *Node) answerClient(_ protocol.NodeID, number uint32) (any, error) {
	c, known := n.clients[number]
	if !known {
		return nil, fmt.Errorf("node %v owns no job %d", n.self, number)
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
	if err := n.table.Deposit(r, o.attempt(), o.Statuses); err != nil {
		return nil, errLater
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

// settled ends a job that is to end and that no node has, and reports whether it has ended.
func (n *Node) settled(r *jobs.Record) bool {
	if r.Wish != "" {
		n.keep(n.table.End(r, r.Wish, ""))
	}
	return r.State.Final()
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
	if n.settled(r) {
		return
	}
	r.Owner = protocol.NodeID{}
	n.keep(n.table.Noted(r, why))
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
	if r == nil || r.State.Final() {
		return
	}
	switch {
	case e.Name == peer.EventOwned:
		n.keep(n.table.Own(r, e.Peer))
		if r.Wish != "" {
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
	if r := n.table.Ticket(l.Ticket); r != nil && r.Wish != "" {
		return nil, n.table.End(r, r.Wish, l.Why)
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
	n.after(r.Spec.Timeout, func() {
		if len(r.Attempts) == attempts && r.Open() != nil {
			n.end(r, jobs.TimedOut)
		}
	})
}

// end makes a job end as cancelled or timed out. It has ended when the grid has.
func (n *Node) end(r *jobs.Record, s jobs.State) error {
	if err := n.table.Want(r, s, ""); err != nil {
		return err
	}
	n.revoke(r)
	return nil
}

// auditEvery is how often a daemon looks whether nodes that hold its jobs have begun another life.
const auditEvery = time.Second

// audit goes on with jobs whose hosts or owners were restarted, and with those of a former life of
// this daemon. A node ends what its former life has left before it begins another one.
func (n *Node) audit() {
	for _, r := range n.table.All() {
		open := r.Open()
		switch {
		case r.State.Final():
		case open != nil:
			for _, host := range open.Hosts {
				if n.latest(host) != host {
					n.hostGone(r, host)
				}
			}
		case r.Owner.IsNobody() && r.Life != n.self, !r.Owner.IsNobody() && n.latest(r.Owner) != r.Owner:
			n.submit(r)
		}
	}
	n.after(auditEvery, n.audit)
}

// hostGone notes that a host of the open attempt of a job runs nothing of it any more.
func (n *Node) hostGone(r *jobs.Record, host protocol.NodeID) {
	open := r.Open()
	gone := n.gone[r.ID]
	if !slices.Contains(gone, host) {
		gone = append(gone, host)
	}
	n.gone[r.ID] = gone
	if slices.ContainsFunc(open.Hosts, func(h protocol.NodeID) bool { return !slices.Contains(gone, h) }) {
		return
	}
	delete(n.gone, r.ID)
	n.keep(n.table.Close(r, open.By, open.Epoch, "the grid gave the attempt up"))
}

// keep ends the daemon if a record could not be kept.
func (n *Node) keep(err error) {
	if err != nil {
		n.fail(err)
	}
}
