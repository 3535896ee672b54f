package model_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
)

// globe is a state of the whole system in plain Go values: nothing is interned, packed or
// remembered. It follows package protocol's rules for drivers and shares no code with the package
// under test.
type globe struct {
	places []place
	net    []protocol.Envelope[note]
	came   []protocol.Envelope[note] // messages that may be duplicated later
	diary  diary
	left   model.Budget
	whole  model.Budget

	core   toy
	script [][][]order
	rare   func(note) bool
	fifo   bool
	named  bool
}

type place struct {
	up           bool
	state        courier
	timers       []protocol.Timer
	choose       uint32
	measuring    []protocol.NodeID
	persisted    string
	life, issued int
}

var _ glimpse = (*globe)(nil)

func (g *globe) size() int { return len(g.places) }

func (g *globe) live(i int) (courier, bool) {
	p := g.places[i]
	return p.state, p.up && !p.state.Ended
}

func (g *globe) running(id protocol.NodeID) bool {
	s, live := g.live(int(id.Address))
	return live && s.Self == id
}

func (g *globe) networkEmpty() bool { return len(g.net) == 0 }

func (g *globe) touches(i int) bool {
	for _, e := range g.net {
		if int(e.From.Address) == i || int(e.To.Address) == i {
			return true
		}
	}
	return false
}

func (g *globe) flying() []protocol.Envelope[note] { return g.net }
func (g *globe) past() diary                       { return g.diary }

// key tells states apart. The order in the network means nothing, but that of messages from one
// courier to another if the network is FIFO.
func (g *globe) key() string {
	var key []byte
	for _, p := range g.places {
		key = g.core.AppendState(protocol.AppendBool(key, p.up), p.state)
		key = append(key, byte(p.choose), byte(p.life), byte(p.issued), byte(len(p.persisted)))
		key = append(append(key, p.persisted...), byte(len(p.timers)))
		for _, t := range p.timers {
			key = protocol.AppendNodeID(append(key, byte(t.Kind)), t.Peer)
		}
		key = append(key, byte(len(p.measuring)))
		for _, id := range p.measuring {
			key = protocol.AppendNodeID(key, id)
		}
	}
	net, came := g.sorted(g.net), g.sorted(g.came)
	d, b := g.diary, g.left
	key = append(key, d.got, d.thanked, d.crashes, d.back)
	for _, n := range []int{b.Drop, b.Duplicate, b.Spurious, b.Crash, b.Restart, b.Suspect, b.Late} {
		key = append(key, byte(n))
	}
	return string(key) + strings.Join(net, "") + "|" + strings.Join(came, "")
}

func (g *globe) sorted(envelopes []protocol.Envelope[note]) []string {
	var all []string
	for _, e := range envelopes {
		one := protocol.AppendNodeID(protocol.AppendNodeID(nil, e.From), e.To)
		all = append(all, string(g.core.AppendMessage(one, e.Message)))
	}
	if g.fifo {
		return g.byChannel(envelopes, all)
	}
	slices.Sort(all)
	return all
}

// byChannel lists texts of messages channel by channel, each channel in its order.
func (g *globe) byChannel(envelopes []protocol.Envelope[note], texts []string) []string {
	channels := map[string]string{}
	for i, e := range envelopes {
		channels[fmt.Sprintf("%v>%v", e.From, e.To)] += texts[i]
	}
	var all []string
	for name, messages := range channels {
		all = append(all, name+messages)
	}
	slices.Sort(all)
	return all
}

// overtakes reports whether the i-th message would arrive before an earlier one of the same sender
// to the same receiver.
func (g *globe) overtakes(i int) bool {
	return g.fifo && slices.ContainsFunc(g.net[:i], func(e protocol.Envelope[note]) bool { return sameWay(e, g.net[i]) })
}

// copied reports whether losing the i-th message equals losing an earlier one.
func (g *globe) copied(i int) bool {
	for j := i - 1; j >= 0; j-- {
		if g.net[j] == g.net[i] {
			return true
		}
		if g.fifo && sameWay(g.net[j], g.net[i]) {
			return false // another message lies between the copies
		}
	}
	return false
}

func sameWay(a, b protocol.Envelope[note]) bool { return a.From == b.From && a.To == b.To }

