package can_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// world is a network of nodes under a driver that keeps to the contract: one input at a time,
// timers by name, choices before anything else, envelopes to the very incarnation that they are
// addressed to.
type world struct {
	cfg   *can.Config
	nodes []*process
	net   []can.Envelope

	choose func(n uint32) uint32 // answers Output.Choose
	core   func(*can.Config, can.State, can.Input) (can.State, can.Output)
	log    func(line string)        // may be nil
	terse  bool                     // the log is without states
	broken error                    // the first property that was broken
	told   map[round]can.ChangeKind // what was decided or executed
	events map[string]int           // how often each event was seen, and each command decided
}

// process is a place where a node runs, with what its driver holds for it.
type process struct {
	address   protocol.Address
	coord     space.Point
	up        bool
	state     can.State
	timers    []protocol.Timer
	persisted []byte
}

// round names a round: who proposed it, and its number there.
type round struct {
	proposer protocol.NodeID
	number   uint32
}

func newWorld(cfg *can.Config, coords ...space.Point) *world {
	w := &world{
		cfg: cfg, told: map[round]can.ChangeKind{}, events: map[string]int{}, core: can.Step,
		choose: func(uint32) uint32 { return 0 },
	}
	for i, coord := range coords {
		w.nodes = append(w.nodes, &process{address: protocol.Address(i), coord: coord})
	}
	return w
}

// at returns the process that runs at the address of an identity, whoever it is by now.
func (w *world) at(id protocol.NodeID) *process { return w.nodes[id.Address] }

// running reports whether this very incarnation runs and has not ended.
func (w *world) running(id protocol.NodeID) bool {
	if int(id.Address) >= len(w.nodes) {
		return false
	}
	p := w.at(id)
	return p.up && p.state.Self.ID == id && p.state.Phase != can.Departed
}

func (w *world) members() []*process {
	return w.having(func(p *process) bool { return p.state.Phase == can.Member })
}

// having returns the processes that are up and satisfy the condition.
func (w *world) having(holds func(*process) bool) []*process {
	var found []*process
	for _, p := range w.nodes {
		if p.up && holds(p) {
			found = append(found, p)
		}
	}
	return found
}

func (w *world) note(format string, args ...any) {
	if w.log != nil {
		w.log(fmt.Sprintf(format, args...))
	}
}

// start begins the first or a later life of a process.
func (w *world) start(p *process) {
	w.note("start %v", protocol.NodeID{Address: p.address, Incarnation: 1})
	in := can.Input{Kind: protocol.Start}
	if p.persisted != nil {
		in = can.Input{Kind: protocol.Restart, Persisted: p.persisted}
	}
	p.up, p.state, p.timers = true, can.New(p.address, p.coord), nil
	w.step(p, in)
}

// crash ends a life. What the process persisted stays.
func (w *world) crash(p *process) {
	w.note("crash %v", p.state.Self.ID)
	p.up, p.timers = false, nil
}

func (w *world) order(p *process, o can.Command) {
	w.note("%v: %s", p.state.Self.ID, can.CommandText(o))
	w.step(p, can.Input{Kind: protocol.Command, Command: o})
}

// fire lets a pending timer go off.
func (w *world) fire(p *process, t protocol.Timer) {
	w.note("timeout %v %s", p.state.Self.ID, can.TimerText(t))
	p.timers = slices.DeleteFunc(p.timers, func(u protocol.Timer) bool { return u == t })
	w.step(p, can.Input{Kind: protocol.Timeout, Timer: t})
}

// deliver takes an envelope from the network and hands it over, if its receiver is still there.
func (w *world) deliver(i int) {
	e := w.net[i]
	w.net = slices.Delete(w.net, i, i+1)
	w.hand(e)
}

