package node

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// submissions hand the jobs that this node decides about to the grid, and answer for those that it
// owns.
type submissions struct {
	*life.Runtime
	others func() []protocol.NodeID
	closed func(k *keeping, try uint32, a custody.Attempt, host protocol.NodeID) // nothing of it runs there

	clients        map[uint32]peer.Client
	pending        map[uint32]*keeping // by the number of a submission to the grid
	lastSubmission uint32
	tries          uint64
	waits          map[string]int // tries in a row without an owner, by job
	window         window
}

// noteClient keeps where a job came from that this node owns from now on. The core forgets it when
// the job ends, and hosts may still ask then. Of those that have ended the latest are kept.
func (sub *submissions) noteClient(number uint32) {
	open := sub.Peer.State().Clients
	for _, c := range open {
		if c.Number == number {
			sub.clients[number] = c
		}
	}
	forgetClients(sub.clients, open, number)
}

// forgetClients forgets where jobs came from that ended long before the latest one, if there are
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

// answerOwns reports whether this node has an open job of a submission of the daemon that asks.
func (sub *submissions) answerOwns(from protocol.NodeID, number uint32) (bool, error) {
	return slices.ContainsFunc(sub.Peer.State().Clients, func(c peer.Client) bool {
		return c.Entry == from && c.Ticket == number
	}), nil
}

// holdsEvery is how often the hosts of an attempt are asked whether they hold it.
const holdsEvery = 5 * time.Second

// askHosts asks the hosts of an attempt with a permit whether they hold it. All of them did when
// the permit was asked for. So the attempt is over at one that does not, whatever has become of the
// word that it has sent.
func (sub *submissions) askHosts(k *keeping) {
	if sub.Clock() < k.askedHosts+holdsEvery {
		return
	}
	k.askedHosts = sub.Clock()
	c := k.decided()
	name := rpc.AttemptName{By: c.Attempt.By, Epoch: c.Attempt.Epoch}
	same := func() bool { return k.leads() && k.decided().Attempt == c.Attempt }
	for _, host := range c.Hosts {
		rpc.Holds.Ask(sub.Calls, rpc.Daemon(host).Within(holdsEvery).While(same), name, func(held rpc.Holding, err error) {
			switch {
			case err != nil:
			case !held.Holds:
				sub.closed(k, c.Try, c.Attempt, host)
			default:
				sub.hostHolds(k, host, held)
			}
		})
	}
}

// hostHolds notes what a host says of its task, if the record has it not: the custodian that had it
// may have died with it.
func (sub *submissions) hostHolds(k *keeping, host protocol.NodeID, held rpc.Holding) {
	open := k.record.Open()
	if open == nil || held.Told.Begin.IsZero() {
		return
	}
	rank := slices.Index(open.Hosts, host)
	if rank >= 0 && (rank >= len(open.Ranks) || open.Ranks[rank].Begin.IsZero()) {
		sub.Table.Tell(k.record, open.By, open.Epoch, rank, held.Told)
	}
}

// ownsEvery is how often the owner of a job that waits is asked whether it has it.
const ownsEvery = 5 * time.Second

// askOwner asks the owner of a job that waits whether it still has it. An attempt that has come to
// nothing, since nobody knew of which job it was, ends the job at its owner without a word to the
// custodians.
func (sub *submissions) askOwner(k *keeping) {
	if sub.Clock() < k.askedOwner+ownsEvery {
		return
	}
	k.askedOwner = sub.Clock()
	owner, number := k.record.Owner, k.submission
	same := func() bool { return k.submission == number && k.record.Owner == owner && k.record.Open() == nil }
	rpc.Owns.Ask(sub.Calls, rpc.Daemon(owner).Within(ownsEvery).While(same), number, func(owns bool, err error) {
		if err == nil && !owns && k.leads() {
			sub.again(k, "its owner has ended it without an outcome")
		}
	})
}

func (sub *submissions) answerClient(_ protocol.NodeID, j rpc.OwnedJob) (rpc.Submission, error) {
	c, known := sub.clients[j.Number]
	if !known || j.Owner != sub.Self {
		return rpc.Submission{}, fmt.Errorf("node %v does not know job %d of owner %v", sub.Self, j.Number, j.Owner)
	}
	return rpc.Submission{Entry: c.Entry, Number: c.Ticket}, nil
}

