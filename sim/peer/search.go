package peer

import (
	"fmt"
	"slices"

	peermodel "github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// search is the oracle's record of the searches for one job.
type search struct {
	spec  reptask.Spec
	able  []protocol.NodeID // nodes that could run the job all the time since the first search began
	told  bool              // the client was notified of the end of one
	owing bool              // and then a node could run it, as it could all the time
}

// isAble reports whether a node can run a job.
func (o *oracle) isAble(s *peer.State, spec *reptask.Spec) bool {
	return peermodel.Able(&o.run.cfg, s, spec)
}

// follow follows jobs and searches: a search need not find a node that cannot run the job, if only
// for a while.
func (o *oracle) follow(node int, events []protocol.Event) {
	for _, e := range events {
		switch t := o.clients.tickets[e.Number]; {
		case t == nil:
		case e.Name == peer.EventSearch && t.search == nil:
			t.search = o.begun(t)
		case e.Name == peer.EventOwned && t.search != nil:
			o.seen["found"]++
		case e.Name == peer.EventUnmatched && t.search != nil:
			o.ended(t, e)
		}
	}
	id := o.run.State(node).ID()
	for _, j := range o.clients.jobs {
		if !j.failed && !(o.run.Running(id) && o.isAble(o.run.State(node), &j.spec)) {
			j.able = slices.DeleteFunc(j.able, func(x protocol.NodeID) bool { return x == id })
		}
	}
	for _, t := range o.clients.tickets {
		if t.search != nil && !(o.run.Running(id) && o.isAble(o.run.State(node), &t.search.spec)) {
			t.search.able = slices.DeleteFunc(t.search.able, func(x protocol.NodeID) bool { return x == id })
		}
	}
}

// begun notes which nodes can run a job when a search for it begins.
func (o *oracle) begun(t *ticket) *search {
	all := &search{spec: t.spec}
	for s := range o.live() {
		if o.isAble(s, &t.spec) {
			all.able = append(all.able, s.ID())
		}
	}
	return all
}

// ended checks what a client is notified of.
func (o *oracle) ended(t *ticket, e protocol.Event) {
	t.search.told = true
	o.seen["unmatched: "+e.Detail]++
	if len(t.search.able) == 0 {
		return
	}
	t.search.owing = true
	if e.Detail == peer.Nobody.String() {
		o.Violate("HonestRefusal", "%v could run the job with ticket %d all the time", t.search.able[0], e.Number)
	}
}

// unmatched returns the first ticket whose job a node could run all the time, and that no node has
// represented. Where nodes come and go, or messages are dropped, a search may end undecided.
func (o *oracle) unmatched() (first uint32, where string) {
	for number, t := range o.clients.tickets {
		if o.roomy && o.lossless && t.search != nil && t.search.owing && !t.represented && (first == 0 || number < first) {
			first = number
		}
	}
	return first, fmt.Sprintf("no node represented the job with ticket %d, and one could", first)
}

// largeRequirement draws the seed of a requirement that few nodes meet: the largest of several.
func largeRequirement(p *sim.Plan, c *sim.Chance) uint64 {
	return extremeRequirement(p, c, func(sum, best int64) bool { return sum > best })
}

// drawSearch draws jobs that few nodes or none can run, so that most of them are searched for,
// while some nodes join, leave or crash.
func drawSearch(p *sim.Plan, c *sim.Chance) {
	p.Founders = 4 + int(c.Below(maxFounders-3))
	p.Nodes = p.Founders
	p.UntilMicros = c.Between(10, 25) * second
	drawPredictions(p, c)
	if c.Of(1, 2) {
		p.Nodes += int(c.Below(4))
		sim.DrawEvents(p, c, opJoin, 3*second, 30*second)
		sim.DrawEvents(p, c, opLeave, 5*second, 30*second)
	}
	drawFew(p, c, 30, func() uint64 {
		if c.Of(1, 3) {
			return c.Below(1 << 32)
		}
		return largeRequirement(p, c)
	})
	drawTrouble(p, c)
}