func (w *world) hand(e can.Envelope) {
	if !w.running(e.To) {
		w.note("lost %v<-%v %s", e.To, e.From, can.MessageText(w.cfg, e.Message))
		return
	}
	w.note("deliver %v<-%v %s", e.To, e.From, can.MessageText(w.cfg, e.Message))
	w.step(w.at(e.To), can.Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
}

// step feeds an input to a node and obeys the output, in the order of the contract.
func (w *world) step(p *process, in can.Input) {
	state, out := w.core(w.cfg, p.state, in)
	p.state = state
	if out.Persist != nil {
		p.persisted = out.Persist
	}
	w.net = append(w.net, out.Send...)
	for _, t := range out.Cancel {
		p.timers = slices.DeleteFunc(p.timers, func(u protocol.Timer) bool { return u == t })
	}
	for _, set := range out.Set {
		if !slices.Contains(p.timers, set.Timer) {
			p.timers = append(p.timers, set.Timer)
		}
	}
	w.noteStep(state, out)
	w.watch(p, out.Events)
	if out.Choose > 0 {
		w.step(p, can.Input{Kind: protocol.Chosen, Choice: w.choose(out.Choose)})
	}
}

func (w *world) noteStep(s can.State, out can.Output) {
	if w.log == nil {
		return
	}
	if !w.terse {
		w.note("    %s", can.StateText(w.cfg, s))
	}
	for _, e := range out.Send {
		w.note("    send %v->%v %s", e.From, e.To, can.MessageText(w.cfg, e.Message))
	}
	for _, e := range out.Events {
		w.note("    event %v", e)
	}
}

// watch holds events to what rounds promise: one command a round, and no live node is taken for
// dead.
func (w *world) watch(p *process, events []protocol.Event) {
	for _, e := range events {
		w.events[e.Name]++
		switch e.Name {
		case can.EventFenced:
			w.violated("%v was fenced, but nobody suspected it", p.state.Self.ID)
		case can.EventDecide:
			w.events[e.Detail]++
			w.outcome(round{p.state.Self.ID, e.Number}, e.Detail)
		case can.EventExecute:
			w.outcome(round{e.Peer, e.Number}, e.Detail)
		}
	}
}

func (w *world) outcome(r round, detail string) {
	command := can.NoOp
	for command.String() != detail {
		command++
	}
	if told, ok := w.told[r]; ok && told != command {
		w.violated("round %d of %v was %v to one and %v to another", r.number, r.proposer, told, command)
	}
	w.told[r] = command
}

func (w *world) violated(format string, args ...any) {
	if w.broken == nil {
		w.broken = fmt.Errorf(format, args...)
		w.note("VIOLATED %v", w.broken)
	}
}

// checkAlways holds the world to what must be true in every state.
func (w *world) checkAlways() {
	owners := w.members()
	for i, p := range owners {
		self := p.state.Self
		if !self.Zone.Contains(self.Coord) {
			w.violated("OwnerInside: %v is not in its zone", self.ID)
		}
		for _, q := range owners[i+1:] {
			if self.Zone.Overlaps(q.state.Self.Zone) {
				w.violated("NoOverlap: the zones of %v and %v overlap", self.ID, q.state.Self.ID)
			}
		}
	}
}

// checkAtRest holds the world to what must be true when nothing is left to do.
func (w *world) checkAtRest() {
	w.checkAlways()
	owners := w.members()
	var zones []space.Zone
	for _, p := range owners {
		zones = append(zones, p.state.Self.Zone)
		if p.state.Busy() {
			w.violated("NobodyBusy: %v is", p.state.Self.ID)
		}
	}
	if len(owners) > 0 && !space.Covered(w.cfg.Space.Whole(), zones) {
		w.violated("NoGap: the zones do not make up the space")
	}
	for _, p := range owners {
		if want, got := w.neighbourhood(p), describe(w.cfg, p.state.Known); want != got {
			w.violated("ViewsAgree: %v knows %s, not %s", p.state.Self.ID, got, want)
		}
		for _, q := range owners {
			if at := w.route(p, q.state.Self.Coord); at != q {
				w.violated("Routable: from %v to %v one comes to %v", p.state.Self.ID, q.state.Self.ID, at.state.Self.ID)
			}
		}
	}
}

// route follows the members' own idea of the next hop to a point.
func (w *world) route(at *process, target space.Point) *process {
	for range w.nodes {
		next, ok := can.NextHop(&at.state, target)
		if !ok || !w.running(next) {
			break
		}
		at = w.at(next)
	}
	return at
}

// neighbourhood describes what a member ought to know: its neighbours and theirs.
func (w *world) neighbourhood(p *process) string {
	direct := w.adjacent(p)
	var near []can.Record
	for _, q := range w.members() {
		if q != p &&
			(slices.Contains(direct, q) || slices.ContainsFunc(w.adjacent(q), func(r *process) bool { return slices.Contains(direct, r) })) {
			near = append(near, q.state.Self)
		}
	}
	return describe(w.cfg, near)
}

func (w *world) adjacent(p *process) []*process {
	return w.having(func(q *process) bool {
		_, ok := p.state.Self.Zone.Abuts(q.state.Self.Zone)
		return ok && q.state.Phase == can.Member
	})
}

// describe leaves out the epochs: what others know of them may well be older.
func describe(cfg *can.Config, records []can.Record) string {
	records = slices.Clone(records)
	for i := range records {
		records[i].Epoch = 0
	}
	return strings.TrimPrefix(can.MessageText(cfg, can.Answer{Records: records}), "Answer - 0 known")
}

// settle drives the world fairly until nothing happens any more: every message arrives, every timer
// that has a reason fires. Only members that failed are found to have failed. It reports whether
// rest came.
func (w *world) settle() bool {
	for range 40 {
		before := w.fingerprint()
		w.drain()
		for _, kind := range []protocol.TimerKind{can.MissedTimer, can.ProposeTimer, can.ResendTimer, can.UpdateTimer, can.RetryTimer} {
			for _, p := range w.nodes {
				w.fireAll(p, kind)
			}
			w.drain()
		}
		if w.broken != nil || w.fingerprint() == before {
			return w.broken == nil
		}
	}
	return false
}

// fireAll fires the pending timers of a kind at a node. After a retry the messages arrive at once:
// the drawn delays keep retries apart.
func (w *world) fireAll(p *process, kind protocol.TimerKind) {
	for _, t := range slices.Clone(p.timers) {
		if t.Kind != kind || kind == can.MissedTimer && w.running(t.Peer) || !slices.Contains(p.timers, t) {
			continue
		}
		w.fire(p, t)
		w.checkAlways()
		if kind == can.RetryTimer {
			w.drain()
		}
	}
}

// drain delivers everything in the order in which it was sent.
func (w *world) drain() {
	for range 20000 {
		if len(w.net) == 0 || w.broken != nil {
			return
		}
		w.deliver(0)
		w.checkAlways()
	}
	w.violated("messages breed messages without end")
}

// fingerprint is what a world is at the moment, but for those who wait to be let in: at every try
// they draw another coordinate.
func (w *world) fingerprint() string {
	var b []byte
	for _, p := range w.nodes {
		b = append(protocol.AppendBool(b, p.up), byte(p.state.Phase))
		if p.state.Phase != can.Joining || p.state.Busy() {
			b = can.AppendState(w.cfg, b, p.state)
		}
		for _, t := range p.timers {
			b = protocol.AppendNodeID(append(b, byte(t.Kind)), t.Peer)
		}
	}
	for _, e := range w.net {
		b = can.AppendMessage(w.cfg, protocol.AppendNodeID(b, e.To), e.Message)
	}
	return string(b)
}
