package can_test

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
)

type (
	core    = protocol.Core[can.State, can.Message, can.Command]
	process = drivetest.Process[can.State, can.Message, can.Command]
)

// network is a network of CAN nodes, with the properties that hold in it.
type network struct {
	*drivetest.Network[can.State, can.Message, can.Command]
	cfg      *can.Config
	outcomes map[round]can.ChangeKind // the decision or execution of each round
}

// round names a round: its proposer, and its number there.
type round struct {
	proposer protocol.NodeID
	number   uint32
}

func self(s can.State) protocol.NodeID { return s.Self.ID }

func newNetwork(cfg *can.Config, coords ...space.Point) *network {
	w := &network{
		Network:  drivetest.New(core(&can.Core{Config: *cfg}), self),
		cfg:      cfg,
		outcomes: map[round]can.ChangeKind{},
	}
	w.Ended = func(s can.State) bool { return s.Phase == can.Departed }
	w.Picture = picture(cfg)
	w.OnEvent = w.checkEvent
	w.OnStep = func(*process) { w.checkAlways() }
	for _, coord := range coords {
		w.add(coord)
	}
	return w
}

func (w *network) add(coord space.Point) *process {
	return w.Add(can.New(protocol.Address(len(w.Nodes)), coord))
}

// found starts nodes that join one after the other, each when the network is quiescent.
func (w *network) found(nodes ...*process) bool {
	for _, p := range nodes {
		w.Start(p)
		if p.Address == 0 {
			w.Command(p, can.Command{Kind: can.CommandCreate})
		} else {
			w.Command(p, can.Command{Kind: can.CommandJoin, Contact: nodeA})
		}
		if !w.settle() {
			return false
		}
	}
	return true
}

func (w *network) members() []*process {
	return w.Having(func(p *process) bool { return p.State().Phase == can.Member })
}

// checkEvent checks what rounds promise: one outcome a round, and no live node is suspected.
func (w *network) checkEvent(p *process, e protocol.Event) {
	switch e.Name {
	case can.EventFenced:
		w.Violated("%v was fenced without a suspicion", p.ID())
	case can.EventDecide:
		w.Events[e.Detail]++
		w.outcome(round{p.ID(), e.Number}, e.Detail)
	case can.EventExecute:
		w.outcome(round{e.Peer, e.Number}, e.Detail)
	}
}

func (w *network) outcome(r round, detail string) {
	change := can.NoOp
	for change.String() != detail {
		change++
	}
	if first, ok := w.outcomes[r]; ok && first != change {
		w.Violated("round %d of %v was %v to one node and %v to another", r.number, r.proposer, first, change)
	}
	w.outcomes[r] = change
}

// checkAlways checks what is true in every state.
func (w *network) checkAlways() {
	owners := w.members()
	for i, p := range owners {
		self := p.State().Self
		if !self.Zone.Contains(self.Coord) {
			w.Violated("OwnerInside: %v is not in its zone", self.ID)
		}
		for _, q := range owners[i+1:] {
			if self.Zone.Overlaps(q.State().Self.Zone) {
				w.Violated("NoOverlap: the zones of %v and %v overlap", self.ID, q.ID())
			}
		}
	}
}

// checkQuiescent checks what is true when nothing is left to do.
func (w *network) checkQuiescent() {
	w.checkAlways()
	owners := w.members()
	var zones []space.Zone
	for _, p := range owners {
		s := p.State()
		zones = append(zones, s.Self.Zone)
		if s.Busy() {
			w.Violated("NobodyBusy: %v is", p.ID())
		}
	}
	if len(owners) > 0 && !space.Covered(w.cfg.Space.Whole(), zones) {
		w.Violated("NoGap: the zones do not make up the space")
	}
	for _, p := range owners {
		if want, got := w.neighbourhood(p), describe(w.cfg, p.State().Known); want != got {
			w.Violated("ViewsAgree: %v knows %s, not %s", p.ID(), got, want)
		}
		for _, q := range owners {
			if at := w.route(p, q.State().Self.Coord); at != q {
				w.Violated("Routable: a message from %v to %v ends at %v", p.ID(), q.ID(), at.ID())
			}
		}
	}
}

// route follows the members' own idea of the next hop to a point.
func (w *network) route(at *process, target space.Point) *process {
	for range w.Nodes {
		s := at.State()
		next, ok := can.NextHop(&s, target)
		if !ok || !w.Running(next) {
			break
		}
		at = w.At(next)
	}
	return at
}

// neighbourhood describes what a member ought to know: its neighbours and theirs.
func (w *network) neighbourhood(p *process) string {
	direct := w.adjacent(p)
	isDirect := func(q *process) bool { return slices.Contains(direct, q) }
	var near []can.Record
	for _, q := range w.members() {
		if q != p && (isDirect(q) || slices.ContainsFunc(w.adjacent(q), isDirect)) {
			near = append(near, q.State().Self)
		}
	}
	return describe(w.cfg, near)
}

func (w *network) adjacent(p *process) []*process {
	return w.Having(func(q *process) bool {
		_, ok := p.State().Self.Zone.Abuts(q.State().Self.Zone)
		return ok && q.State().Phase == can.Member
	})
}

// describe leaves out the epochs: others may have older ones.
func describe(cfg *can.Config, records []can.Record) string {
	records = slices.Clone(records)
	for i := range records {
		records[i].Epoch = 0
	}
	return strings.TrimPrefix(can.MessageText(cfg, can.Answer{Records: records}), "Answer - 0 known")
}

// settle runs a fair schedule until the network is quiescent: every message arrives, and every
// timer that has a reason fires. No live node is suspected. It reports whether the network became
// quiescent.
func (w *network) settle() bool {
	kinds := []protocol.TimerKind{can.MissedTimer, can.ProposeTimer, can.ResendTimer, can.UpdateTimer, can.RetryTimer}
	return w.Settle(40, func() {
		for _, kind := range kinds {
			var then func()
			if kind == can.RetryTimer { // their drawn delays keep retries apart
				then = w.Drain
			}
			for _, p := range w.Nodes {
				w.FireAll(p, func(t protocol.Timer) bool { return t.Kind == kind && w.mayFire(t) }, then)
			}
			w.Drain()
		}
	})
}

// mayFire reports whether a timer may fire: no timer suspects a live node.
func (w *network) mayFire(t protocol.Timer) bool {
	return t.Kind != can.MissedTimer || !w.Running(t.Peer)
}

// picture is a node as settle compares it. It leaves out a node that waits for its next try to
// join: each try draws another coordinate.
func picture(cfg *can.Config) func(*process) []byte {
	return func(p *process) []byte {
		s := p.State()
		b := []byte{byte(s.Phase)}
		if s.Phase != can.Joining || s.Busy() {
			b = can.AppendState(cfg, b, s)
		}
		for _, t := range p.Pending() {
			b = protocol.AppendNodeID(append(b, byte(t.Kind)), t.Peer)
		}
		return b
	}
}