// answerOrder says which job was submitted to the grid under a number of this life.
func (sub *submissions) answerOrder(_ protocol.NodeID, t rpc.Submission) (rpc.Binding, error) {
	k := sub.pending[t.Number]
	if k == nil || t.Entry != sub.Self {
		return rpc.Binding{}, fmt.Errorf("node %v has no job with ticket %d of %v", sub.Self, t.Number, t.Entry)
	}
	s, _ := k.state()
	r := k.record
	return rpc.Binding{
		Job: r.Custody, Custodians: r.Custodians, Try: s.Disk.Record.Try, ID: r.ID, Spec: r.Spec,
	}, nil
}

// submitLater hands a job to the grid for another try: at once, or after the pause that its last
// attempt asks for.
func (sub *submissions) submitLater(k *keeping) {
	sub.dropSubmission(k)
	pause, _ := k.record.Again()
	if pause == 0 {
		sub.submit(k)
		return
	}
	sub.rest(k, pause)
}

// rest hands a job to the grid after a pause, unless it was handed in before that.
func (sub *submissions) rest(k *keeping, pause time.Duration) {
	k.rests++
	this := k.rests
	k.resting = true
	sub.After(pause, func() {
		if k.resting && k.rests == this {
			sub.submit(k)
		}
	})
}

// submit hands a job to the grid, once its turn has come. Of two submissions only the later one can
// run. A job about which another custodian decides meanwhile goes on when this one does so again.
func (sub *submissions) submit(k *keeping) {
	k.resting = false
	if !sub.wants(k) {
		return
	}
	if sub.pending[k.submission] == k {
		sub.revoke(k)
	}
	sub.dropSubmission(k)
	if sub.window.taken[k] {
		sub.handOut(k)
		return
	}
	sub.queue(k)
}

// dropSubmission forgets the latest submission of a job: later questions and reports about it do
// not count.
func (sub *submissions) dropSubmission(k *keeping) {
	if sub.pending[k.submission] == k {
		delete(sub.pending, k.submission)
	}
	k.submission = 0
}

// goesOn hands a job to the grid again about which this custodian decides once more, and that it
// had submitted before: what was due meanwhile, or was said of its submission, has gone unnoticed.
// The owner of a submission is asked about it anyhow.
func (sub *submissions) goesOn(k *keeping) {
	owned := sub.window.taken[k] && !k.record.Owner.IsNobody()
	if k.announced > 0 && k.announced == k.decided().Try && !owned && !k.resting && !sub.inLine(k) {
		sub.submit(k)
	}
}

