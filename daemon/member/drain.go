package member

import (
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// drainEvery is how often a node that leaves looks whether it has left.
const drainEvery = 50 * time.Millisecond

// Drain is the departure of this node from the grid at the request of a user.
type Drain struct {
	*life.Runtime
	Members *Members
	Mine    func(*jobs.Record) bool // submitted here, or decided about here
	MayNot  func() string
	Report  func() api.NodeReport

	Leaving bool // no new job is taken
	Departs bool // the cores have begun to leave: there is no way back
	times   int  // how often a drain was taken back, so that former deadlines end nothing
}

// MayLeave refuses a drain after which no node that answers would have a part of the map, and one
// after which a single node would, unless the user insists.
func MayLeave(nodes []api.NodeReport, leaves protocol.NodeID, insists bool) error {
	var stay []protocol.NodeID
	member := false
	for _, n := range nodes {
		switch {
		case n.Error != "" || n.Phase != api.MemberPhase:
		case n.Node == leaves && n.Draining:
			return nil // it leaves already, and a deadline may be new
		case n.Node == leaves:
			member = true
		case !n.Draining:
			stay = append(stay, n.Node)
		}
	}
	switch {
	case !member:
		return nil
	case len(stay) == 0:
		return api.Errorf(jobs.ErrBusy, "no other node answers that could take over the jobs and the map of node %v. "+
			"Wait for its jobs or cancel them (canvass status), and stop its daemon with Ctrl-C or SIGINT: "+
			"the records stay on its disk, and it goes on when it is started again", leaves)
	case len(stay) == 1 && !insists:
		return api.Errorf(jobs.ErrBusy, "only node %v would be left: if it fails while node %v leaves, "+
			"no node has the map any more, and each job that it takes later is on one disk; "+
			"canvass node drain --yes does it anyway", stay[0], leaves)
	}
	return nil
}

// AnswerDrain makes this node leave, or stay.
func (d *Drain) AnswerDrain(_ protocol.NodeID, q rpc.DrainRequest) (rpc.DrainAnswer, error) {
	answer := rpc.DrainAnswer{}
	switch lacks := d.MayNot(); {
	case q.Off:
		answer.Failure = rpc.FailureOf(d.stay())
	case lacks != "":
		answer.Failure = rpc.FailureOf(api.Errorf(jobs.ErrBusy, "node %v cannot leave the grid now. %s "+
			"SIGINT ends it as it is", d.Self, lacks))
	default:
		d.Start(q.Limit)
	}
	answer.Report = d.Report()
	return answer, nil
}

// Start makes the node leave. The first of several deadlines counts.
func (d *Drain) Start(limit time.Duration) {
	if limit > 0 {
		times := d.times
		d.After(limit, func() { d.Left = d.Left || d.times == times })
	}
	if d.Leaving {
		return
	}
	d.Leaving = true
	d.Log.Info("the node leaves", "limit", limit)
	d.whenIdle(d.times)
}

// GoAway makes the node leave, at the latest after a time. It does not wait for jobs that were
// submitted here.
func (d *Drain) GoAway(limit time.Duration) {
	if !d.Members.IsMember() {
		d.Left = true // it has no zone, and nothing runs
		return
	}
	d.After(limit, func() { d.Left = true })
	if d.Departs {
		return
	}
	d.Log.Info("the node leaves", "limit", limit)
	d.Leaving, d.Departs, d.times = true, false, d.times+1 // a drain waits no longer
	d.depart()
}

// depart makes the cores leave.
func (d *Drain) depart() {
	d.Departs = true
	d.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandLeave})
	d.whenLeft()
}

// stay takes a drain back, unless the cores have begun to leave.
func (d *Drain) stay() error {
	switch {
	case d.Departs:
		return api.Errorf(jobs.ErrRuns,
			"node %v has begun to leave the map, and ends; start its daemon again afterwards", d.Self)
	case d.Leaving:
		d.Leaving, d.Departs, d.times = false, false, d.times+1
		d.Log.Info("the node stays")
	}
	return nil
}

// whenIdle leaves the map once no job that was submitted here is open, nor one about which this
// daemon decides.
func (d *Drain) whenIdle(times int) {
	switch {
	case d.times != times: // it stays
	case slices.ContainsFunc(d.Table.Live(), d.Mine):
		d.After(drainEvery, func() { d.whenIdle(times) })
	default:
		d.depart()
	}
}

func (d *Drain) whenLeft() {
	s := d.Peer.State()
	if s.Gone() {
		d.Log.Info("the node has left the grid")
		d.Left = true
		return
	}
	d.After(drainEvery, d.whenLeft)
}

const (
	farewellPatience = time.Second     // for an answer of each node
	leftShown        = 2 * time.Minute // how long canvass node status shows a node that has left
)

// TakeLeave notifies all others, after the last turn, that this node has left. Nodes that are down
// ask the witnesses when they are back.
func (d *Drain) TakeLeave() {
	if s := d.Peer.State(); !d.Left || !s.Gone() {
		return
	}
	waits := 0
	for _, life := range d.Members.Alive() {
		waits++
		report := rpc.FarewellReport{Sole: d.keepsAlone()}
		rpc.Farewell.Ask(d.Calls, rpc.Daemon(life).Within(farewellPatience), report, func(rpc.None, error) { waits-- })
	}
	limit := time.After(2 * farewellPatience)
	for waits > 0 {
		select {
		case f := <-d.Inbox:
			f()
		case <-limit:
			return
		}
	}
}

// keepsAlone reports whether this daemon keeps a job that no other live daemon keeps.
func (d *Drain) keepsAlone() bool {
	alive := map[protocol.Address]bool{}
	for _, life := range d.Members.Alive() {
		alive[life.Address] = true
	}
	for r := range d.Table.After("") {
		if !slices.ContainsFunc(r.Custodians, func(a protocol.Address) bool { return alive[a] }) {
			return true
		}
	}
	return false
}
