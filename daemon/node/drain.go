package node

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
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
	leaving bool // no new job is taken
	departs bool // the cores know: there is no way back
	times   int  // how often a drain was taken back, so that former deadlines end nothing
}

// Drain makes a node leave the grid: it takes no new jobs, and waits for the jobs that were handed
// in there. Then it takes no new tasks, waits for what runs on it, and leaves the map, and its
// daemon ends. When the time is over, the daemon ends anyway; 0 is no limit. Until it has begun to
// leave the map the drain can be taken back. The last but one node does not leave unless the user
// insists. The last one cannot: no node would take its part of the map.
func (u users) Drain(ctx context.Context, q api.DrainQuery) (api.NodeReport, error) {
	to, err := on(ctx, u.Node, func() (protocol.NodeID, error) {
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
	answer, err := query(ctx, u, rpc.Drain, to, rpc.DrainRequest{Limit: q.Limit, Off: q.Off}, drainPatience)
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
		case n.Error != "" || n.Phase != memberPhase:
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

func (n *Node) answerDrain(_ protocol.NodeID, d rpc.DrainRequest) (rpc.DrainAnswer, error) {
	answer := rpc.DrainAnswer{}
	switch lacks := n.mayNot(); {
	case d.Off:
		answer.Failure = rpc.FailureOf(n.stay())
	case lacks != "":
		answer.Failure = rpc.FailureOf(api.Errorf(jobs.ErrBusy, "node %v cannot leave the grid now. %s "+
			"SIGINT ends it as it is", n.self, lacks))
	default:
		n.leave(d.Limit)
	}
	answer.Report = n.report()
	return answer, nil
}

// named is the node that a user means: this one if there is no name. A name without a number means
// the present life.
func (n *Node) named(text string) (protocol.NodeID, error) {
	if text == "" {
		return n.self, nil
	}
	want, err := parseNode(text)
	if err != nil {
		return want, err
	}
	for _, id := range append(n.known(), n.self) {
		if id.Address != want.Address || want.Incarnation > 1 && id != want {
			continue
		}
		return id, nil
	}
	return want, noNode(text, "")
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
func (n *Node) leave(limit time.Duration) {
	if limit > 0 {
		times := n.drain.times
		n.after(limit, func() { n.left = n.left || n.drain.times == times })
	}
	if n.drain.leaving {
		return
	}
	n.drain.leaving = true
	n.log.Info("the node leaves", "limit", limit)
	n.whenIdle(n.drain.times)
}

// Leave makes the node leave the grid, from any goroutine: it takes no new tasks, waits for what
// runs on it, and gives its zone away. Run returns then, at the latest after a time. It does not
// wait for jobs that were handed in here: their custodians go on with them.
func (n *Node) Leave(limit time.Duration) {
	n.post(func() { n.goAway(limit) })
}

func (n *Node) goAway(limit time.Duration) {
	if !n.member() {
		n.left = true // it has no zone, and nothing runs
		return
	}
	n.after(limit, func() { n.left = true })
	if n.drain.departs {
		return
	}
	n.log.Info("the node leaves", "limit", limit)
	n.drain = drain{leaving: true, times: n.drain.times + 1} // a drain waits no longer
	n.depart()
}

// depart makes the cores leave.
func (n *Node) depart() {
	n.drain.departs = true
	n.loop.Command(peerID, peer.Command{Kind: peer.CommandLeave})
	n.whenLeft()
}

// stay takes a drain back, as long as the cores do not know of it.
func (n *Node) stay() error {
	switch {
	case n.drain.departs:
		return api.Errorf(jobs.ErrRuns,
			"node %v has begun to leave the map, and ends; start its daemon again afterwards", n.self)
	case n.drain.leaving:
		n.drain = drain{times: n.drain.times + 1}
		n.log.Info("the node stays")
	}
	return nil
}

// whenIdle leaves the map once no job that was handed in here is open, nor one about which this
// daemon decides.
func (n *Node) whenIdle(times int) {
	switch {
	case n.drain.times != times: // it stays
	case slices.ContainsFunc(n.table.Live(), n.mine):
		n.after(drainEvery, func() { n.whenIdle(times) })
	default:
		n.depart()
	}
}

func (n *Node) whenLeft() {
	s := n.peer.State()
	if s.Gone() {
		n.log.Info("the node has left the grid")
		n.left = true
		return
	}
	n.after(drainEvery, n.whenLeft)
}

const (
	farewellPatience = time.Second     // for those that answer
	leftShown        = 2 * time.Minute // how long canvass node status shows a node that has left
)

// takeLeave tells all others that this node has left, after its last turn. Those that are down ask
// the witnesses when they are back.
func (n *Node) takeLeave() {
	if s := n.peer.State(); !n.left || !s.Gone() {
		return
	}
	waits := 0
	for _, life := range n.alive() {
		waits++
		report := rpc.FarewellReport{Sole: n.keepsAlone()}
		rpc.Farewell.Ask(n.calls, rpc.Daemon(life).Within(farewellPatience), report, func(rpc.None, error) { waits-- })
	}
	limit := time.After(2 * farewellPatience)
	for waits > 0 {
		select {
		case f := <-n.inbox:
			f()
		case <-limit:
			return
		}
	}
}

// keepsAlone reports whether no other daemon that lives keeps some job of this one.
func (n *Node) keepsAlone() bool {
	alive := map[protocol.Address]bool{}
	for _, life := range n.alive() {
		alive[life.Address] = true
	}
	for r := range n.table.After("") {
		if !slices.ContainsFunc(r.Custodians, func(a protocol.Address) bool { return alive[a] }) {
			return true
		}
	}
	return false
}

func (n *Node) answerFarewell(from protocol.NodeID, f rpc.FarewellReport) (rpc.None, error) {
	n.log.Info("a node has left the grid", "node", from.String())
	n.keepDeparted(rpc.Departures{{Life: from, At: n.wall(), Sole: f.Sole}})
	return rpc.None{}, nil
}

// keepDeparted keeps which nodes have left, if that is news.
func (n *Node) keepDeparted(all rpc.Departures) {
	news := false
	for _, d := range all {
		known := n.near.departed[d.Life.Address]
		if d.Life.Incarnation > known.Life.Incarnation || d.Life == known.Life && known.Told && !d.Told {
			n.near.departed[d.Life.Address], news = d, true
		}
	}
	if !news {
		return
	}
	text, err := json.Marshal(n.near.departed)
	n.keep(err)
	n.keep(n.write(disk.Put{Bucket: disk.Meta, Key: departedKey, Value: text}))
}

// askDeparted asks the witnesses which nodes have left while this daemon was down.
func (n *Node) askDeparted() {
	for _, w := range n.config.Grid.Witnesses {
		if w == n.self.Address {
			continue
		}
		witness := rpc.Daemon(protocol.NodeID{Address: w}).Within(catchUpPatience)
		rpc.Departed.Ask(n.calls, witness, rpc.None{}, func(all rpc.Departures, err error) {
			if err != nil {
				return
			}
			for i := range all {
				all[i].Told = true
			}
			n.keepDeparted(all)
		})
	}
}

// answerDeparted lists the nodes that have left, the latest first.
func (n *Node) answerDeparted(protocol.NodeID, rpc.None) (rpc.Departures, error) {
	all := rpc.Departures(slices.SortedFunc(maps.Values(n.near.departed), func(a, b rpc.Departure) int {
		return cmp.Or(b.At.Compare(a.At), a.Life.Compare(b.Life))
	}))
	return all[:min(len(all), rpc.DeparturesLimit)], nil
}

// departedKey is where the store has which nodes have left.
var departedKey = []byte("departed")

// loadDeparted reads which nodes have left.
func (n *Node) loadDeparted() error {
	n.near.departed = map[protocol.Address]rpc.Departure{}
	text, err := n.store.Get(disk.Meta, departedKey)
	if err != nil || text == nil {
		return err
	}
	if err := json.Unmarshal(text, &n.near.departed); err != nil {
		return n.damaged(disk.Meta, departedKey, err)
	}
	return nil
}

// hasLeft returns the departure of a life that has left in order.
func (n *Node) hasLeft(id protocol.NodeID) (d rpc.Departure, has bool) {
	d = n.near.departed[id.Address]
	return d, !id.IsNobody() && d.Life == id && !d.At.IsZero() && (!d.Told || n.dead(id))
}

// hasNothing reports whether a life has left, and with it nothing that others do not have.
func (n *Node) hasNothing(id protocol.NodeID) bool {
	d, has := n.hasLeft(id)
	return has && !d.Sole
}

// isListed reports whether a node is shown: it has not left long ago, or former ones are wanted.
func (n *Node) isListed(id protocol.NodeID, former bool) bool {
	d, has := n.hasLeft(id)
	return !has || former || n.since(d.At) <= leftShown
}

// overText is what users read of a life that is over: "is dead", or "has left the grid".
func (n *Node) overText(id protocol.NodeID) string {
	if _, has := n.hasLeft(id); has {
		return "has left the grid"
	}
	return "is dead"
}