// handOut hands a job to the grid.
func (sub *submissions) handOut(k *keeping) {
	r := k.record
	sub.lastSubmission++
	k.submission = sub.lastSubmission
	sub.pending[k.submission] = k
	if r.Note == turnNote {
		r.Note = ""
	}
	sub.tries++
	sub.Table.Submitted(r)
	sub.Loop.Command(life.PeerID, peer.Command{
		Kind: peer.CommandSubmit, Ticket: k.submission, Submitted: uint64(r.Changes[0].At.UnixMicro()),
		Spec: reptask.Spec{
			Size: uint32(r.Spec.Tasks), Over: overOf(r.Spec.Tasks),
			Requirement: space.Point{0, 0, int32(sub.Machine.Between(0, config.VirtualSize-1))},
		},
	})
	number := k.submission
	sub.After(ownPatience, func() {
		if k.submission == number && r.Owner.IsNobody() {
			sub.submit(k)
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

// hasWaited reports whether a try of a job has come to nothing, and the next one waits.
func (sub *submissions) hasWaited(r *jobs.Record) bool { return sub.waits[r.ID] > 0 }

// forgetWaits drops how often a job has waited.
func (sub *submissions) forgetWaits(r *jobs.Record) { delete(sub.waits, r.ID) }

// again hands a job to the grid again, later each time.
func (sub *submissions) again(k *keeping, why string) {
	r := k.record
	sub.Table.Own(r, protocol.NodeID{})
	sub.Table.Noted(r, why)
	sub.waits[r.ID]++
	sub.yield(k)
	sub.rest(k, min(backOffMax, backOffMin<<min(sub.waits[r.ID], 10)))
}

// submitted returns the job that this life has submitted under a number, if it still decides about
// it and waits for an attempt.
func (sub *submissions) submitted(number uint32) *keeping {
	if k := sub.pending[number]; k != nil && k.leads() && k.record.Open() == nil {
		return k
	}
	return nil
}

// onSubmission follows what the grid says of jobs that were submitted, here or to this node.
func (sub *submissions) onSubmission(_ driver.CoreID, e protocol.Event) {
	switch e.Name {
	case life.TaskEvent(reptask.EventSubmit):
		sub.noteClient(e.Number)
	case life.TaskEvent(reptask.EventCancelled), life.TaskEvent(reptask.EventFailed):
		sub.ownedEnds(e)
	case peer.EventOwned, peer.EventLost, peer.EventUnmatched:
		sub.placed(e)
	}
}

// placed follows what the grid says of jobs that look for an owner.
func (sub *submissions) placed(e protocol.Event) {
	if e.Name == peer.EventLost {
		report := rpc.LostReport{Submission: rpc.Submission{Entry: e.Peer, Number: e.Number}, Why: e.Detail}
		if e.Peer != sub.Self {
			rpc.Lost.Ask(sub.Calls, rpc.Only(e.Peer), report, nil)
			return
		}
		sub.lost(report)
		return
	}
	k := sub.submitted(e.Number)
	if k == nil {
		return
	}
	r := k.record
	switch {
	case e.Name == peer.EventOwned:
		sub.Table.Own(r, e.Peer)
		if r.State.Final() || r.Wish != "" || r.Held {
			sub.revoke(k)
		}
	case r.State.Final():
	case e.Detail == peer.Nobody.String() && r.Spec.Tasks == 1:
		sub.again(k, "no node of the grid takes jobs now") // nodes that leave come back
	case e.Detail == peer.Nobody.String():
		sub.again(k, "no cluster is large enough") // clusters grow
	default:
		sub.again(k, "a search for a node has ended: "+e.Detail)
	}
}

func (sub *submissions) answerLost(_ protocol.NodeID, l rpc.LostReport) (rpc.None, error) {
	sub.lost(l)
	return rpc.None{}, nil
}

func (sub *submissions) lost(l rpc.LostReport) {
	if k := sub.submitted(l.Number); k != nil && l.Entry == sub.Self && !k.record.State.Final() {
		sub.again(k, l.Why)
	}
}

// ownedEnds tells the daemon that submitted a job that its owner has ended it.
func (sub *submissions) ownedEnds(e protocol.Event) {
	c, known := sub.clients[e.Number]
	if !known || e.Peer != sub.Self {
		return
	}
	method := rpc.Lost
	report := rpc.LostReport{
		Submission: rpc.Submission{Entry: c.Entry, Number: c.Ticket}, Why: "no cluster had room for it",
	}
	if e.Name == life.TaskEvent(reptask.EventCancelled) {
		method, report.Why = rpc.Ended, ""
	}
	method.Ask(sub.Calls, rpc.Only(c.Entry), report, nil)
}

// answerEnded hands a job to the grid again that its owner has cancelled while it was held.
func (sub *submissions) answerEnded(_ protocol.NodeID, l rpc.LostReport) (rpc.None, error) {
	if k := sub.submitted(l.Number); k != nil && l.Entry == sub.Self && !k.record.State.Final() {
		sub.Table.Own(k.record, protocol.NodeID{})
		k.submission = 0
		sub.submit(k)
	}
	return rpc.None{}, nil
}

// revoke asks the owner of the latest submission of a job to cancel it.
func (sub *submissions) revoke(k *keeping) {
	if !k.record.Owner.IsNobody() && k.submission != 0 {
		rpc.Cancel.Ask(sub.Calls, rpc.Only(k.record.Owner), k.submission, nil)
	}
}

func (sub *submissions) answerCancel(from protocol.NodeID, number uint32) (rpc.None, error) {
	sub.cancelOwned(func(c peer.Client) bool { return c.Entry == from && c.Ticket == number })
	return rpc.None{}, nil
}

// cancelOwned cancels open jobs that this node owns.
func (sub *submissions) cancelOwned(which func(peer.Client) bool) {
	for _, c := range sub.Peer.State().Clients {
		if which(c) {
			sub.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandCancel, Ticket: c.Number})
		}
	}
}