func (g *globe) clone() *globe {
	c := *g
	c.places, c.net, c.came = slices.Clone(g.places), slices.Clone(g.net), slices.Clone(g.came)
	for i := range c.places {
		c.places[i].timers = slices.Clone(c.places[i].timers)
		c.places[i].measuring = slices.Clone(c.places[i].measuring)
	}
	return &c
}

func newGlobe(script toyScript, b model.Budget) *globe {
	g := &globe{
		left:   b,
		whole:  b,
		core:   script.core,
		script: script.lives,
		rare:   script.rare,
		fifo:   script.fifo,
		named:  script.named,
		places: make([]place, len(script.lives)),
	}
	for i := range g.places {
		g.places[i].state = newCourier(i)
		g.step(i, toyInput{Kind: protocol.Start})
	}
	g.vanish() // not before all are up
	return g
}

// feed gives an input to a node. A message without a receiver vanishes.
func (g *globe) feed(i int, in toyInput) {
	g.step(i, in)
	g.vanish()
}

// step lets something happen to a node and obeys what it asks for.
func (g *globe) step(i int, in toyInput) {
	p := &g.places[i]
	if in.Kind == protocol.Timeout {
		p.timers = slices.DeleteFunc(p.timers, func(t protocol.Timer) bool { return t == in.Timer })
	}
	if in.Kind == protocol.Measured {
		p.measuring = slices.DeleteFunc(p.measuring, func(id protocol.NodeID) bool { return id == in.From })
	}
	state, out := g.core.Step(p.state, in)
	p.up, p.state, p.choose = true, state, out.Choose
	if out.Persist != nil {
		p.persisted = string(out.Persist)
	}
	for _, t := range out.Cancel {
		p.timers = slices.DeleteFunc(p.timers, func(q protocol.Timer) bool { return q == t })
	}
	for _, s := range out.Set {
		if !slices.Contains(p.timers, s.Timer) {
			p.timers = append(p.timers, s.Timer)
		}
	}
	slices.SortFunc(p.timers, func(a, b protocol.Timer) int { return int(a.Kind) - int(b.Kind) }) // one of a kind
	for _, id := range out.Measure {
		if !slices.Contains(p.measuring, id) {
			p.measuring = append(p.measuring, id)
			slices.SortFunc(p.measuring, protocol.NodeID.Compare)
		}
	}
	for _, e := range out.Send {
		if g.left.Late > 0 || !g.again(e) || !slices.Contains(g.net, e) {
			g.net = append(g.net, e)
		}
	}
	g.diary = g.diary.after(out.Events)
}

// again reports whether a message may be duplicated after its delivery.
func (g *globe) again(e protocol.Envelope[note]) bool {
	return (g.left.Repeat || g.left.Adversarial || g.left.Late > 0) && (g.rare == nil || !g.rare(e.Message))
}

// vanish removes messages to nodes that do not run.
func (g *globe) vanish() {
	lost := func(e protocol.Envelope[note]) bool { return !g.running(e.To) }
	if !g.adversarial() || g.named {
		g.net, g.came = slices.DeleteFunc(g.net, lost), slices.DeleteFunc(g.came, lost)
		return
	}
	for _, e := range g.net {
		if lost(e) {
			g.remember(e)
		}
	}
	g.net = slices.DeleteFunc(g.net, lost)
	g.came = slices.DeleteFunc(g.came, func(e protocol.Envelope[note]) bool { return g.deaf(int(e.To.Address)) })
}

// remember keeps a message that may be duplicated later. If that may be in any incarnation of its
// receiver, the original receiver is forgotten.
func (g *globe) remember(e protocol.Envelope[note]) {
	if g.adversarial() && !g.named {
		e.To.Incarnation = 1
	}
	if g.again(e) && !slices.Contains(g.came, e) {
		g.came = append(g.came, e)
	}
}

// adversarial reports whether what was ever sent may still come.
func (g *globe) adversarial() bool { return g.left.Adversarial || g.left.Late > 0 }

// deaf reports whether a courier can never receive anything any more.
func (g *globe) deaf(i int) bool {
	p := g.places[i]
	return p.up && p.state.Ended || !p.up && p.life == g.whole.Restart
}

