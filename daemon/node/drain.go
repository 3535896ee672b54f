package node

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

const (
	drainEvery    = 50 * time.Millisecond // how often a node that leaves looks whether it has left
	drainPatience = 5 * time.Second       // for the answer of another daemon that is to leave
)

// drain is how a node leaves the grid since a user wants it.
type drain struct {
	*life.Runtime
	members *members
	views   *views
	mayNot  func() string
	report  func() api.NodeReport

	leaving bool // no new job is taken
	departs bool // the cores know: there is no way back
	times   int  // how often a drain was taken back, so that former deadlines end nothing
}

// Drain makes a node leave the grid: it takes no new jobs, and waits for the jobs that were
// submitted there. Then it takes no new tasks, waits for its running task, and leaves the map, and
// its daemon ends. When the time is over, the daemon ends anyway; 0 is no limit. Until it has begun
// to leave the map the drain can be taken back. The last but one node does not leave unless the
// user insists. The last one cannot: no node would take its part of the map.
func (u users) Drain(ctx context.Context, q api.DrainQuery) (api.NodeReport, error) {
	to, err := life.On(ctx, u, func() (protocol.NodeID, error) {
		id, err := u.named(q.Node)
		if err == nil && u.dead(id) {
			err = api.Errorf(jobs.ErrOver, "node %v %s", id, u.overText(id))
		}
		return id, err
	})
	if err != nil {
		return api.NodeReport{}, err
	}
	if !q.Off {
		nodes, err := u.Nodes(ctx)
		if err != nil {
			return api.NodeReport{}, err
		}
		if err := mayLeave(nodes, to, q.Yes); err != nil {
			return api.NodeReport{}, err
		}
	}
	answer, err := life.Query(ctx, u, rpc.Drain, to, rpc.DrainRequest{Limit: q.Limit, Off: q.Off}, drainPatience)
	if err != nil {
		return api.NodeReport{}, fmt.Errorf("drain of node %v: %w", to, err)
	}
	return answer.Report, answer.Err()
}

// mayLeave refuses a drain after which no node that answers would have a part of the map, and one
// after which a single node would, unless the user insists.
func mayLeave(nodes []api.NodeReport, leaves protocol.NodeID, insists bool) error {
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

func (d *drain) answerDrain(_ protocol.NodeID, q rpc.DrainRequest) (rpc.DrainAnswer, error) {
	answer := rpc.DrainAnswer{}
	switch lacks := d.mayNot(); {
	case q.Off:
		answer.Failure = rpc.FailureOf(d.stay())
	case lacks != "":
		answer.Failure = rpc.FailureOf(api.Errorf(jobs.ErrBusy, "node %v cannot leave the grid now. %s "+
			"SIGINT ends it as it is", d.Self, lacks))
	default:
		d.leave(q.Limit)
	}
	answer.Report = d.report()
	return answer, nil
}

// parseNode reads the name of a node, which is not nobody.
func parseNode(text string) (protocol.NodeID, error) {
	id, err := protocol.ParseNodeID(text)
	if err == nil && !id.IsNobody() {
		return id, nil
	}
	if near, err := protocol.ParseNodeID(strings.ToUpper(text)); err == nil && !near.IsNobody() {
		return id, noNode(text, fmt.Sprintf("did you mean %v? ", near))
	}
	return id, noNode(text, "names are as A, C.2 and n31; ")
}

// noNode is the error of a name that no node has.
func noNode(text, remedy string) error {
	return api.Errorf(jobs.ErrUnknown, "there is no node %s; %scanvass node status lists them", text, remedy)
}

// leave makes the node leave. Of several deadlines the first one counts.
func (d *drain) leave(limit time.Duration) {
	if limit > 0 {
		times := d.times
		d.After(limit, func() { d.Left = d.Left || d.times == times })
	}
	if d.leaving {
		return
	}
	d.leaving = true
	d.Log.Info("the node leaves", "limit", limit)
	d.whenIdle(d.times)
}

// Leave makes the node leave the grid, from any goroutine: it takes no new tasks, waits for its
// running task, and gives its zone away. Run returns then, at the latest after a time. It does not
// wait for jobs that were submitted here: their custodians go on with them.
func (n *Node) Leave(limit time.Duration) {
	n.Post(func() { n.drain.goAway(limit) })
}

func (d *drain) goAway(limit time.Duration) {
	if !d.members.member() {
		d.Left = true // it has no zone, and nothing runs
		return
	}
	d.After(limit, func() { d.Left = true })
	if d.departs {
		return
	}
	d.Log.Info("the node leaves", "limit", limit)
	d.leaving, d.departs, d.times = true, false, d.times+1 // a drain waits no longer
	d.depart()
}

// depart makes the cores leave.
func (d *drain) depart() {
	d.departs = true
	d.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandLeave})
	d.whenLeft()
}

// stay takes a drain back, as long as the cores do not know of it.
func (d *drain) stay() error {
	switch {
	case d.departs:
		return api.Errorf(jobs.ErrRuns,
			"node %v has begun to leave the map, and ends; start its daemon again afterwards", d.Self)
	case d.leaving:
		d.leaving, d.departs, d.times = false, false, d.times+1
		d.Log.Info("the node stays")
	}
	return nil
}

// whenIdle leaves the map once no job that was handed in here is open, nor one about which this
// daemon decides.
func (d *drain) whenIdle(times int) {
	switch {
	case d.times != times: // it stays
	case slices.ContainsFunc(d.Table.Live(), d.views.mine):
		d.After(drainEvery, func() { d.whenIdle(times) })
	default:
		d.depart()
	}
}

func (d *drain) whenLeft() {
	s := d.Peer.State()
	if s.Gone() {
		d.Log.Info("the node has left the grid")
		d.Left = true
		return
	}
	d.After(drainEvery, d.whenLeft)
}

const (
	farewellPatience = time.Second     // for those that answer
	leftShown        = 2 * time.Minute // how long canvass node status shows a node that has left
)

// takeLeave tells all others that this node has left, after its last turn. Those that are down ask
// the witnesses when they are back.
func (d *drain) takeLeave() {
	if s := d.Peer.State(); !d.Left || !s.Gone() {
		return
	}
	waits := 0
	for _, life := range d.members.alive() {
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

// keepsAlone reports whether no other daemon that lives keeps some job of this one.
func (d *drain) keepsAlone() bool {
	alive := map[protocol.Address]bool{}
	for _, life := range d.members.alive() {
		alive[life.Address] = true
	}
	for r := range d.Table.After("") {
		if !slices.ContainsFunc(r.Custodians, func(a protocol.Address) bool { return alive[a] }) {
			return true
		}
	}
	return false
}

// departedKey is where the store has which nodes have left.
var departedKey = []byte("departed")