func (g *globe) crash(i int) {
	p := &g.places[i]
	g.diary = g.diary.after([]protocol.Event{{Name: "crash", Peer: p.state.Self}})
	*p = place{persisted: p.persisted, life: p.life}
	g.vanish()
}

// move is something that can happen in a state.
type move struct {
	class string // kind@node
	fair  bool
	next  *globe
}

func (g *globe) moves() []move {
	var all []move
	add := func(kind string, node int, fair bool, do func(next *globe)) {
		next := g.clone()
		do(next)
		all = append(all, move{fmt.Sprintf("%s@%c", kind, 'A'+node), fair, next})
	}
	for i := range g.places {
		g.ofNode(i, add)
	}
	g.ofNetwork(add)
	g.ofThePast(add)
	for i, p := range g.places {
		if s, live := g.live(i); live && p.choose == 0 && g.left.Crash > 0 && toyCrashable(s) {
			add("crash", i, false, func(n *globe) { n.left.Crash--; n.crash(i) })
		}
		if !p.up && g.left.Restart > 0 {
			add("restart", i, false, func(n *globe) {
				n.left.Restart--
				n.places[i].life++
				n.feed(i, toyInput{Kind: protocol.Restart, Persisted: []byte(p.persisted)})
			})
		}
	}
	return all
}

type adder func(kind string, node int, fair bool, do func(next *globe))

func (g *globe) ofNode(i int, add adder) {
	p := g.places[i]
	if _, live := g.live(i); !live {
		return
	}
	if p.choose > 0 {
		for c := range p.choose {
			add("chosen", i, true, func(n *globe) { n.feed(i, toyInput{Kind: protocol.Chosen, Choice: c}) })
		}
		return
	}
	if p.life < len(g.script[i]) && p.issued < len(g.script[i][p.life]) {
		add("command", i, false, func(n *globe) {
			n.places[i].issued++
			n.feed(i, toyInput{Kind: protocol.Command, Command: g.script[i][p.life][p.issued]})
		})
	}
	for _, t := range p.timers {
		fire := func(n *globe) { n.feed(i, toyInput{Kind: protocol.Timeout, Timer: t}) }
		switch due := toyDue(g, i, t); {
		case due == model.Now, due == model.Useful && g.useful(i, t):
			add("timeout", i, true, fire)
		case due == model.Spurious && g.left.Spurious > 0:
			add("timeout-early", i, false, func(n *globe) { n.left.Spurious--; fire(n) })
		case due == model.Suspect && g.left.Suspect > 0:
			add("suspect", i, false, func(n *globe) { n.left.Suspect--; fire(n) })
		}
	}
	g.measurements(i, add)
}

func (g *globe) measurements(i int, add adder) {
	p := g.places[i]
	for _, id := range p.measuring {
		if !g.running(id) {
			continue
		}
		for _, latency := range toyLatency(p.state.Self, id) {
			add("measured", i, true, func(n *globe) {
				n.feed(i, toyInput{Kind: protocol.Measured, From: id, Measure: latency})
			})
		}
	}
}

// useful reports whether a timer that fires changes its node or shows the monitor an event, or else
// whether one of the messages that it sends changes the receiver, makes it answer or show the
// monitor an event.
func (g *globe) useful(i int, t protocol.Timer) bool {
	fired, in := g.clone(), toyInput{Kind: protocol.Timeout, Timer: t}
	fired.net = nil
	fired.feed(i, in)
	if g.tells(i, in) || fmt.Sprint(fired.places[i]) != fmt.Sprint(g.places[i]) {
		return true
	}
	for _, e := range fired.net {
		if g.places[e.To.Address].choose > 0 {
			continue // nothing before the choice
		}
		there, to, heard := g.clone(), int(e.To.Address), toyInput{Kind: protocol.Deliver, From: e.From, Message: e.Message}
		there.net = nil
		there.feed(to, heard)
		if g.tells(to, heard) || fmt.Sprint(there.places) != fmt.Sprint(g.places) || len(there.net) > 0 {
			return true
		}
	}
	return false
}

// tells reports whether a step of a node would change the monitor.
func (g *globe) tells(i int, in toyInput) bool {
	_, out := g.core.Step(g.places[i].state, in)
	return slices.ContainsFunc(out.Events, func(e protocol.Event) bool { return toyMonitor{}.Wants(e.Name) })
}

func (g *globe) ofNetwork(add adder) {
	for i, e := range g.net {
		if g.copied(i) {
			continue
		}
		to := int(e.To.Address)
		hear := func(n *globe) { n.feed(to, toyInput{Kind: protocol.Deliver, From: e.From, Message: e.Message}) }
		lose := func(n *globe) { n.net = slices.Delete(n.net, i, i+1) }
		if g.left.Drop > 0 {
			add("drop", to, false, func(n *globe) {
				n.left.Drop--
				lose(n)
				if n.adversarial() {
					n.remember(e)
				}
			})
		}
		if g.places[to].choose > 0 {
			continue // nothing before the choice
		}
		if g.overtakes(i) {
			continue
		}
		add("deliver", to, true, func(n *globe) {
			lose(n)
			n.remember(e)
			hear(n)
		})
		if g.left.Duplicate > 0 {
			add("duplicate", to, false, func(n *globe) { n.left.Duplicate--; hear(n) })
		}
	}
}

// ofThePast delivers past messages once more, if that makes a difference.
func (g *globe) ofThePast(add adder) {
	for _, e := range g.came {
		to := int(e.To.Address)
		if _, live := g.live(to); !live || g.places[to].choose > 0 {
			continue
		}
		in := toyInput{Kind: protocol.Deliver, From: e.From, Message: e.Message}
		after := g.clone()
		after.net, after.came = nil, nil
		after.feed(to, in)
		_, out := g.core.Step(g.places[to].state, in)
		if g.tells(to, in) || len(out.Send) > 0 || fmt.Sprint(after.places) != fmt.Sprint(g.places) {
			kind, cost := "repeat", 0
			if g.left.Late > 0 {
				kind, cost = "late", 1
			}
			add(kind, to, false, func(n *globe) {
				n.feed(to, in)
				if n.left.Late -= cost; cost > 0 && n.left.Late == 0 {
					n.came = nil
				}
			})
		}
	}
}

// finding is the result of the dumb search for one property.
type finding struct {
	verdict checker.Verdict
	steps   int // of a shortest path to the evidence; -1: no evidence
	cases   uint64
}

type naiveReport struct {
	states, transitions uint64
	depth               int
	classes             map[string]uint64
	findings            map[string]finding
}

// explore goes through all states, breadth first.
func explore(script toyScript, b model.Budget) *naiveReport {
	r := &naiveReport{classes: map[string]uint64{}, findings: map[string]finding{}}
	for _, rule := range toyRules() {
		f := finding{verdict: checker.Holds, steps: -1}
		if rule.Shape == checker.Sometimes {
			f.verdict = checker.Violated
		}
		r.findings[rule.Name] = f
	}
	r.findings[checker.Deadlock] = finding{verdict: checker.Holds, steps: -1}
	initial := newGlobe(script, b)
	level, seen := []*globe{initial}, map[string]bool{initial.key(): true}
	for ; len(level) > 0; r.depth++ {
		var next []*globe
		for _, g := range level {
			moves := g.moves()
			r.judge(g, moves)
			for _, m := range moves {
				r.classes[m.class]++
				if key := m.next.key(); !seen[key] {
					seen[key] = true
					next = append(next, m.next)
				}
			}
			r.transitions += uint64(len(moves))
		}
		level = next
	}
	r.states, r.depth = uint64(len(seen)), r.depth-1
	return r
}

func (r *naiveReport) judge(g *globe, moves []move) {
	rest := g.networkEmpty() && !slices.ContainsFunc(moves, func(m move) bool { return m.fair })
	note := func(name string, asked bool, holds bool, evidence bool) {
		f := r.findings[name]
		if asked {
			f.cases++
		}
		if asked && holds == evidence && f.steps < 0 {
			f.steps, f.verdict = r.depth, checker.Violated
			if evidence {
				f.verdict = checker.Holds
			}
		}
		r.findings[name] = f
	}
	for _, rule := range toyRules() {
		note(rule.Name, rule.Shape != checker.Quiescent || rest, rule.holds(g), rule.Shape == checker.Sometimes)
	}
	note(checker.Deadlock, len(moves) == 0, idle(g), false)
}
